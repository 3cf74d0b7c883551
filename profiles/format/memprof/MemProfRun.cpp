//===- MemProfRun.cpp - a profile from what MemProf counted ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemProfRun.h. Blocks of one stack that live at the same time are one
// object; by Little's law (Little 1961) their live bytes are on average the
// bytes allocated per second times the mean lifetime.
//===----------------------------------------------------------------------===//
#include "MemProfRun.h"
#include "FunctionSites.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

using namespace evenkeel;
using namespace evenkeel::memprof;

/// Objects with more accesses come first; further ones are left out.
static constexpr size_t MostObjects = 4096;

namespace {
struct Object {
  std::string Stack; // the first one of the site
  double Accesses = 0, Bytes = 0;
};
} // namespace

static double liveBytes(const Blocks &B, double RunMs) {
  const double Mean =
      B.Times ? double(B.LifetimeMs) / double(B.Times) : 0; // ms
  return std::clamp(RunMs > 0 ? double(B.Bytes) * Mean / RunMs : 0,
                    double(B.MostBytes),
                    std::max(double(B.MostBytes), double(B.Bytes)));
}

static void addFacts(Facts &F, uint64_t Site, const Object &O) {
  SiteFact S;
  S.Id = Site;
  S.Kind = "malloc";
  S.At = O.Stack;
  S.Function = "memprof";
  F.Sites.push_back(std::move(S));
  AccessFact A;
  A.Region = ecohmem::traceRegion().Id;
  A.Sites = {Site};
  A.ElementBytes = 8;
  A.Reads = makeConst(O.Accesses);
  A.Writes = makeConst(0);
  A.Exact = true;
  A.At = O.Stack;
  F.Accesses.push_back(std::move(A));
}

static void addTask(MissRecord &R, double Seconds) {
  R.Phases.push_back({0, 0, 1});
  ek_raw_task Task{};
  Task.region = ecohmem::traceRegion().Id;
  Task.wall_ns = Task.core_cycles = uint64_t(Seconds * 1e9);
  R.Tasks.push_back(Task);
  // Cycles are nanoseconds.
  R.Config = ecohmem::traceConfig(1, 1, /*BeforeCaches=*/true);
  R.Config.quantum_cycles = Task.core_cycles + 1;
}

Expected<ecohmem::TracedRun>
memprof::runOfMemProf(const std::vector<Blocks> &Profile, const Facts *Analysis,
                      double Seconds) {
  ecohmem::TracedRun Run;
  uint64_t First = UINT64_MAX, Last = 0;
  double All = 0;
  for (const Blocks &B : Profile) {
    First = std::min(First, B.FirstMs);
    Last = std::max(Last, B.LastMs);
    All += double(B.Accesses);
  }
  const double RunMs = Last > First ? double(Last - First) : 0;
  Run.Seconds = Seconds > 0 ? Seconds : RunMs / 1e3;
  if (!(All > 0))
    return Error{"the profile has no block that was accessed"};
  if (!(Run.Seconds > 0 && Run.Seconds < 1e8))
    return Error{"the profile does not say how long the run took; say it with "
                 "--seconds N"};
  std::optional<FunctionSites> Sites;
  if (Analysis)
    Sites.emplace(*Analysis);
  std::map<uint64_t, Object> Objects;
  const auto LeaveOut = [&](const char *Why, double Accesses) {
    auto &Left = Run.Left[Why];
    ++Left.first;
    Left.second += Accesses / All;
  };
  for (const Blocks &B : Profile) {
    const std::string Stack = stackText(B.Stack);
    const char *Why = "";
    const SiteFact *S = Sites ? Sites->find(B.Stack, Why) : nullptr;
    if (Sites && !S) {
      LeaveOut(Why, double(B.Accesses));
      continue;
    }
    if (!B.Bytes) {
      LeaveOut("object-without-size", double(B.Accesses));
      continue;
    }
    Object &O = Objects[S ? S->Id : ecohmem::siteOfStack(Stack)];
    if (O.Stack.empty())
      O.Stack = Stack;
    O.Accesses += double(B.Accesses);
    O.Bytes += liveBytes(B, RunMs);
  }
  if (Objects.empty())
    return Error{
        "no object of the profile can be placed; the first reason is " +
        Run.Left.begin()->first};
  std::vector<double> Ranked;
  for (const auto &[Site, O] : Objects)
    Ranked.push_back(O.Accesses);
  std::sort(Ranked.begin(), Ranked.end(), std::greater<>());
  const double Least =
      Ranked.size() > MostObjects ? Ranked[MostObjects - 1] : 0;
  MissRecord &R = Run.Record;
  R.Role = "base";
  R.Mode = "counts";
  addTask(R, Run.Seconds);
  if (Analysis)
    Run.Sites = *Analysis;
  else
    Run.Sites.Regions.push_back(ecohmem::traceRegion());
  for (const auto &[Site, O] : Objects) {
    if (O.Accesses < Least || R.Instances.size() >= MostObjects) {
      LeaveOut("too-many-objects", O.Accesses);
      continue;
    }
    ek_raw_inst I{};
    I.site = Site;
    I.bytes = uint64_t(std::ceil(O.Bytes));
    I.free_phase = EK_NO_TASK;
    R.Accesses.push_back(
        {0, uint32_t(R.Instances.size()), uint64_t(O.Accesses), 0});
    R.Instances.push_back(I);
    if (!Analysis)
      addFacts(Run.Sites, Site, O);
  }
  Run.Objects = R.Instances.size();
  return Run;
}
