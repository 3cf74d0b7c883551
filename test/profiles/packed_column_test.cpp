//===- packed_column_test.cpp - numbers of many rows in few bytes ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: every number comes back bit by bit; damaged bytes are refused; rows
// that hardly differ take a byte each.
//===----------------------------------------------------------------------===//
#include "format/profile/PackedColumn.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace evenkeel;

namespace {

struct Row {
  uint32_t Small;
  uint64_t Large;
  int64_t Signed;
  double Real;
};
const Column Small = {"small", Column::U32, offsetof(Row, Small)},
             Large = {"large", Column::U64, offsetof(Row, Large)},
             Signed = {"signed", Column::I64, offsetof(Row, Signed)},
             Real = {"real", Column::F64, offsetof(Row, Real)};

std::string pack(const Column &C, const std::vector<Row> &Rows) {
  return packColumn(C, Rows.data(), sizeof(Row), Rows.size());
}
bool unpack(const Column &C, const std::string &Data, size_t Count) {
  std::vector<Row> Rows(Count + 1); // the last is not to be written
  const bool Good = unpackColumn(C, Data, Rows.data(), sizeof(Row), Count);
  EXPECT_EQ(Rows.back().Small, 0u);
  EXPECT_EQ(Rows.back().Large, 0u);
  return Good;
}

TEST(PackedColumn, ComesBackBitByBit) {
  const auto Most = std::numeric_limits<int64_t>::max();
  const auto Least = std::numeric_limits<int64_t>::min();
  const std::vector<Row> Rows = {
      {0, 0, 0, 0.0},
      {1, 1, -1, -0.0},
      {UINT32_MAX, UINT64_MAX, Most, 1.5},
      {0, 1ull << 63, Least, 1e308},
      {77, 0x7fffffffffffffff, Most, std::nextafter(1.0, 2.0)},
      {77, 3, -5, std::numeric_limits<double>::denorm_min()}};
  std::vector<Row> Out(Rows.size());
  std::memset(Out.data(), 0, Out.size() * sizeof(Row));
  for (const Column *C : {&Small, &Large, &Signed, &Real})
    ASSERT_TRUE(
        unpackColumn(*C, pack(*C, Rows), Out.data(), sizeof(Row), Out.size()));
  for (size_t I = 0; I < Rows.size(); ++I) {
    EXPECT_EQ(Out[I].Small, Rows[I].Small);
    EXPECT_EQ(Out[I].Large, Rows[I].Large);
    EXPECT_EQ(Out[I].Signed, Rows[I].Signed);
    EXPECT_EQ(std::memcmp(&Out[I].Real, &Rows[I].Real, 8), 0) << I;
  }
}

TEST(PackedColumn, TakesAByteForARowThatHardlyDiffers) {
  std::vector<Row> Rows;
  for (uint32_t I = 0; I < 1000; ++I)
    Rows.push_back({1000000 + I, 1ull << 40, -1000000 - int64_t(I), 0.1});
  for (const Column *C : {&Small, &Large, &Signed, &Real})
    EXPECT_LT(pack(*C, Rows).size(), Rows.size() + 10) << C->Name;
  EXPECT_EQ(pack(Small, {}), "");
}

TEST(PackedColumn, RefusesOtherBytes) {
  EXPECT_TRUE(unpack(Small, std::string("\x0a\x01", 2), 2)); // 5, 4
  EXPECT_FALSE(unpack(Small, std::string("\x0a\x01", 2), 1));
  EXPECT_FALSE(unpack(Small, std::string("\x0a\x01", 2), 3));
  EXPECT_FALSE(unpack(Small, "\x8a", 1)); // goes on
  EXPECT_FALSE(unpack(Small, "\x01", 1)); // -1
  EXPECT_TRUE(unpack(Large, std::string(9, '\xff') + '\1', 1));
  EXPECT_FALSE(unpack(Large, std::string(9, '\xff') + '\2', 1)); // 65 bits
  EXPECT_FALSE(unpack(Large, std::string(10, '\x80') + '\1', 1));
  for (double V : {std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_FALSE(unpack(Real, pack(Real, {{0, 0, 0, V}}), 1));
}

} // namespace
