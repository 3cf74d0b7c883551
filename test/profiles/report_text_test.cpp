//===- report_text_test.cpp - numbers, names and hashes of a report -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/report/Amounts.h"
#include "cli/report/Sha256.h"
#include "cli/tables/SourceNames.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace evenkeel::cli;

TEST(ReportText, HashesAreThoseOfTheStandard) {
  // FIPS 180-4's examples, in base64.
  EXPECT_EQ(integrityOf(""),
            "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(integrityOf("abc"),
            "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(integrityOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnop"
                        "nopq"),
            "sha256-JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
  // One, and none, bytes before the length begins a block of its own.
  EXPECT_NE(integrityOf(std::string(55, 'x')),
            integrityOf(std::string(56, 'x')));
}

TEST(ReportText, NumbersHaveThreeDigitsAndARealMinus) {
  EXPECT_EQ(threeDigits(0), "0");
  EXPECT_EQ(threeDigits(0.01234), "0.012");
  EXPECT_EQ(threeDigits(0.99951), "1.00");
  EXPECT_EQ(threeDigits(12.34), "12.3");
  EXPECT_EQ(threeDigits(99.96), "100");
  EXPECT_EQ(threeDigits(12345), "12345");
  EXPECT_EQ(signedDigits(1.5), "+1.50");
  EXPECT_EQ(signedDigits(-1.5), "\u22121.50");
  EXPECT_EQ(fixedDigits(-0.001, 1), "0.0"); // no minus zero
  EXPECT_EQ(withUnit(0.0123, timeUnit(0.05)), "12.3\u00a0ms");
  EXPECT_EQ(withUnit(75, timeUnit(75)), "75.0\u00a0s");
  EXPECT_EQ(withUnit(5e-6, timeUnit(1e-3)), "5.00\u00a0\u00b5s");
  EXPECT_EQ(withUnit(3.0 * (1 << 30), sizeUnit(3.0 * (1 << 30))),
            "3.00\u00a0GiB");
}

TEST(ReportText, TextOfTheProgramIsNoMarkup) {
  EXPECT_EQ(escaped("a<b>&\"'\n"), "a&lt;b&gt;&amp;&quot;&#39; ");
  // What XML has no place for.
  EXPECT_EQ(escaped("\u00e9\u20ac\U0001f600"), "\u00e9\u20ac\U0001f600");
  EXPECT_EQ(escaped("a\uffff\ufffe\x01"), "a\ufffd\ufffd ");
  EXPECT_EQ(escaped("\xc3(\xed\xa0\x80\xc0\xaf\xf5"),
            "\ufffd(\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd");
  EXPECT_EQ(plainText(codeText("std::vector<int> &x") + "\u00a0%"),
            "std::vector<int> &x %");
}

TEST(ReportText, TheVariableStandsBeforeTheAllocation) {
  auto At = [](const std::string &Line, const char *Call) {
    return nameInLine(Line, Line.find(Call) + 1);
  };
  EXPECT_EQ(At("  double *value = malloc(n);", "malloc"), "value");
  EXPECT_EQ(At("  m.begin = (double *)malloc(n);", "malloc"), "m.begin");
  EXPECT_EQ(At("  w->rows[i + 1] = need(malloc(n));", "malloc"),
            "w->rows[i + 1]");
  EXPECT_EQ(At("  x = static_cast<double *>(malloc(n));", "malloc"), "x");
  EXPECT_EQ(At("static double grid[1000];", "grid"), "grid");
  // What names nothing, or what another line was when it was analyzed.
  EXPECT_EQ(At("  return malloc(n);", "malloc"), "");
  EXPECT_EQ(At("  if (n == sizes(malloc(n)))", "malloc"), "");
  EXPECT_EQ(At("  use(malloc(n));", "malloc"), "");
  EXPECT_EQ(nameInLine("short", 80), "");
  EXPECT_EQ(nameInLine("", 0), "");
}

TEST(ReportText, SourcesOutsideTheProjectAreNotOpened) {
  const std::string Root = ::testing::TempDir();
  std::ofstream(Root + "names.c") << "int *a = malloc(4);\n";
  EXPECT_EQ(SourceNames(Root).at("names.c:1:10"), "a");
  EXPECT_EQ(SourceNames("").at("names.c:1:10"), "");
  EXPECT_EQ(SourceNames(Root).at(Root + "names.c:1:10"), "");
  EXPECT_EQ(SourceNames(Root + "x").at("../names.c:1:10"), "");
  EXPECT_EQ(SourceNames(Root).at("names.c:2:10"), "");
}
