# SPDX-License-Identifier: Apache-2.0
"""xml_as_json.py FILE: an XML file as JSON: tag, attributes, text and children of each element."""

import json
import sys
import xml.etree.ElementTree


def element(node):
    return {"tag": node.tag, "attributes": node.attrib, "text": node.text or "",
            "children": [element(child) for child in node]}


json.dump(element(xml.etree.ElementTree.parse(sys.argv[1]).getroot()), sys.stdout)
