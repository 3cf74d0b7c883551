//===- touch_tables_test.cpp - touched pages for ecoHMEM's advisor --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: sums and peaks by call stack, and the hash by which the runtime finds
// a stack again.
//===----------------------------------------------------------------------===//
#include "format/ecohmem/FromTouches.h"
#include "format/ek_touches.h"
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::ecohmem;

namespace {

TouchObject object(uint64_t Bytes, std::vector<std::string> Frames) {
  TouchObject O;
  O.Kind = Frames.empty() ? "heap" : "block";
  O.Bytes = Bytes;
  O.Frames = std::move(Frames);
  return O;
}

constexpr uint32_t Unknown = TouchRow::Unknown;

} // namespace

TEST(TouchTables, SumsAndPeaksByCallStack) {
  TouchRecord R;
  R.Processes.resize(1);
  R.Objects = {object(1000, {"a!10", "b!2"}), object(500, {}),
               object(3000, {"a!10", "b!2"}), object(700, {"a!11"}),
               object(900, {"a!12"})};
  R.Passes.resize(3);
  R.Rows = {{0, 0, 0, 9, 9, 4, 1},       {0, 0, 9, 9, 9, 2, Unknown},
            {0, 1, 0, 9, 9, 5, 5},       {1, 0, 0, 9, 9, Unknown, 3},
            {1, 2, 0, 9, 9, 7, Unknown}, {1, 3, 0, 9, 9, 1, Unknown},
            {2, 2, 0, 9, 9, 1, Unknown}, {2, 4, 0, 9, 9, 0, 0}};
  Expected<TouchTables> T = ecohmem::tablesOf(R);
  ASSERT_TRUE(static_cast<bool>(T)) << T.message();
  EXPECT_EQ(T->Stacks, (std::vector<std::string>{"a!10 > b!2", "a!11"}));
  EXPECT_EQ(T->Loads, (std::vector<uint64_t>{14, 1}));
  EXPECT_EQ(T->Stores, (std::vector<uint64_t>{4, 0}));
  EXPECT_EQ(T->Bytes, (std::vector<uint64_t>{4000, 700})); // both live once
  EXPECT_EQ(T->PeakBytes, 4700u);
  EXPECT_EQ(T->LeftOut, 1u);
}

TEST(TouchTables, WithoutCallStacksThereIsNothingToPlace) {
  TouchRecord R;
  R.Processes.resize(1);
  R.Objects = {object(1000, {})};
  R.Passes.resize(1);
  R.Rows = {{0, 0, 0, 1, 1, 1, Unknown}};
  Expected<TouchTables> T = ecohmem::tablesOf(R);
  ASSERT_FALSE(static_cast<bool>(T));
  EXPECT_NE(T.message().find("has a call stack"), std::string::npos);
}

TEST(TouchTables, TheHashIsTheRuntimes) {
  uint64_t Hash = ek_touch_stack_hash(0, "app", 0x11f3);
  EXPECT_EQ(touchStackHash("app!11f3"), Hash);
  Hash = ek_touch_stack_hash(Hash, "lib!odd.so", 0xffffffffffffffff);
  EXPECT_EQ(touchStackHash("app!11f3 > lib!odd.so!ffffffffffffffff"), Hash);
  EXPECT_NE(touchStackHash("lib!odd.so!ffffffffffffffff > app!11f3"), Hash);
  for (const char *Bad :
       {"", "app", "app!", "!12", "app!12g", "a.c:12", "app!12 > ",
        "app!12 > a.c:3", "app!10000000000000000"})
    EXPECT_FALSE(touchStackHash(Bad)) << Bad;
}
