//===- sim_report_test.cpp - simulation results as text -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simulator/SimulationReport.h"
#include "text/Units.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace evenkeel;

static std::vector<PolicyResult> results() {
  PolicyResult A, B;
  A.Name = "slow-only";
  A.MakespanSeconds = 1.5;
  A.Acv = 0.25;
  A.BarrierWaitSeconds = 0.002;
  B.Name = "first-touch";
  B.MakespanSeconds = 0.0123456;
  B.FastAccessShare = 0.125;
  B.PeakFastBytes = 3 << 20;
  B.RefusedBytes = 4096;
  B.UnsettledEvents = 2;
  return {A, B};
}

static Machine machine() {
  Machine M;
  M.Name = "some";
  M.Assumed = {"tiers[1].write_latency_ns: a guess"};
  return M;
}

TEST(SimulationJson, HasTheFieldsOfItsSchema) {
  auto J = nlohmann::json::parse(simulationToJson(machine(), 8192, results()));
  EXPECT_EQ(J["schema"], "evenkeel.simulation/1");
  EXPECT_EQ(J["machine"], "some");
  EXPECT_EQ(J["fast_bytes"], 8192);
  ASSERT_EQ(J["policies"].size(), 2u);
  EXPECT_EQ(J["policies"][0]["name"], "slow-only");
  EXPECT_EQ(J["policies"][0]["makespan_s"], 1.5);
  EXPECT_EQ(J["policies"][0]["acv"], 0.25);
  EXPECT_EQ(J["policies"][0]["barrier_wait_s"], 0.002);
  EXPECT_EQ(J["policies"][1]["fast_access_share"], 0.125);
  EXPECT_EQ(J["policies"][1]["migrated_bytes"], 0);
  EXPECT_EQ(J["assumed"].size(), 1u);
}

TEST(SimulationTable, IsAlignedAndHasUnits) {
  std::string Text = simulationToTable(machine(), 3 << 20, results());
  std::istringstream In(Text);
  std::string First, Header, Slow, Touch;
  std::getline(In, First);
  std::getline(In, Header);
  std::getline(In, Slow);
  std::getline(In, Touch);
  EXPECT_EQ(First, "machine some, fast memory 3.00 MiB");
  EXPECT_EQ(Header.size(), Slow.size());
  EXPECT_EQ(Header.size(), Touch.size());
  EXPECT_NE(Slow.find("1.50 s     25.0 %"), std::string::npos) << Slow;
  EXPECT_NE(Touch.find("12.3 ms"), std::string::npos);
  EXPECT_NE(Touch.find("12.5 %"), std::string::npos);
  EXPECT_NE(Touch.find("4.00 KiB"), std::string::npos);
  EXPECT_NE(Text.find("note: first-touch: in 2 intervals"), std::string::npos);
  EXPECT_NE(Text.find("assumed: tiers[1].write_latency_ns: a guess\n"),
            std::string::npos);
}

TEST(Units, KeepThreeDigits) {
  EXPECT_EQ(secondsToText(0), "0 s");
  EXPECT_EQ(secondsToText(123.4), "123 s");
  EXPECT_EQ(secondsToText(0.9996), "1.00 s");
  EXPECT_EQ(secondsToText(3.21e-3), "3.21 ms");
  EXPECT_EQ(secondsToText(45.67e-6), "45.7 us");
  EXPECT_EQ(secondsToText(5e-9), "5.00 ns");
  EXPECT_EQ(bytesToText(0), "0 B");
  EXPECT_EQ(bytesToText(1023), "1023 B");
  EXPECT_EQ(bytesToText(1024), "1.00 KiB");
  EXPECT_EQ(bytesToText(uint64_t(1536) << 20), "1.50 GiB");
  EXPECT_EQ(secondsToText(-0.0123), "-12.3 ms");
  EXPECT_EQ(countToText(0), "0");
  EXPECT_EQ(countToText(999), "999");
  EXPECT_EQ(countToText(3.5), "3.50");
  EXPECT_EQ(countToText(999.7), "1.00 k");
  EXPECT_EQ(countToText(-45678), "-45.7 k");
  EXPECT_EQ(countToText(1.5e13), "15.0 T");
}
