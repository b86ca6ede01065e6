# SPDX-License-Identifier: Apache-2.0
"""sarif.py FILE: says what in a SARIF file is not as the standard has it; nothing if all is well.

The judge is Debian's python3-sarif-python-om, classes made of the schema of SARIF 2.1.0: which
properties an object of each class may have, and which it must have.
"""

import json
import sys

import attr
import sarif_om

# The class of the objects in a property, or in a list or map of that property.
CLASSES = {
    "runs": "Run", "tool": "Tool", "driver": "ToolComponent", "rules": "ReportingDescriptor",
    "shortDescription": "MultiformatMessageString", "fullDescription": "MultiformatMessageString",
    "help": "MultiformatMessageString", "defaultConfiguration": "ReportingConfiguration",
    "invocations": "Invocation", "toolExecutionNotifications": "Notification",
    "results": "Result", "message": "Message", "description": "Message", "locations": "Location",
    "relatedLocations": "Location", "location": "Location",
    "physicalLocation": "PhysicalLocation", "artifactLocation": "ArtifactLocation",
    "originalUriBaseIds": "ArtifactLocation", "region": "Region",
    "logicalLocations": "LogicalLocation", "codeFlows": "CodeFlow", "threadFlows": "ThreadFlow",
}
MAPS = {"originalUriBaseIds"}
LEVELS = {"none", "note", "warning", "error"}


def check(value, name, path):
    if name == "properties":
        return  # may be anything
    if isinstance(value, list):
        for i, each in enumerate(value):
            check(each, name, f"{path}[{i}]")
    elif name in MAPS and isinstance(value, dict):
        for key, each in value.items():
            check_object(each, CLASSES[name], f"{path}.{key}")
    elif isinstance(value, dict):
        # The locations of a thread flow are of a class of their own.
        of_flow = name == "locations" and ".threadFlows[" in path and path.count(".") > 4
        class_name = "ThreadFlowLocation" if of_flow else CLASSES.get(name)
        if class_name is None:
            print(f"{path}: no class is known for it")
        else:
            check_object(value, class_name, path)
    elif name == "level" and value not in LEVELS:
        print(f"{path}: {value} is no level")


def check_object(value, class_name, path):
    fields = {each.metadata["schema_property_name"]: each
              for each in attr.fields(getattr(sarif_om, class_name))}
    for name in value:
        if name not in fields:
            print(f"{path}: a {class_name} has no {name}")
    for name, each in fields.items():
        if each.default is attr.NOTHING and name not in value:
            print(f"{path}: a {class_name} must have {name}")
    for name, each in value.items():
        check(each, name, f"{path}.{name}")


def main():
    with open(sys.argv[1], encoding="utf-8", errors="strict") as file:
        log = json.load(file)
    check_object({name: value for name, value in log.items() if name != "$schema"}, "SarifLog", "")
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        for result in run["results"]:
            if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
                print(f"rule {result['ruleIndex']} is not {result['ruleId']}")


main()
