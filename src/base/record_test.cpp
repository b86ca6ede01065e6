// SPDX-License-Identifier: Apache-2.0
#include "base/record.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace panoptes {
namespace {

enum class Colour : std::uint8_t { red, green };

std::string some_record() {
  RecordWriter record;
  record.number(17u);
  record.number(Colour::green);
  record.real(-0.25);
  record.text("two words");
  record.numbers(std::vector<std::uint32_t>{3, 2, 1});
  record.number(true);
  return record.bytes();
}

TEST(Record, GivesBackWhatWasWritten) {
  const std::string bytes = some_record();
  RecordReader record(bytes);
  EXPECT_EQ(record.number(), 17u);
  EXPECT_EQ(record.number<Colour>(), Colour::green);
  EXPECT_EQ(record.real(), -0.25);
  EXPECT_EQ(record.text(), "two words");
  std::vector<std::uint32_t> numbers;
  record.numbers(numbers);
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{3, 2, 1}));
  EXPECT_FALSE(record.is_done());
  EXPECT_TRUE(record.number<bool>());
  EXPECT_TRUE(record.is_done());
  EXPECT_EQ(record.number(), 0u);
  EXPECT_TRUE(record.is_broken());
}

TEST(Record, IsBrokenWhereverItIsCutOff) {
  const std::string bytes = some_record();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    RecordReader record(std::string_view(bytes).substr(0, size));
    record.number();
    record.number();
    record.real();
    record.text();
    std::vector<std::uint32_t> numbers;
    record.numbers(numbers);
    record.number();
    EXPECT_TRUE(record.is_broken()) << size;
    EXPECT_FALSE(record.is_done()) << size;
  }
}

TEST(Record, HasNoListThatIsLongerThanItself) {
  RecordWriter writer;
  writer.number(UINT64_MAX / 2);
  RecordReader record(writer.bytes()), text(writer.bytes());
  std::vector<std::uint64_t> numbers;
  record.numbers(numbers);
  EXPECT_TRUE(numbers.empty());
  EXPECT_TRUE(record.is_broken());
  EXPECT_EQ(text.text(), "");
  EXPECT_TRUE(text.is_broken());
}

}  // namespace
}  // namespace panoptes
