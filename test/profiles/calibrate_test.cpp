//===- calibrate_test.cpp - measurements, their self-test, the file -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TempDir.h"
#include "cli/machines/Calibrate.h"
#include "format/Machine.h"
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {
const char *const Good = "cpus 4\n"
                         "cached 0 1.5\nlatency 0 80 82\n"
                         "loaded 0 2 82\nloaded 0 20 100\nloaded 0 38 190\n"
                         "bandwidth 0 1 12 8 10\nbandwidth 0 4 40 20 30\n"
                         "cached 1 1.5\nlatency 1 200 205\n"
                         "loaded 1 9 400\nbandwidth 1 1 5 4 4.5\n"
                         "bandwidth 1 4 10 6 8\n"
                         "move 0 1 2.5\nmove 1 0 3.25\n";

Measurements parsed(std::string Text) {
  auto M = parseMeasurements(Text);
  EXPECT_TRUE(bool(M)) << M.message();
  return M ? *M : Measurements();
}
std::string changed(const std::string &From, const std::string &To) {
  std::string Text = Good;
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos);
  return Text.replace(At, From.size(), To);
}
Detected nodes(unsigned N) {
  Detected D;
  for (unsigned I = 0; I < N; ++I) {
    D.Nodes.emplace_back();
    D.Nodes.back().Number = I;
    D.Nodes.back().Bytes = 1ul << 34;
  }
  return D;
}
} // namespace

TEST(Calibrate, GoodMeasurementsPass) {
  EXPECT_TRUE(implausible(parsed(Good)).empty());
}

TEST(Calibrate, TheSelfTestSeesWhatCannotBe) {
  auto Complaint = [&](const char *From, const char *To) {
    std::vector<std::string> All = implausible(parsed(changed(From, To)));
    return All.empty() ? std::string() : All[0];
  };
  EXPECT_NE(Complaint("latency 0 80 82", "latency 0 80 120").find("busy"),
            std::string::npos);
  EXPECT_NE(Complaint("latency 0 80 82", "latency 0 5 5").find("50 to 500"),
            std::string::npos);
  EXPECT_NE(Complaint("cached 0 1.5", "cached 0 16").find("first-level"),
            std::string::npos);
  EXPECT_NE(Complaint("cached 0 1.5\nlatency 0 80 82",
                      "cached 0 9.9\nlatency 0 40 40")
                .find("fits a cache"),
            std::string::npos);
  EXPECT_NE(Complaint("loaded 0 38 190", "loaded 0 38 40").find("below idle"),
            std::string::npos);
  EXPECT_NE(Complaint("bandwidth 0 4 40", "bandwidth 0 4 3").find("busy"),
            std::string::npos);
  EXPECT_NE(Complaint("bandwidth 0 4 40 20", "bandwidth 0 4 40 90")
                .find("faster than reads"),
            std::string::npos);
  EXPECT_NE(Complaint("move 0 1 2.5", "move 0 1 0").find("moving a page"),
            std::string::npos);
  EXPECT_EQ(implausible(parsed("cpus 2\nunmeasured 0\n")),
            std::vector<std::string>{"no node could be measured"});
  EXPECT_FALSE(bool(parseMeasurements("bandwith 0 1 2 3 4\n")));
  EXPECT_FALSE(bool(parseMeasurements("latency 0 fast\n")));
}

TEST(Calibrate, TheFileIsAMachineFile) {
  Processor P;
  P.Model = "Some CPU";
  P.Cores = 4;
  P.GHz = 2.5;
  P.L1 = 32768;
  P.L1Ways = 8;
  Tier Second{"cxl", 1ul << 39, 271, 271, 26, 24};
  TempDir D;
  D.write("two.json", machineOf("two", P, parsed(Good), nodes(2), Second));
  auto M = readMachine(D.path("two.json"));
  ASSERT_TRUE(bool(M)) << M.message();
  EXPECT_EQ(M->Title, "Some CPU, measured");
  ASSERT_EQ(M->Tiers.size(), 2u);
  EXPECT_EQ(M->Tiers[0].ReadLatencyNs, 80);
  EXPECT_EQ(M->Tiers[0].ReadBandwidthGBps, 40);
  EXPECT_EQ(M->Tiers[1].ReadLatencyNs, 200);
  EXPECT_EQ(M->Tiers[1].WriteBandwidthGBps, 6);
  EXPECT_EQ(M->MigrationPageUs, 3.25);
  using Point = std::pair<double, double>;
  ASSERT_EQ(M->LoadedLatency.size(), 4u);
  EXPECT_EQ(M->LoadedLatency[0], Point(0, 1));
  EXPECT_EQ(M->LoadedLatency[2], Point(0.5, 1.25));
  for (const std::string &A : M->Assumed)
    EXPECT_EQ(A.find("tiers[0].read"), std::string::npos) << A;

  // With one node, the second tier comes from elsewhere, and the file says so.
  std::string Text = Good;
  Text = Text.substr(0, Text.find("cached 1"));
  D.write("one.json", machineOf("one", P, parsed(Text), nodes(1), Second));
  auto One = readMachine(D.path("one.json"));
  ASSERT_TRUE(bool(One)) << One.message();
  EXPECT_EQ(One->Tiers[1].ReadLatencyNs, 271);
  bool Said = false;
  for (const std::string &A : One->Assumed)
    Said |= A.rfind("tiers[1].read_latency_ns: this computer has one", 0) == 0;
  EXPECT_TRUE(Said);
}
