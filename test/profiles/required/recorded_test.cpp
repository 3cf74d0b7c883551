//===- recorded_test.cpp - task graphs of records -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: records in memory, and the steps, data and times that come of them.
//===----------------------------------------------------------------------===//
#include "required/LiveRanges.h"
#include "required/Order.h"
#include "required/RecordedGraph.h"
#include "sim_records.h"

using namespace evenkeel;
using namespace evenkeel::required;

namespace {

TaskGraph graphOf(const MissRecord &R) {
  auto Prepared = prepareRecord(R);
  EXPECT_TRUE(bool(Prepared)) << Prepared.message();
  auto G = recordedGraph(**Prepared, plainMachine());
  EXPECT_TRUE(bool(G)) << G.message();
  return G ? *G : TaskGraph();
}

TEST(RecordedGraph, TasksWaitForThoseThatTheRecordNames) {
  RecordBuilder B;
  B.phase(2);
  const uint32_t X = B.instance(8192), Y = B.instance(100), Z = B.instance(64);
  const uint32_t Thread = B.thread(0, 500);
  const uint32_t T0 = B.explicitTask(0, 1000), T1 = B.explicitTask(1, 2000),
                 T2 = B.explicitTask(2, 3000);
  B.dep(T1, T0);
  B.dep(T2, T0);
  B.row(T1, 0, X, 0, 4, 0, 2);
  MissRecord R = B.record();
  R.Accesses = {{Thread, Z, 0, 1}, {T0, X, 0, 10}, {T1, X, 5, 0},
                {T1, Y, 1, 1},     {T2, X, 0, 3},  {T2, Y, 0, 0}};
  const TaskGraph G = graphOf(R);
  ASSERT_EQ(G.Steps.size(), 4u);
  EXPECT_EQ(G.Steps[0].Name, "phase 0");
  EXPECT_NEAR(G.Steps[0].Seconds, 500e-9, 1e-15);
  EXPECT_EQ(G.Steps[1].Name, "task 0 of phase 0");
  EXPECT_EQ(G.Steps[1].Waits, (std::vector<uint32_t>{0}));
  EXPECT_EQ(G.Steps[2].Waits, (std::vector<uint32_t>{1}));
  EXPECT_EQ(G.Steps[3].Waits, (std::vector<uint32_t>{1}));
  // 2000 ns and two exposed latencies of 100 ns.
  EXPECT_NEAR(G.Steps[2].Seconds, 2200e-9, 1e-14);
  ASSERT_EQ(G.Data.size(), 3u);
  ASSERT_EQ(G.Steps[2].Uses.size(), 2u);
  const Use &Read = G.Steps[2].Uses[0];
  EXPECT_EQ(G.Data[Read.Datum].Bytes, 8192u);
  EXPECT_TRUE(Read.Needs);
  EXPECT_FALSE(Read.Writes);
  ASSERT_EQ(G.Steps[3].Uses.size(), 1u) << "Y is not accessed";
  EXPECT_TRUE(G.Steps[3].Uses[0].Needs) << "writes only a part of it";
  EXPECT_TRUE(G.Steps[3].Uses[0].Writes);
}

TEST(RecordedGraph, PhasesComeOneAfterTheOther) {
  RecordBuilder B;
  B.phase(2);
  B.explicitTask(0, 100);
  B.explicitTask(1, 100);
  B.phase(2);
  B.explicitTask(0, 100);
  B.explicitTask(1, 100);
  B.phase(2);
  B.thread(0, 700);
  B.thread(1, 900);
  const uint32_t X = B.instance(64);
  MissRecord R = B.record();
  R.Accesses = {{0, X, 1, 0}};
  const TaskGraph G = graphOf(R);
  ASSERT_EQ(G.Steps.size(), 6u);
  EXPECT_EQ(G.Steps[2].Name, "the beginning of phase 1");
  EXPECT_EQ(G.Steps[2].Seconds, 0);
  EXPECT_EQ(G.Steps[2].Waits, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(G.Steps[3].Waits, (std::vector<uint32_t>{2}));
  EXPECT_EQ(G.Steps[5].Waits, (std::vector<uint32_t>{3, 4}));
  EXPECT_NEAR(G.Steps[5].Seconds, 900e-9, 1e-14) << "threads run together";
}

TEST(RecordedGraph, AStepThatFetchesAllToWriteOverwrites) {
  RecordBuilder B;
  B.phase(1);
  const uint32_t X = B.instance(4096 + 64);
  const uint32_t Make = B.explicitTask(0, 1000), Read = B.explicitTask(1, 1000),
                 All = B.explicitTask(2, 1000), Part = B.explicitTask(3, 1000);
  B.dep(Read, Make);
  B.dep(All, Read);
  B.dep(Part, All);
  B.row(All, 0, X, 0, 64, 0, 1);
  B.row(All, 0, X, 1, 1, 0, 1);
  B.row(Part, 0, X, 0, 63, 0, 1);
  B.row(Part, 0, X, 1, 1, 0, 1);
  MissRecord R = B.record();
  R.Accesses = {
      {Make, X, 0, 520}, {Read, X, 9, 0}, {All, X, 0, 520}, {Part, X, 0, 512}};
  TaskGraph G = graphOf(R);
  EXPECT_TRUE(G.Data[0].Fresh) << "its first step writes it";
  EXPECT_TRUE(G.Steps[0].Uses[0].Needs) << "not all lines were fetched";
  EXPECT_FALSE(G.Steps[2].Uses[0].Needs);
  EXPECT_TRUE(G.Steps[3].Uses[0].Needs) << "one line is left as it was";
  EXPECT_FALSE(liveRanges(G, asWritten(G)).OfDatum[0][1].LiveAfter)
      << "nobody needs what was read last";
  R.Accesses[0] = {Make, X, 1, 0};
  EXPECT_FALSE(graphOf(R).Data[0].Fresh) << "it had contents before";
}

TEST(RecordedGraph, WithoutAccessesThereIsNone) {
  RecordBuilder B;
  B.phase(1);
  B.thread(0, 100);
  const MissRecord R = B.record();
  auto Prepared = prepareRecord(R);
  ASSERT_TRUE(bool(Prepared));
  EXPECT_EQ(recordedGraph(**Prepared, plainMachine())
                .message()
                .rfind("the record has no counts of accesses", 0),
            0u);
}

} // namespace
