//===- insides_plan_test.cpp - which entry an object has --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime's internal headers, as insides_test.cpp does.
//===----------------------------------------------------------------------===//
#include "calls/context.h"
#include "calls/placed.h"
#include "core/options.h"
#include "core/probes.h"
#include "core/state.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "insides.h"
#include "objects/extent.h"
#include "objects/object.h"
#include "placement/moves/migrate.h"
#include "placement/place.h"
#include "placement/plan.h"
#include "providers/provider.h"
#include "scoped_plan.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

/// The plan with these objects and changes; it lives as long as the process.
/// Null, and a failure, if it cannot be read.
ek_plan *planOf(const std::string &Entries) {
  const char *Path = "insides-plan.json";
  std::ofstream(Path) << R"({"schema":"evenkeel.plan/1",
    "program":"0000000000000000","planner":"p","model":"m","machine":"x",
    "fast_bytes":8388608,"base_input":"i",)"
                      << Entries << R"(,
    "predicted":{"makespan_s":0,"phases":[]},"replan":{},"assumed":[]})";
  char Why[256] = "";
  ek_plan *P = ek_plan_read(Path, Why, sizeof Why);
  unlink(Path);
  EXPECT_NE(P, nullptr) << Why;
  return P;
}

ek_plan_object *entryOf(const ek_plan *P, const ek_instance &O) {
  return ek_plan_find(P, &O);
}

// An entry for several objects applies to each, by its ordinal, and to those of
// a context by their order among the site's objects where the context is not
// known.
TEST(Plan, OneEntryForAlikeObjects) {
  static ek_plan *P; // plans live as long as the process
  P = planOf(R"("objects":[
    {"site":"0000000000000abc","creator":null,"ordinal":null,"share":0.1,
     "ranges":[]},
    {"site":"0000000000000abc","creator":1,"ordinal":10,"alike":5,"share":0.2,
     "ranges":[]},
    {"site":"0000000000000abc","creator":1,"ordinal":15,"share":0.3,
     "ranges":[]},
    {"site":"0000000000000abd","creator":1,"ordinal":0,"alike":3,"share":0.4,
     "context":"00000000000000f0","ordinal_of_site":4,"ranges":[]}])");
  ASSERT_NE(P, nullptr);
  EXPECT_EQ(P->count, 4u);
  auto Share = [](const ek_instance &O) { return entryOf(P, O)->share; };
  EXPECT_EQ(Share({0xabc, 0, 1, 9, 9}), 0.1);
  for (uint32_t I = 10; I < 15; ++I)
    EXPECT_EQ(Share({0xabc, 0, 1, I, I}), 0.2);
  EXPECT_EQ(Share({0xabc, 0, 2, 12, 12}), 0.1);
  EXPECT_EQ(Share({0xabc, 0, 1, 15, 15}), 0.3);
  EXPECT_EQ(Share({0xabc, 0, 1, 16, 16}), 0.1);
  for (uint32_t I = 0; I < 3; ++I) {
    EXPECT_EQ(Share({0xabd, 0xf0, 1, I + 4, I}), 0.4);
    EXPECT_EQ(Share({0xabd, 0, 1, I + 4, I + 4}), 0.4);
  }
  EXPECT_EQ(entryOf(P, {0xabd, 0xf0, 1, 7, 3}), nullptr);
  EXPECT_EQ(entryOf(P, {0xabd, 0, 1, 3, 3}), nullptr);
  EXPECT_EQ(entryOf(P, {0xabd, 0, 1, 7, 7}), nullptr);
}

// An object that is none of those that its entry was made for is counted.
TEST(Plan, OtherSizesAreCounted) {
  ScopedPlan Plan(2950, 0.25);
  Plan.Object.least_bytes = MiB;
  Plan.Object.most_bytes = 2.0 * MiB;
  const uint64_t Before = ek_get(why[EK_WHY_other_size]);
  for (size_t Bytes : {MiB, MiB - 4096, 2 * MiB})
    ek_free(ek_malloc(2950, Bytes));
  EXPECT_EQ(ek_get(why[EK_WHY_other_size]), Before);
  for (size_t Bytes : {MiB / 2, 3 * MiB})
    ek_free(ek_malloc(2950, Bytes));
  EXPECT_EQ(ek_get(why[EK_WHY_other_size]), Before + 2);
}

// An object without an entry although the plan has its site is counted, with
// its bytes, and so is one that is found by order where its calls would decide.
TEST(Plan, SaysWhatItIsNotSureOf) {
  struct Counts {
    uint64_t Unplanned = ek_get(why[EK_WHY_context_unplanned]),
             UnplannedBytes = ek_get(why_bytes[EK_WHY_context_unplanned]),
             Exceeded = ek_get(why[EK_WHY_order_exceeded]),
             Unknown = ek_get(why[EK_WHY_context_unknown]),
             Cut = ek_get(why[EK_WHY_context_cut]);
  };
  auto Make = [](std::initializer_list<uint64_t> Calls) {
    const void *Frame = __builtin_frame_address(0);
    for (uint64_t Id : Calls)
      ek_context_push(Id, ~0u, EK_OF_CALL, Frame, nullptr);
    ek_free(ek_malloc(2952, MiB));
    for (uint64_t Id : Calls)
      ek_context_pop(Id, Frame, nullptr);
  };
  {
    ScopedPlan Plan(2952, 0.25);
    Plan.Object.ordinal = 1000000; // none that is made here
    Counts Before;
    Make({});
    Make({71});
    Counts After;
    EXPECT_EQ(After.Exceeded, Before.Exceeded + 2);
    EXPECT_EQ(After.Unplanned, Before.Unplanned);
    Plan.Object.context = 0xf0; // a different context
    Make({71});
    EXPECT_EQ(Counts().Exceeded, After.Exceeded);
    EXPECT_EQ(Counts().Unplanned, After.Unplanned + 1);
    EXPECT_EQ(Counts().UnplannedBytes, After.UnplannedBytes + MiB);
    EXPECT_EQ(Counts().Unknown, Before.Unknown);
    ek_free(ek_malloc(2953, MiB)); // another site
    EXPECT_EQ(Counts().Exceeded, After.Exceeded);
  }
  {
    ScopedPlan Plan(2954, 0.25);
    Counts Before;
    ek_free(ek_malloc(2954, MiB)); // all of the site are meant
    Make({71, 72, 73, 74, 75, 76, 77, 78});
    EXPECT_EQ(Counts().Cut, Before.Cut);
    Make({71, 72, 73, 74, 75, 76, 77, 78, 79});
    EXPECT_EQ(Counts().Cut, Before.Cut + 1);
    EXPECT_EQ(Counts().Unknown, Before.Unknown);
  }
}

// A wrapper's mapping has its caller's context, like its allocations.
TEST(Plan, FindsContextsOfMappings) {
  ScopedPlan Plan(2951, 0.25);
  const void *Frame = __builtin_frame_address(0);
  ek_context_push(77, ~0u, EK_OF_CALL, Frame, nullptr);
  Plan.Object.context = ek_context_of(2951);
  ASSERT_NE(Plan.Object.context, 0u);
  void *P = ek_mmap(2951, nullptr, MiB, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ek_context_pop(77, Frame, nullptr);
  ASSERT_NE(P, MAP_FAILED);
  EXPECT_TRUE(Plan.Object.used);
  ek_munmap(P, MiB);
}

// By the calls of wrappers, whatever else their site allocates; where the calls
// are not reported, by the order.
TEST(Plan, FindsContexts) {
  static ek_plan *P = planOf(R"("objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f0",
      "calls":["a.c:7:1"],"creator":null,"ordinal":null,"ordinal_of_site":0,
      "share":0.1,"ranges":[]},
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f1",
      "calls":["a.c:8:1"],"creator":0,"ordinal":0,"ordinal_of_site":1,
      "share":0.2,"ranges":[],"predicted_bytes":70000},
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f1",
      "calls":["a.c:8:1"],"creator":0,"ordinal":1,"ordinal_of_site":2,
      "share":0.3,"ranges":[]}],
    "changes":[{"phase":3,"objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f0",
      "creator":1,"ordinal":2,"share":0.9,"ranges":[]}]}])");
  ASSERT_NE(P, nullptr);
  // Site, context, creator, ordinal of the site and in the context.
  EXPECT_EQ(entryOf(P, {0xabc, 0xf0, 0, 5, 3})->share, 0.1);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 0, 5, 0})->share, 0.2);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 0, 6, 1})->share, 0.3);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 0, 7, 2}), nullptr);
  EXPECT_EQ(entryOf(P, {0xabc, 0xee, 0, 1, 0}), nullptr) << "another call";
  EXPECT_EQ(entryOf(P, {0xabc, 0, 0, 1, 1})->share, 0.2);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 0, 3, 3}), nullptr);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 0, 1, 0})->most_bytes, 70000);
  // An object that a later phase names lies where the context's entry puts it
  // until then.
  EXPECT_EQ(entryOf(P, {0xabc, 0xf0, 1, 9, 2})->share, 0.1);
}

TEST(Plan, FindsTheMostSpecificEntry) {
  char Path[] = "/tmp/ek-plan-XXXXXX";
  close(mkstemp(Path));
  std::ofstream(Path) << R"({"schema":"evenkeel.plan/1","program":"00",
    "planner":"p","model":"m","machine":"x","fast_bytes":8388608,
    "keeps_first_touch":false,"base_input":"",
    "objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":null,
      "share":0.1,"ranges":[],"predicted_bytes":1,"gain_s":0,"reason":"r"},
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":2,
      "share":0.2,"ranges":[],"predicted_bytes":1,"gain_s":0,"reason":"r"},
     {"site":"0000000000000abc","at":"a.c:1:1","creator":1,"ordinal":null,
      "share":0.3,"ranges":[],"predicted_bytes":1,"gain_s":0,"reason":"r"},
     {"site":"0000000000000abc","at":"a.c:1:1","creator":1,"ordinal":2,
      "share":0.4,"ranges":[[0,128,0.8]],"predicted_bytes":1,"gain_s":2,
      "reason":"r"},
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f0",
      "share":0.5,"ranges":[],"predicted_bytes":1,"gain_s":0,"reason":"r"}],
    "predicted":{"makespan_s":0,"phases":[]},"replan":{},"assumed":[]})";
  char Why[256] = "";
  static ek_plan *P; // plans live as long as the process
  P = ek_plan_read(Path, Why, sizeof Why);
  ASSERT_NE(P, nullptr) << Why;
  EXPECT_EQ(P->fast_bytes, 8u * MiB);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 0, 0, 0})->share, 0.1);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 0, 2, 2})->share, 0.2);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 1, 0, 0})->share, 0.3);
  ek_plan_object *O = entryOf(P, {0xabc, 0, 1, 2, 2});
  EXPECT_EQ(O->share, 0.4);
  ASSERT_EQ(O->range_count, 1u);
  EXPECT_EQ(O->ranges[0].to, 128u);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf0, 1, 2, 2})->share, 0.5);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 1, 2, 2})->share, 0.4);
  EXPECT_EQ(entryOf(P, {0xabd, 0, 0, 0, 0}), nullptr);
  std::ofstream(Path) << R"({"schema":"evenkeel.plan/99"})";
  EXPECT_EQ(ek_plan_read(Path, Why, sizeof Why), nullptr);
  EXPECT_NE(Why[0], 0);
  unlink(Path);
  EXPECT_EQ(ek_plan_read(Path, Why, sizeof Why), nullptr);
}

// An object that a change is the first to name lies, until then, where entries
// for more objects put it; the change also applies to objects of an entry for
// any creator.
TEST(Plan, ChangesOfWhatWiderEntriesSpeakOf) {
  static ek_plan *P = planOf(R"("objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":null,
      "share":0.1,"ranges":[]},
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":2,
      "share":0.2,"ranges":[]}],
    "changes":[{"phase":3,"objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":5,"ordinal":null,
      "share":0.9,"ranges":[]}]}])");
  ASSERT_NE(P, nullptr);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 5, 0, 0})->share, 0.1);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 5, 2, 2})->share, 0.2);
  ASSERT_EQ(P->change_count, 1u);
  EXPECT_TRUE(ek_plan_change_now(&P->changes[0]));
  EXPECT_EQ(entryOf(P, {0xabc, 0, 5, 0, 0})->share, 0.9);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 5, 2, 2})->share, 0.9);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 6, 2, 2})->share, 0.2);
}

// The same for objects that have entries of their own, because a later phase
// names them.
TEST(Plan, ChangesTakeAlongWhatLaterPhasesName) {
  static ek_plan *P = planOf(R"("objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":2,
      "share":0.2,"ranges":[]}],
    "changes":[{"phase":3,"objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":5,"ordinal":null,
      "share":0.9,"ranges":[]}]},
     {"phase":4,"objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":5,"ordinal":2,
      "share":0.6,"ranges":[]}]}])");
  ASSERT_NE(P, nullptr);
  ASSERT_EQ(P->change_count, 3u);
  auto share = [](uint64_t Creator, uint32_t Ordinal) {
    return entryOf(P, {0xabc, 0, Creator, Ordinal, Ordinal})->share;
  };
  EXPECT_EQ(share(5, 0), 0);
  EXPECT_EQ(share(5, 2), 0.2);
  EXPECT_EQ(P->changes[1].phase, 3u);
  ek_plan_change_now(&P->changes[0]);
  ek_plan_change_now(&P->changes[1]);
  EXPECT_EQ(share(5, 0), 0.9);
  EXPECT_EQ(share(5, 2), 0.9);
  ek_plan_change_now(&P->changes[2]);
  EXPECT_EQ(share(5, 2), 0.6);
  EXPECT_EQ(share(6, 2), 0.2);
}

// A run that planned again is not one of another program, because the last plan
// has not named an object yet.
TEST(Plan, UsedIsWhatWasUsedBefore) {
  ek_plan_object Entry{}, Next{};
  ek_plan Old{}, New{};
  Old.objects = &Entry;
  New.objects = &Next;
  Old.count = New.count = 1;
  New.older = &Old;
  EXPECT_FALSE(ek_plan_was_used(&New));
  Entry.used = true;
  EXPECT_TRUE(ek_plan_was_used(&New));
  Next.used = true;
  Entry.used = false;
  EXPECT_TRUE(ek_plan_was_used(&New));
  EXPECT_FALSE(ek_plan_was_used(&Old));
}

/// Seconds that a plan of \p Count instances and as many changes takes to read.
static double readingTime(size_t Count) {
  const char *Path = "insides-large.json";
  std::ofstream Out(Path);
  auto object = [&](const char *Comma, std::string Creator,
                    std::string Ordinal) {
    Out << Comma << R"({"site":"0000000000000abc","at":"a.c:1:1","creator":)"
        << Creator << ",\"ordinal\":" << Ordinal
        << R"(,"share":0.5,"ranges":[]})";
  };
  Out << R"({"schema":"evenkeel.plan/1","program":"00","planner":"p","model":"m",
    "machine":"x","fast_bytes":8388608,"base_input":"i","objects":[)";
  for (size_t I = 0; I < Count; ++I)
    object(I ? "," : "", "null", std::to_string(I));
  Out << R"(],"changes":[)";
  for (size_t I = 0; I < Count; ++I) {
    Out << (I ? "," : "") << "{\"phase\":" << I << ",\"objects\":[";
    object("", std::to_string(I), "null");
    object(",", std::to_string(I), std::to_string(I));
    Out << "]}";
  }
  Out << R"(],"predicted":{"makespan_s":0,"phases":[]},"replan":{},"assumed":[]})";
  Out.close();
  char Why[256] = "";
  // They live as long as the process; so does what holds them.
  static auto &Plans = *new std::vector<ek_plan *>;
  timespec From, To;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &From);
  Plans.push_back(ek_plan_read(Path, Why, sizeof Why));
  for (uint32_t I = 0; I < Count; ++I)
    EXPECT_NE(entryOf(Plans.back(), {0xabc, 0, I, I, I}), nullptr);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &To);
  unlink(Path);
  return static_cast<double>(To.tv_sec - From.tv_sec) +
         static_cast<double>(To.tv_nsec - From.tv_nsec) * 1e-9;
}

// Reading takes as long as there are entries, whatever names what.
TEST(Plan, ThousandsOfEntriesAndChanges) {
  readingTime(100);
  const double Few = readingTime(1000);
  EXPECT_LT(readingTime(8000), 32 * Few);
}

} // namespace
