//===- tuning_test.cpp - the runtime's table of figures -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rows of runtime/core/tuning.def, and which sources of the runtime
// (EK_RUNTIME_SOURCES) use them.
//===----------------------------------------------------------------------===//
#include "core/tuning.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

struct Row {
  std::string Name;
  bool IsWhole;
  double Value;
  std::string Unit;
  double Least, Most;
  std::string What, Source;
};

const std::vector<Row> Rows = {
#define EK_FIGURE(name, value, unit, least, most, what, source)                \
  {#name,         false,        double(value), unit,                           \
   double(least), double(most), what,          source},
#define EK_WHOLE(name, value, unit, least, most, what, source)                 \
  {#name, true, double(value), unit, double(least), double(most), what, source},
#include "core/tuning.def"
#undef EK_FIGURE
#undef EK_WHOLE
};

namespace planner {
#define EK_FIGURE(Name, Value, ...)                                            \
  [[maybe_unused]] constexpr double Name = Value;
#define EK_RULE(...)
#include "tuning.def"
#undef EK_FIGURE
#undef EK_RULE
} // namespace planner

TEST(RuntimeTuning, everyRowSaysWhatItIs) {
  EXPECT_GT(Rows.size(), 50u);
  std::set<std::string> Names;
  for (const Row &R : Rows) {
    EXPECT_TRUE(Names.insert(R.Name).second) << R.Name << " stands twice";
    EXPECT_TRUE(std::regex_match(R.Name, std::regex("EK_[A-Z0-9_]+")))
        << R.Name;
    EXPECT_FALSE(R.Unit.empty()) << R.Name;
    EXPECT_FALSE(R.What.empty()) << R.Name;
    EXPECT_FALSE(R.Source.empty()) << R.Name;
    EXPECT_LT(R.Least, R.Most) << R.Name;
    EXPECT_GE(R.Value, R.Least) << R.Name;
    EXPECT_LE(R.Value, R.Most) << R.Name;
  }
}

TEST(RuntimeTuning, everyRowIsUsed) {
  std::set<std::string> Used;
  const std::regex Word("\\bEK_[A-Z0-9_]+\\b");
  for (const auto &Entry :
       std::filesystem::recursive_directory_iterator(EK_RUNTIME_SOURCES)) {
    if (!Entry.is_regular_file() || Entry.path().filename() == "tuning.def")
      continue;
    std::ifstream In(Entry.path());
    const std::string Text((std::istreambuf_iterator<char>(In)), {});
    for (std::sregex_iterator I(Text.begin(), Text.end(), Word), End; I != End;
         ++I)
      Used.insert(I->str());
  }
  for (const Row &R : Rows)
    EXPECT_TRUE(Used.count(R.Name)) << R.Name << " is used nowhere";
}

// The runtime cannot read the planner's table before it has a plan.
TEST(RuntimeTuning, agreesWithThePlanner) {
  EXPECT_EQ(EK_SIZE_TOLERANCE, planner::SizeTolerance);
}

} // namespace
