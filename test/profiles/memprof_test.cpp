//===- memprof_test.cpp - profiles of MemProf -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the text that llvm-profdata shows, sites by function and offset, and
// the profile that is made of them (format/memprof/).
//===----------------------------------------------------------------------===//
#include "format/Identity.h"
#include "format/memprof/FunctionSites.h"
#include "format/memprof/MemProfRun.h"
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::memprof;

namespace {

std::string frame(const std::string &Guid, const std::string &Name,
                  unsigned Line, unsigned Column) {
  return "      -\n        Function: " + Guid +
         "\n        SymbolName: " + Name +
         "\n        LineOffset: " + std::to_string(Line) +
         "\n        Column: " + std::to_string(Column) +
         "\n        Inline: 0\n";
}

std::string site(const std::string &Frames, uint64_t Accesses, uint64_t Size,
                 uint64_t Times = 1, uint64_t Lifetime = 100) {
  return "    -\n      Callstack:\n" + Frames +
         "      MemInfoBlock:\n        AllocCount: " + std::to_string(Times) +
         "\n        TotalAccessCount: " + std::to_string(Accesses) +
         "\n        MinAccessCount: 1\n        TotalSize: " +
         std::to_string(Size * Times) +
         "\n        MaxSize: " + std::to_string(Size) +
         "\n        AllocTimestamp: 100\n        DeallocTimestamp: 1100\n"
         "        TotalLifetime: " +
         std::to_string(Lifetime) + "\n        AccessHistogram: 0\n";
}

std::string record(const std::string &Guid, const std::string &Sites) {
  return "  -\n    FunctionGUID: " + Guid + "\n    AllocSites:\n" + Sites;
}

const std::string Head = "MemprofProfile:\n  Summary:\n    Version: 4\n"
                         "  Segments:\n  -\n    BuildId: 00\n  Records:\n";

std::vector<Blocks> parsed(const std::string &Text) {
  Expected<std::vector<Blocks>> B = parseMemProf(Text, "p");
  EXPECT_TRUE(B) << B.message();
  return B ? *B : std::vector<Blocks>();
}

std::string refused(const std::string &Text) {
  Expected<std::vector<Blocks>> B = parseMemProf(Text, "p");
  return B ? "accepted" : B.message();
}

TEST(MemProf, AStackAppearsOnceThoughItsFunctionsAreInlined) {
  const std::string Stack =
      frame("7", "make", 0, 38) + frame("9", "main", 2, 5);
  const std::string Other = frame("9", "main", 4, 5);
  const auto B =
      parsed(Head + record("7", site(Stack, 30, 800)) +
             record("9", site(Stack, 30, 800) + site(Other, 5, 64, 3, 40)) +
             "    CallSites:\n    -\n" + frame("7", "make", 0, 38));
  ASSERT_EQ(B.size(), 2u);
  EXPECT_EQ(stackText(B[0].Stack), "main+4:5");
  EXPECT_EQ(B[0].Times, 3u);
  EXPECT_EQ(B[0].Bytes, 192u);
  EXPECT_EQ(B[0].LifetimeMs, 40u);
  EXPECT_EQ(stackText(B[1].Stack), "make+0:38 > main+2:5");
  EXPECT_EQ(B[1].Accesses, 30u);
  EXPECT_EQ(B[1].LastMs, 1100u);
}

TEST(MemProf, OtherTextIsRefusedByLine) {
  EXPECT_EQ(refused(""), "'p', line 0: the file ends before the profile does");
  EXPECT_EQ(refused("{}\n"),
            "'p', line 1: no profile of MemProf as llvm-profdata shows it");
  EXPECT_EQ(refused(Head + "  -\n    FunctionGUID: 7\n      MemInfoBlock:\n"),
            "'p', line 10: figures without a call stack");
  EXPECT_EQ(refused(Head + record("7", "    -\n      Callstack:\n" +
                                           frame("7", "f", 0, 1))),
            "'p', line 18: the file ends before the profile does");
  std::string Text = Head + record("7", site(frame("7", "f", 0, 1), 5, 8));
  Text.replace(Text.find("TotalSize: 8"), 12, "TotalSize: x");
  EXPECT_EQ(refused(Text),
            "'p', line 23: TotalSize is no number from 0 to 2^52");
  Text = Head + record("7", site(frame("7", "ma\xfe", 0, 1), 5, 8));
  EXPECT_EQ(refused(Text), "'p', line 15: has bytes that are no text (UTF-8)");
  Text = Head + record("7", site(frame("7", "f", 0, 1), 5, 8));
  Text.replace(Text.find("  Records:"), 0, "    NumMibInfo: 2\n");
  EXPECT_NE(refused(Text).find("before the profile does: it has 1 call stacks "
                               "of 2"),
            std::string::npos);
}

/// A site in line \p Offset of its function.
SiteFact siteAt(const char *Function, const char *At, int Offset,
                unsigned Ordinal = 0) {
  const auto [Path, Line, Column] = coordinateOf(At);
  SiteFact S;
  S.Id = entityId({"site", Path, Function, Offset, unsigned(Column), Ordinal});
  S.Kind = "malloc";
  S.Function = Function;
  S.At = At;
  return S;
}

TEST(MemProf, AFrameIsTheSiteAtItsLineOfTheFunction) {
  Facts F;
  // Lines 12 and 15 of a function that begins in line 10.
  F.Sites = {siteAt("setup", "a.c:12:7", 2), siteAt("setup", "a.c:15:7", 5),
             siteAt("other", "a.c:30:7", 1),
             siteAt("far", "a.c:70000:3", 69000),
             siteAt("above", "a.c:90:3", -1)};
  const FunctionSites Sites(F);
  const char *Why = "";
  const std::vector<std::vector<Frame>> Stacks = {
      {{"setup", 2, 7}},
      {{"xmalloc", 1, 3}, {"setup", 5, 7}},
      {{"other", 1, 7}},
      {{"far", 69000 % 65536, 3}},
      {{"above", 65535, 3}}};
  for (size_t I = 0; I < Stacks.size(); ++I)
    EXPECT_EQ(Sites.find(Stacks[I], Why), &F.Sites[I]) << I;
  // Nothing but the column is the same: a call in line 14, and in line 12 of a
  // function that the analysis does not know.
  for (const Frame &At : {Frame{"setup", 4, 7}, Frame{"unknown", 2, 7}}) {
    EXPECT_FALSE(Sites.find({At}, Why));
    EXPECT_STREQ(Why, "site-without-facts");
  }
}

TEST(MemProf, SitesOfOneLineAreToldApartByColumn) {
  Facts F;
  F.Sites = {siteAt("make", "a.c:4:7", 1), siteAt("make", "a.c:4:25", 1)};
  const FunctionSites Sites(F);
  const char *Why = "";
  EXPECT_EQ(Sites.find({{"make", 1, 7}}, Why), &F.Sites[0]);
  EXPECT_EQ(Sites.find({{"make", 1, 25}}, Why), &F.Sites[1]);
  // Two of one macro have the column of its use.
  F.Sites = {siteAt("make", "a.c:4:7", 1), siteAt("make", "a.c:4:7", 1, 1)};
  EXPECT_FALSE(FunctionSites(F).find({{"make", 1, 7}}, Why));
  EXPECT_STREQ(Why, "several-namesakes");
}

TEST(MemProf, NamesakesAndMangledNames) {
  Facts F;
  F.Sites = {
      siteAt("local", "a.c:6:18", 1),  siteAt("local", "a.c:7:18", 2),
      siteAt("local", "b.c:12:18", 2), siteAt("fill", "c.cc:9:10", 3),
      siteAt("M", "c.cc:20:9", 1),     siteAt("operator()", "c.cc:30:4", 0)};
  const FunctionSites Sites(F);
  const char *Why = "";
  EXPECT_EQ(Sites.find({{"local", 1, 18}}, Why), &F.Sites[0]);
  EXPECT_FALSE(Sites.find({{"local", 2, 18}}, Why)); // of which file?
  EXPECT_STREQ(Why, "several-namesakes");
  const Frame Mangled[] = {{"_Z4fillIiEPT_l", 3, 10}, // int *fill<int>(long)
                           {"_ZN12_GLOBAL__N_11MC2El", 1, 9},
                           {"_ZZ4mainENK3$_0clEl", 0, 4}};
  for (size_t I = 0; I < 3; ++I)
    EXPECT_EQ(Sites.find({Mangled[I]}, Why), &F.Sites[I + 3]) << I;
  EXPECT_FALSE(Sites.find({{"_Z5otherv", 3, 10}}, Why));
}

TEST(MemProf, TheRunIsOneTaskWithCounts) {
  const auto P =
      parsed(Head + record("9", site(frame("9", "main", 1, 5), 600, 800) +
                                    site(frame("9", "main", 2, 5), 300, 4096,
                                         100, 2500)));
  Expected<ecohmem::TracedRun> R = runOfMemProf(P, nullptr, 0);
  ASSERT_TRUE(R) << R.message();
  EXPECT_EQ(R->Record.Mode, "counts");
  EXPECT_EQ(R->Objects, 2u);
  EXPECT_DOUBLE_EQ(R->Seconds, 1);
  ASSERT_EQ(R->Record.Accesses.size(), 2u);
  EXPECT_TRUE(R->Record.Misses.empty());
  uint64_t Bytes = 0, Reads = 0;
  for (size_t I = 0; I < 2; ++I) {
    Bytes += R->Record.Instances[I].bytes;
    Reads += R->Record.Accesses[I].reads;
  }
  // 100 blocks of a page, each for 25 ms of 1000: 2.5 live on average.
  EXPECT_EQ(Bytes, 800u + 10240u);
  EXPECT_EQ(Reads, 900u);
  Facts None;
  Expected<ecohmem::TracedRun> Nothing = runOfMemProf(P, &None, 0);
  EXPECT_EQ(Nothing ? "" : Nothing.message(),
            "no object of the profile can be placed; the first reason is "
            "site-without-facts");
}

} // namespace
