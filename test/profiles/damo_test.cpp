//===- damo_test.cpp - records of damo ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: zlib streams of each kind of block, cut and changed at every byte;
// records by hand; what becomes of them as touched pages.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/File.h"
#include "format/damo/DamoRecord.h"
#include "format/damo/FromDamo.h"
#include "format/damo/ZlibStream.h"
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::damo;

namespace {

constexpr size_t Most = 1 << 20;

std::string bytes(const std::string &Hex) {
  std::string Out;
  for (size_t I = 0; I + 1 < Hex.size(); I += 2)
    Out += char(std::stoi(Hex.substr(I, 2), nullptr, 16));
  return Out;
}

// zlib.compress(b"abc" * 80, 9) and zlib.compress(b"abc", 0) of Python.
const char *const Fixed = "78da4b4c4a4e1c49080041c55be1";
const char *const Stored = "7801010300fcff616263024d0127";

std::string inflatedText(const std::string &Hex) {
  Expected<std::string> T = inflated(bytes(Hex), Most);
  return T ? *T : "error: " + T.message();
}

TEST(ZlibStream, StoredAndFixedBlocks) {
  EXPECT_EQ(inflatedText(Stored), "abc");
  std::string Repeated;
  for (int I = 0; I < 80; ++I)
    Repeated += "abc";
  EXPECT_EQ(inflatedText(Fixed), Repeated);
}

TEST(ZlibStream, DynamicBlocksOfARecord) {
  Expected<std::string> File = readWholeFile(
      std::string(EK_SOURCE_DIR) + "/test/e2e/Inputs/damo/json_compressed");
  Expected<std::string> Plain =
      readWholeFile(std::string(EK_SOURCE_DIR) + "/test/e2e/Inputs/damo/json");
  ASSERT_TRUE(File && Plain);
  Expected<std::string> Text = inflated(*File, Most);
  ASSERT_TRUE(Text) << Text.message();
  EXPECT_EQ(*Text, *Plain);
  EXPECT_FALSE(inflated(*File, Plain->size() - 1));
  EXPECT_TRUE(inflated(*File, Plain->size()));
  for (size_t I = 0; I < File->size(); ++I) {
    EXPECT_FALSE(inflated(File->substr(0, I), Most)) << I;
    std::string Changed = *File;
    Changed[I] = char(Changed[I] ^ 0x10);
    // Bits behind the last code stand for nothing.
    Text = inflated(Changed, Most);
    EXPECT_TRUE(!Text || *Text == *Plain) << I;
  }
}

std::string record(const std::string &Regions,
                   const std::string &Intervals =
                       R"({"sample_us":"5,000","aggr_us":100000})") {
  return R"([{"intervals":)" + Intervals +
         R"(,"target_id":3,"snapshots":[{"start_time":"1,000","end_time":2000.0,)"
         R"("regions":[)" +
         Regions + "]}]}]";
}

std::string region(const char *Start, const char *End, const char *Accesses) {
  return std::string(R"({"start":)") + Start + R"(,"end":)" + End +
         R"(,"nr_accesses":)" + Accesses + "}";
}

std::string said(const std::string &Text) {
  Expected<std::vector<Target>> T = parseRecord(Text, "in");
  return T ? "accepted" : T.message();
}

TEST(DamoRecord, NumbersOfJsonAndForPeople) {
  Expected<std::vector<Target>> T = parseRecord(
      record(region("\"18,446,744,073,709,547,520\"",
                    "\"18,446,744,073,709,551,615\"", R"({"samples":5})") +
             "," + region("4096", "8192", R"({"samples":null,"percent":50})")),
      "in");
  ASSERT_TRUE(T) << T.message();
  ASSERT_EQ(T->size(), 1u);
  EXPECT_EQ((*T)[0].Id, "3");
  EXPECT_EQ((*T)[0].SampleNs, 5e6);
  const Snapshot &S = (*T)[0].Snapshots.at(0);
  EXPECT_EQ(S.StartNs, 1000);
  ASSERT_EQ(S.Regions.size(), 2u); // in the order of addresses
  EXPECT_EQ(S.Regions[0].Share, 0.5);
  EXPECT_EQ(S.Regions[1].Start, 18446744073709547520u);
  EXPECT_EQ(S.Regions[1].Share, 0.25); // 5 of 20 samples
}

TEST(DamoRecord, OneLineForEachKindOfDamage) {
  const std::string Good = region("4096", "8192", R"({"samples":5})");
  EXPECT_EQ(said(record(Good)), "accepted");
  EXPECT_EQ(
      said(record(Good + "," + region("8191", "9000", R"({"samples":5})"))),
      "in: has regions that overlap");
  EXPECT_EQ(said(record("")), "in: has no snapshot with regions");
  EXPECT_EQ(said("[]"), "in: has no snapshot with regions");
  EXPECT_EQ(said(record(Good, R"({"sample_us":0,"aggr_us":9})")),
            "in: [0].intervals has no sample_us and aggr_us");
  for (const char *Bad : {R"({})", R"({"samples":-1})", R"({"samples":"x"})"})
    EXPECT_EQ(said(record(region("4096", "8192", Bad))),
              "in: [0].snapshots[0].regions[0] is no address range with a "
              "number of accesses");
  EXPECT_EQ(said(record(region("8192", "4096", R"({"samples":5})"))),
            "in: [0].snapshots[0].regions[0] is no address range with a number "
            "of accesses");
  EXPECT_EQ(said("[{\"snapshots\":[{\"regions\":[]}]}]"),
            "in: [0].snapshots[0] has no times or no regions");
  EXPECT_EQ(said("{\"damo_reocrd_ver\":1}"),
            "in: is no list of records as damo 2 and 3 write them");
}

TEST(PerfScript, SnapshotsByTargetAndTheirBegins) {
  auto Event = [](const char *Time, const char *Target, const char *Rest) {
    return std::string("kdamond.0 4 [000] ") + Time +
           ": damon:damon_aggregated: target_id=" + Target + " " + Rest + "\n";
  };
  const std::string Text = "# a comment\n" +
                           Event("2.5", "7", "nr_regions=2 4096-8192: 20 1") +
                           Event("2.5", "8", "nr_regions=1 0-4096: 3") +
                           Event("2.5", "7", "nr_regions=2 8192-12288: 0 1") +
                           Event("2.75", "7", "nr_regions=1 4096-12288: 5 1") +
                           Event("2.6", "8", "nr_regions=1 0-0: -1 -1");
  Expected<std::vector<Target>> T = parseRecord(Text, "in");
  ASSERT_TRUE(T) << T.message();
  ASSERT_EQ(T->size(), 2u);
  EXPECT_TRUE((*T)[0].Assumed);
  ASSERT_EQ((*T)[0].Snapshots.size(), 2u);
  EXPECT_EQ((*T)[0].Snapshots[0].StartNs, 2.25e9);
  EXPECT_EQ((*T)[0].Snapshots[1].StartNs, 2.5e9);
  EXPECT_EQ((*T)[0].Snapshots[1].Regions[0].Share, 0.25);
  ASSERT_EQ((*T)[1].Snapshots.size(), 1u); // the last line is damo's end mark
  EXPECT_NEAR((*T)[1].Snapshots[0].StartNs, 2.4e9, 1);
  EXPECT_EQ(said(Event("x", "7", "nr_regions=1 0-4096: 3")),
            "in: line 1 is no event of damon_aggregated with a time, a target "
            "and an address range");
  EXPECT_EQ(said(Event("3", "7", "nr_regions=1 0-4096: 3") +
                 Event("2", "7", "nr_regions=1 0-4096: 3")),
            "in: line 2 is earlier than the one before it");
}

TEST(Mappings, NeighboursOfOneNameAreOneRange) {
  Expected<std::vector<Mapping>> M =
      parseMappings("1000-2000 r--p 00000000 fd:00 12   /lib/a b.so\n"
                    "2000-3000 r-xp 00001000 fd:00 12   /lib/a b.so\n"
                    "5000-6000 rw-p 00000000 00:00 0 \n"
                    "6000-7000 rw-p 00000000 00:00 0    [stack]\n",
                    "maps");
  ASSERT_TRUE(M) << M.message();
  ASSERT_EQ(M->size(), 3u);
  EXPECT_EQ((*M)[0].Name, "a b.so");
  EXPECT_EQ((*M)[0].End, 0x3000u);
  EXPECT_EQ((*M)[1].Kind, "unnamed");
  EXPECT_EQ((*M)[2].Kind, "stack");
  for (const char *Bad : {"", "1000 r--p 0 0 0\n", "2000-1000 r--p 0 0:0 0\n",
                          "1000-2000 r--p\n", "x-y r--p 0 0:0 0\n"})
    EXPECT_FALSE(parseMappings(Bad, "maps")) << Bad;
}

TEST(FromDamo, RowsAreCutByNames) {
  Target T;
  T.SampleNs = 5e6;
  T.Snapshots = {{1e9, 1.1e9, {{0x1000, 0x5000, 0.5}, {0x8000, 0x9000, 0}}},
                 {1.1e9, 1.2e9, {{0x1000, 0x9000, 0.001}}}};
  Expected<TouchRecord> R = touchesOf(
      {T}, {{0x2000, 0x3000, "heap", "h"}, {0x4000, 0xf000, "file", "f"}});
  ASSERT_TRUE(R) << R.message();
  ASSERT_EQ(R->Objects.size(), 4u); // before h, h, between, f
  EXPECT_EQ(R->Objects[1].Name, "h");
  EXPECT_EQ(R->Objects[2].Address, 0x3000u);
  EXPECT_EQ(R->Objects[3].Bytes, 0x5000u);
  EXPECT_EQ(R->Passes[1].TimeNs, 100000000u);
  EXPECT_EQ(R->Passes[0].WindowNs, 5000000u);
  ASSERT_EQ(R->Rows.size(), 9u);
  EXPECT_EQ(R->Rows[4].Object, 3u);
  EXPECT_EQ(R->Rows[4].First, 4u);
  EXPECT_EQ(R->Rows[4].Touched, 0u);
  EXPECT_EQ(R->Rows[5].Touched, 1u); // seldom, but not never
  EXPECT_EQ(R->programNs(), 200000000u);
  TempDir Dir;
  EXPECT_TRUE(readTouches(Dir.write("t.json", touchesToJson(*R))));
  EXPECT_FALSE(touchesOf({T, T}, {{0x2000, 0x3000, "heap", "h"}}));
  T.Snapshots[0].Regions = {{0, uint64_t(1) << 50, 1}};
  EXPECT_FALSE(touchesOf({T}, {}));
}

} // namespace
