//===- touch_names_test.cpp - static storage shared out among symbols -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a chunk may end with a page that two symbols share; then it is the
// first one's.
//===----------------------------------------------------------------------===//
#include "cli/touches/NameTouches.h"
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::cli;

TEST(TouchNames, AChunkMayEndWithAPageThatSymbolsShare) {
  constexpr uint64_t Page = 4096;
  RawTouches P;
  P.Header.page_bytes = Page;
  P.Header.mechanism = EK_TOUCH_BY_ACCESSED;
  P.Modules[0].Path = "app";
  ek_touch_object O{};
  O.id = 1;
  O.kind = EK_TOUCH_DATA;
  O.base = 0;
  O.bytes = 20 * Page;
  P.Objects[1] = O;
  RawTouchPass Pass{};
  ek_touch_row Row{};
  Row.object = 1;
  Row.pages = 10;
  Row.resident = 10;
  Row.touched = 5;
  Pass.Rows.push_back(Row);
  P.Passes.push_back(Pass);
  std::map<std::string, ModuleNames> Names;
  // The first ends within page 9, where the second begins.
  Names["app"].Objects = {{"first", "a.c", 0, 9 * Page + 100, 1},
                          {"second", "a.c", 9 * Page + 100, 5 * Page, 2}};
  const TouchRecord R = namedRecord({P}, Names);
  ASSERT_EQ(R.Rows.size(), 1u);
  EXPECT_EQ(R.Objects[R.Rows[0].Object].Name, "first (a.c:1)");
  EXPECT_EQ(R.Rows[0].Pages, 10u);
  EXPECT_EQ(R.Rows[0].Touched, 5u);
}
