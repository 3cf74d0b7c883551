//===- machine_test.cpp - machine files and amounts of memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the shipped files, where files are found, and malformed ones.
//===----------------------------------------------------------------------===//
#include "Schema.h"
#include "TempDir.h"
#include "format/Machine.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace evenkeel;
using nlohmann::json;

namespace {

std::string shipped(const std::string &Name) {
  return std::string(EK_SOURCE_DIR) + "/profiles/machines/" + Name + ".json";
}

class MachineFiles : public ::testing::Test {
protected:
  void SetUp() override { ::unsetenv("EVENKEEL_MACHINES"); }
  void TearDown() override { ::unsetenv("EVENKEEL_MACHINES"); }
};

TEST_F(MachineFiles, ShippedOnesAreFoundByNameAndValid) {
  json S = json::parse(TempDir::read(std::string(EK_SOURCE_DIR) +
                                     "/profiles/schemas/machine.schema.json"));
  auto List = listMachines();
  ASSERT_GE(List.size(), 9u);
  for (const auto &[Name, Title] : List) {
    Expected<Machine> M = readMachine(Name);
    ASSERT_TRUE(static_cast<bool>(M)) << M.message();
    EXPECT_EQ(M->Name, Name);
    EXPECT_EQ(M->Title, Title);
    EXPECT_FALSE(Title.empty());
    EXPECT_GE(M->Tiers.size(), 2u);
    EXPECT_EQ(SchemaChecker(S).check(json::parse(*machineText(Name))), "");
  }
}

TEST_F(MachineFiles, Optane) {
  Expected<Machine> M = readMachine("optane-6252n");
  ASSERT_TRUE(static_cast<bool>(M)) << M.message();
  EXPECT_EQ(M->Cores, 24u);
  EXPECT_EQ(M->RobInstructions, 224u);
  EXPECT_EQ(M->Tiers[1].ReadLatencyNs, 305);
  EXPECT_EQ(M->Tiers[1].ReadBandwidthGBps, 39.4);
  EXPECT_EQ(M->Tiers[1].WriteBandwidthGBps, 13.9);
  EXPECT_EQ(M->Tiers[1].CapacityBytes, 8 * M->Tiers[0].CapacityBytes);
  EXPECT_EQ(M->llcSharePerCore(), 37486592u / 24);
  bool Marked = false;
  for (const std::string &A : M->Assumed)
    Marked |= A.rfind("tiers[0].read_bandwidth_gbps: ", 0) == 0;
  EXPECT_TRUE(Marked) << "an assumed figure is listed";
}

TEST_F(MachineFiles, FiguresOfTheirSources) {
  auto Tier = [](const char *Name, unsigned K) {
    Expected<Machine> M = readMachine(Name);
    EXPECT_TRUE(static_cast<bool>(M)) << M.message();
    return std::make_pair(M->Tiers.at(K).ReadLatencyNs,
                          M->Tiers.at(K).ReadBandwidthGBps);
  };
  using Row = std::pair<double, double>;
  EXPECT_EQ(Tier("xeon-5318y", 0), Row(72.2, 81.2));
  EXPECT_EQ(Tier("xeon-5318y", 1), Row(131.6, 53.9));
  EXPECT_EQ(Tier("xeon-5318y", 2), Row(183.2, 26.6));
  EXPECT_EQ(Tier("xeon-5318y", 3), Row(183.2, 2.65));
  EXPECT_EQ(Tier("ddr5-cxl", 0), Row(114, 218));
  EXPECT_EQ(Tier("ddr5-cxl", 1), Row(271, 26));
  EXPECT_EQ(readMachine("three-tier")->Tiers.size(), 3u);
  EXPECT_EQ(readMachine("grace-hopper")->Tiers[0].ReadBandwidthGBps, 3400);
}

TEST_F(MachineFiles, TahoesHaveDramsLatencyAndAPartOfItsBandwidth) {
  for (auto [Name, Part] :
       {std::pair("tahoe-quarter", 4), std::pair("tahoe-eighth", 8),
        std::pair("tahoe-sixteenth", 16)}) {
    Expected<Machine> M = readMachine(Name);
    ASSERT_TRUE(static_cast<bool>(M)) << M.message();
    const Tier &D = M->Tiers[0], &N = M->Tiers[1];
    EXPECT_EQ(N.ReadLatencyNs, D.ReadLatencyNs);
    EXPECT_EQ(N.WriteLatencyNs, D.WriteLatencyNs);
    EXPECT_EQ(N.ReadBandwidthGBps * Part, D.ReadBandwidthGBps);
    EXPECT_EQ(N.WriteBandwidthGBps * Part, D.WriteBandwidthGBps);
  }
}

TEST_F(MachineFiles, ARequiredTierIsTheFirstAndHasCopies) {
  TempDir D;
  json S = json::parse(TempDir::read(std::string(EK_SOURCE_DIR) +
                                     "/profiles/schemas/machine.schema.json"));
  Expected<Machine> M = readMachine("hopper-hbm");
  ASSERT_TRUE(static_cast<bool>(M)) << M.message();
  EXPECT_TRUE(M->hasRequiredTier());
  EXPECT_EQ(M->Copies.InGBps, 375);
  EXPECT_EQ(M->Copies.OutGBps, 297);
  EXPECT_FALSE(readMachine("grace-hopper")->hasRequiredTier());
  EXPECT_ERROR(readMachineToPlan("hopper-hbm"), "has a required tier (hbm3)");
  EXPECT_TRUE(static_cast<bool>(readMachineToPlan("grace-hopper")));
  const std::vector<std::string> ToPlan = machinesToPlan();
  EXPECT_EQ(ToPlan.size() + 1, listMachines().size());
  EXPECT_EQ(std::count(ToPlan.begin(), ToPlan.end(), "hopper-hbm"), 0);
  Expected<Machine> Again =
      machineFromJson(machineToJson(*M, "measured"), "again.json");
  ASSERT_TRUE(static_cast<bool>(Again)) << Again.message();
  EXPECT_TRUE(Again->hasRequiredTier());
  EXPECT_EQ(Again->Copies.StartUs, M->Copies.StartUs);

  const json Good = json::parse(TempDir::read(shipped("hopper-hbm")));
  struct {
    const char *Pointer, *Value, *Says;
    bool SchemaToo;
  } Cases[] = {
      {"/tiers/0/required", "\"yes\"", "tiers[0].required: must be true", true},
      {"/tiers/1/required", "true", "tiers[1].required: only tiers[0]", false},
      {"/copies", "null", "copies", true},
      {"/copies/in_gbps/value", "0", "copies.in_gbps", false},
      {"/copies/out_gbps", "{\"value\":4}", "neither 'source' nor 'assumed'",
       true},
      {"/copies/start_us/value", "-1", "copies.start_us", true},
  };
  for (const auto &C : Cases) {
    json J = Good;
    J[json::json_pointer(C.Pointer)] = json::parse(C.Value);
    EXPECT_ERROR(readMachine(D.write("a.json", J.dump())), C.Says);
    if (C.SchemaToo)
      EXPECT_NE(SchemaChecker(S).check(J), "") << C.Pointer;
  }
  json J = Good;
  J.erase("copies");
  EXPECT_ERROR(readMachine(D.write("a.json", J.dump())), "copies: missing");
  J["tiers"][0].erase("required");
  EXPECT_TRUE(static_cast<bool>(readMachine(D.write("a.json", J.dump()))))
      << "a merely faster tier needs no copies";
}

TEST_F(MachineFiles, EnvironmentComesFirst) {
  TempDir D;
  json J = json::parse(TempDir::read(shipped("ddr5-cxl")));
  J["title"] = "mine";
  D.write("ddr5-cxl.json", J.dump());
  D.write("other.json", J.dump());
  ::setenv("EVENKEEL_MACHINES", ("/nonexistent:" + D.path("")).c_str(), 1);
  EXPECT_EQ(readMachine("ddr5-cxl")->Title, "mine");
  EXPECT_EQ(readMachine("other")->Title, "mine");
  EXPECT_EQ(readMachine(D.path("other.json"))->Title, "mine");
  EXPECT_TRUE(static_cast<bool>(readMachine("hbm-ddr5"))) << "still shipped";
}

TEST_F(MachineFiles, Malformed) {
  TempDir D;
  EXPECT_ERROR(readMachine("no-such"), "optane-6252n");
  EXPECT_ERROR(readMachine(D.path("absent.json")), "cannot read");
  EXPECT_ERROR(readMachine(D.write("a.json", "{")), "not JSON");
  EXPECT_ERROR(
      readMachine(D.write("a.json", R"({"schema":"evenkeel.machine/2"})")),
      "unknown");
  struct {
    const char *Pointer, *Value, *Says;
    bool SchemaToo;
  } Cases[] = {
      {"/cores", "null", "cores", true},
      {"/cores/value", "0", "cores", false},
      {"/cores/value", "1.5", "whole", false},
      {"/cores", "{\"value\":4}", "neither 'source' nor 'assumed'", true},
      {"/ghz/value", "\"2\"", "ghz.value", true},
      {"/tiers", "[]", "at least 2", true},
      {"/tiers/1/read_latency_ns/value", "-3", "tiers[1].read_latency_ns",
       true},
      {"/tiers/1/read_latency_ns/value", "1e15", "from 0.1 to 1e+06", false},
      {"/tiers/0/write_latency_ns/value", "1e300", "from 0.1 to 1e+06", false},
      {"/tiers/1/read_bandwidth_gbps/value", "1e15", "from 0.001 to 1e+06",
       false},
      {"/tiers/1/write_bandwidth_gbps/value", "1e-9", "from 0.001", false},
      {"/tiers/0/capacity_bytes/value", "1e30", "capacity_bytes", false},
      {"/caches/llc_bytes/value", "1e15", "llc_bytes", false},
      {"/ghz/value", "1e15", "ghz", false},
      {"/migration/page_us/value", "1e15", "page_us", false},
      {"/loaded_latency/points", "[[0,1],[0.5,1e15]]", "factors", false},
      {"/loaded_latency/points", "[[0,1],[1e15,2]]", "factors", false},
      {"/tiers/1/name", "null", "tiers[1].name", true},
      {"/caches", "3", "caches", true},
      {"/loaded_latency/points", "[[0,1],[0,2]]", "rising", false},
      {"/loaded_latency/points", "[[0,0.5]]", "rising", false},
      {"/loaded_latency/points", "[]", "empty", true},
      {"/migration/page_us", "{}", "migration.page_us", true},
  };
  json S = json::parse(TempDir::read(std::string(EK_SOURCE_DIR) +
                                     "/profiles/schemas/machine.schema.json"));
  for (const auto &C : Cases) {
    json J = json::parse(TempDir::read(shipped("optane-6252n")));
    J[json::json_pointer(C.Pointer)] = json::parse(C.Value);
    EXPECT_ERROR(readMachine(D.write("a.json", J.dump())), C.Says);
    if (C.SchemaToo)
      EXPECT_NE(SchemaChecker(S).check(J), "") << C.Pointer;
  }
  // Texts that people write for unknown numbers are not JSON.
  for (const char *Number : {"NaN", "nan", "Infinity", "1e999"}) {
    std::string Text = TempDir::read(shipped("optane-6252n"));
    const std::string Field = "\"read_latency_ns\"";
    size_t At = Text.find("\"value\":", Text.find(Field)) + 8;
    Text.replace(At, Text.find_first_of(",}", At) - At, Number);
    EXPECT_ERROR(readMachine(D.write("a.json", Text)), "not JSON");
  }
  json J = json::parse(TempDir::read(shipped("optane-6252n")));
  J["tiers"].erase(1);
  EXPECT_ERROR(readMachine(D.write("a.json", J.dump())), "1 tier");
  J = json::parse(TempDir::read(shipped("optane-6252n")));
  J["tiers"][0].erase("capacity_bytes");
  EXPECT_ERROR(readMachine(D.write("a.json", J.dump())),
               "tiers[0].capacity_bytes: missing");
}

TEST(FastSize, NotMoreThanThereIs) {
  for (const char *Text : {"100%", "0%", "300GiB", "0", "99.9%"})
    EXPECT_FALSE(checkFastSize(Text)) << Text;
  for (const char *Text : {"500%", "100.1%", "1000000%"}) {
    MaybeError E = checkFastSize(Text);
    ASSERT_TRUE(E) << Text;
    EXPECT_NE(E->Message.find("more than 100 %"), std::string::npos);
  }
  Machine M;
  M.Name = "small";
  M.Tiers = {{"fast", 1000, 1, 1, 1, 1}, {"slow", 9000, 1, 1, 1, 1}};
  EXPECT_FALSE(checkFastOn(M, 1000));
  MaybeError E = checkFastOn(M, 1001);
  ASSERT_TRUE(E);
  EXPECT_EQ(E->Message, "1001B of fast memory is more than machine small "
                        "has; use 1000B or less");
}

TEST(FastSize, SharesAndSizes) {
  EXPECT_EQ(*parseFastSize("12.5%", 1000), 125u);
  EXPECT_EQ(*parseFastSize("0%", 1000), 0u);
  EXPECT_EQ(*parseFastSize("100%", 1000), 1000u);
  EXPECT_EQ(*parseFastSize("4096", 1), 4096u);
  EXPECT_EQ(*parseFastSize("512MiB", 1), 512u << 20);
  EXPECT_EQ(*parseFastSize("1.5GB", 1), 1500000000u);
  EXPECT_EQ(*parseFastSize("2K", 1), 2048u);
  for (const char *Bad : {"", "%", "x", "-1", "1 GB", "1e3", "nan", "inf",
                          "0x10", "1..2", ".", "10%%", "99999999999999999999T"})
    EXPECT_ERROR(parseFastSize(Bad, 1000), std::string(Bad));
}

TEST(FastSize, PeopleWriteAUnit) {
  for (const char *Good : {"25%", "0%", "0", "25B", "25GiB", "1.5GB", "2K"})
    EXPECT_FALSE(checkFastSize(Good)) << Good;
  for (const char *Bare : {"25", "0.25", "1073741824"}) {
    MaybeError E = checkFastSize(Bare);
    ASSERT_TRUE(E) << Bare;
    EXPECT_NE(E->Message.find("'" + std::string(Bare) + "'"),
              std::string::npos);
    EXPECT_NE(E->Message.find("without a unit"), std::string::npos);
    EXPECT_NE(E->Message.find("write " + std::string(Bare) + "%"),
              std::string::npos);
  }
  MaybeError E = checkFastSize("much");
  ASSERT_TRUE(E);
  EXPECT_NE(E->Message.find("12.5%"), std::string::npos);
}

} // namespace
