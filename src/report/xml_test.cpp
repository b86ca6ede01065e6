// SPDX-License-Identifier: Apache-2.0
#include "report/xml.hpp"

#include <gtest/gtest.h>

#include "report/kinds.hpp"

namespace panoptes {
namespace {

TEST(Xml, HasPlainTextAsItIsAndMarkupEscaped) {
  EXPECT_EQ(xml_escaped(""), "");
  EXPECT_EQ(xml_escaped("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(xml_escaped("<a b='c' d=\"e\">&amp;\r"),
            "&lt;a b=&apos;c&apos; d=&quot;e&quot;&gt;&amp;amp;&#13;");
  EXPECT_EQ(xml_escaped("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
}

TEST(Xml, ReplacesWhatItCannotHave) {
  const std::string instead = "\xef\xbf\xbd";
  EXPECT_EQ(xml_escaped(std::string_view("\0\x01\x1f", 3)), instead + instead + instead);
  EXPECT_EQ(xml_escaped("\xff"), instead);
  EXPECT_EQ(xml_escaped("\xc3"), instead);                // cut off
  EXPECT_EQ(xml_escaped("\xc0\x80"), instead + instead);  // too long for what it says
  EXPECT_EQ(xml_escaped("\xe0\x80\x80"), instead + instead + instead);
  EXPECT_EQ(xml_escaped("\xed\xa0\x80"), instead + instead + instead);  // half of a pair
  EXPECT_EQ(xml_escaped("\xef\xbf\xbe"), instead + instead + instead);  // no character
  EXPECT_EQ(xml_escaped("\xf4\x90\x80\x80"), instead + instead + instead + instead);
}

TEST(Kinds, AreAllThere) {
  // The last kind there is; to_string knows no further one.
  EXPECT_EQ(kind_table().size(), static_cast<std::size_t>(last_error_kind) + 1);
  for (std::size_t i = 0; i < kind_table().size(); ++i)
    EXPECT_EQ(kind_table()[i].kind, static_cast<ErrorKind>(i));
}

}  // namespace
}  // namespace panoptes
