//===- Trace.cpp - a profile from what Extrae sampled ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trace.h.
//===----------------------------------------------------------------------===//
#include "Trace.h"
#include "Numbers.h"
#include "SourceSites.h"
#include "format/Identity.h"
#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <unordered_set>

using namespace evenkeel;
using namespace evenkeel::ecohmem;

/// Objects with more accesses come first; further ones are left out, because
/// each takes a row for each of its chunks in each process.
static constexpr size_t MostObjects = 4096, LeastObjects = 64;
static constexpr size_t MostRows = 8000000;
static constexpr uint32_t MostProcesses = 1024;
static constexpr double Ghz = 1; // cycles are nanoseconds

namespace {

/// All that the files say of one site.
struct Traced {
  uint64_t Site = 0;
  std::string Stack; // the first one of the site
  uint64_t Loads = 0, Stores = 0, Bytes = 0;
  uint64_t samples() const { return Loads + Stores; }
};

/// Reads one trace, stage by stage.
class Reader {
  const Trace &T;
  const TraceOptions &O;
  TracedRun &Run;
  std::vector<Traced> Objects;
  std::unordered_map<uint64_t, size_t> OfSite;
  std::unordered_map<std::string, uint64_t> SiteOf; // of stacks that are kept
  std::unordered_map<std::string, size_t> StoreAt, SizeAt;
  uint64_t AllSamples = 0;

  void leaveOut(const std::string &Why, uint64_t Samples);
  MaybeError readObject(size_t I, const SourceSites *Sites);
  MaybeError readObjects();
  void peaks();
  void keepMostAccessed();
  MaybeError measureTime();
  void makeTasks();
  MaybeError makeRows();
  MaybeError rowsOf(uint32_t Task, uint32_t Inst, uint64_t Reads,
                    uint64_t Writes, double Weight);
  void makeFacts();

public:
  Reader(const Trace &T, const TraceOptions &O, TracedRun &Run)
      : T(T), O(O), Run(Run) {}
  MaybeError run();
};

} // namespace

uint64_t ecohmem::siteOfStack(const std::string &Stack) {
  return entityId({"site", "", Stack, 0, 0, 0});
}

ek_raw_conf ecohmem::traceConfig(uint32_t Workers, double Ghz,
                                 bool BeforeCaches) {
  ek_raw_conf C{};
  C.line_bytes = 64;
  C.workers = Workers;
  C.ghz = Ghz;
  C.l1_bytes = 32 << 10, C.l1_ways = 8;
  C.l2_bytes = 1 << 20, C.l2_ways = 16;
  C.llc_share_bytes = 1 << 20, C.llc_ways = 16;
  for (unsigned I = 0; BeforeCaches && I < EK_RAW_LLC_SIZES; ++I)
    C.llc_sizes[I] = 256u << (10 + I);
  C.rob_instructions = 224;
  return C;
}

RegionFact ecohmem::traceRegion() {
  RegionFact R;
  R.Id = entityId({"region", "", "trace", 0, 0, 0});
  R.Kind = "serial";
  R.At = "trace";
  R.Function = "trace";
  return R;
}

void Reader::leaveOut(const std::string &Why, uint64_t Samples) {
  auto &Left = Run.Left[Why];
  ++Left.first;
  Left.second += double(Samples); // a share once all are known
}

static std::unordered_map<std::string, size_t> columnsOf(const Histogram &H) {
  std::unordered_map<std::string, size_t> Out;
  for (size_t I = 0; I < H.Stacks.size(); ++I)
    Out.emplace(H.Stacks[I], I);
  return Out;
}

/// The figure of \p Stack; 0 if there is none.
static Expected<uint64_t>
figureOf(const Histogram &H, const std::unordered_map<std::string, size_t> &At,
         const std::string &Stack, const char *What) {
  auto It = At.find(Stack);
  if (It == At.end())
    return uint64_t(0);
  std::optional<int64_t> V = wholePart(readFloat(H.Cells[It->second]));
  if (!V || *V < 0 || *V > int64_t(1) << 46)
    return Error{std::string("the number of ") + What + " of object " +
                 std::to_string(It->second + 1) +
                 " is no number from 0 to 2^46; are columns swapped?"};
  return uint64_t(*V);
}

MaybeError Reader::readObject(size_t I, const SourceSites *Sites) {
  const std::string &Stack = T.Loads.Stacks[I];
  Expected<uint64_t> Loads = figureOf(T.Loads, {{Stack, I}}, Stack, "loads");
  Expected<uint64_t> Stores = figureOf(T.Stores, StoreAt, Stack, "stores");
  Expected<uint64_t> Bytes = figureOf(T.Sizes, SizeAt, Stack, "bytes");
  for (Expected<uint64_t> *V : {&Loads, &Stores, &Bytes})
    if (!*V)
      return V->takeError();
  const uint64_t Samples = *Loads + *Stores;
  AllSamples += Samples;
  if (Stack == "Unresolved" ||
      Stack.find("Memory object referenced by sampled address") !=
          std::string::npos) {
    leaveOut("unresolved-object", Samples);
    return std::nullopt;
  }
  if (!*Bytes) {
    leaveOut("object-without-size", Samples);
    return std::nullopt;
  }
  uint64_t Site = 0;
  if (Sites) {
    const char *Why = "";
    const SiteFact *S = Sites->find(inLines(Stack, O.Lines), Why);
    if (!S) {
      leaveOut(Why, Samples);
      return std::nullopt;
    }
    Site = S->Id;
  } else {
    Site = siteOfStack(Stack);
  }
  auto [It, New] = OfSite.emplace(Site, Objects.size());
  if (New)
    Objects.push_back({Site, Stack, 0, 0, 0});
  // Columns with one stack are one object, which has the first one's size.
  const bool FirstOfStack = SiteOf.emplace(Stack, Site).second;
  Traced &X = Objects[It->second];
  X.Loads += *Loads;
  if (FirstOfStack) {
    X.Stores += *Stores;
    X.Bytes += *Bytes;
  }
  return std::nullopt;
}

MaybeError Reader::readObjects() {
  StoreAt = columnsOf(T.Stores);
  SizeAt = columnsOf(T.Sizes);
  std::optional<SourceSites> Sites;
  if (O.Analysis)
    Sites.emplace(*O.Analysis);
  for (size_t I = 0; I < T.Loads.Stacks.size(); ++I)
    if (MaybeError E = readObject(I, Sites ? &*Sites : nullptr))
      return E;
  if (Objects.empty() || !AllSamples)
    return Error{Run.Left.empty()
                     ? "the trace has no object with samples"
                     : "no object of the trace can be placed; the first reason "
                       "is " +
                           Run.Left.begin()->first};
  return std::nullopt;
}

/// Where allocations are known, an object's size is its peak of live bytes.
void Reader::peaks() {
  std::unordered_map<int64_t, size_t> ObjectOf; // by number in the trace
  for (const auto &[Stack, Number] : T.Allocs.Objects)
    if (auto It = SiteOf.find(Stack); It != SiteOf.end())
      ObjectOf[Number] = OfSite.at(It->second);
  struct Change {
    size_t Object;
    int64_t Time, Bytes;
  };
  std::vector<Change> Changes;
  for (const Allocation &A : T.Allocs.Allocations) {
    auto It = ObjectOf.find(A.Object);
    if (It == ObjectOf.end())
      continue;
    Changes.push_back({It->second, A.AllocTime, A.Bytes});
    if (A.FreeTime > A.AllocTime)
      Changes.push_back({It->second, A.FreeTime, -A.Bytes});
  }
  std::sort(Changes.begin(), Changes.end(),
            [](const Change &A, const Change &B) {
              return std::tie(A.Object, A.Time, A.Bytes) <
                     std::tie(B.Object, B.Time, B.Bytes);
            });
  double Live = 0, Peak = 0;
  for (size_t I = 0; I < Changes.size(); ++I) {
    if (!I || Changes[I].Object != Changes[I - 1].Object)
      Live = Peak = 0;
    Peak = std::max(Peak, Live += double(Changes[I].Bytes));
    if (Peak > 0)
      Objects[Changes[I].Object].Bytes = uint64_t(Peak);
  }
}

void Reader::keepMostAccessed() {
  std::sort(Objects.begin(), Objects.end(),
            [](const Traced &A, const Traced &B) {
              return A.samples() != B.samples() ? A.samples() > B.samples()
                                                : A.Site < B.Site;
            });
  const size_t Most = std::clamp(MostRows / EK_CHUNKS / Run.Processes,
                                 LeastObjects, MostObjects);
  for (size_t I = Most; I < Objects.size(); ++I)
    leaveOut("too-many-objects", Objects[I].samples());
  if (Objects.size() > Most)
    Objects.resize(Most);
  std::sort(Objects.begin(), Objects.end(),
            [](const Traced &A, const Traced &B) { return A.Site < B.Site; });
}

MaybeError Reader::measureTime() {
  std::set<std::pair<int64_t, int64_t>> Processes;
  int64_t First = INT64_MAX, Last = INT64_MIN;
  for (const Allocation &A : T.Allocs.Allocations) {
    Processes.insert({A.App, A.Process});
    First = std::min({First, A.AllocTime});
    Last = std::max({Last, A.AllocTime, A.FreeTime});
    if (A.Bytes < 0)
      return Error{"an allocation has a negative size; are columns swapped?"};
  }
  if (Processes.size() > MostProcesses)
    return Error{"the allocations are those of " +
                 std::to_string(Processes.size()) +
                 " processes; are columns swapped?"};
  Run.Processes = std::max(1u, unsigned(Processes.size()));
  Run.Seconds = O.Seconds;
  if (Run.Seconds == 0 && Last > First)
    Run.Seconds = (double(Last) - double(First)) / 1e9;
  if (!(Run.Seconds > 0 && Run.Seconds < 1e8))
    return Error{"the files do not say how long the run took; say it with "
                 "--seconds N"};
  return std::nullopt;
}

void Reader::makeTasks() {
  MissRecord &R = Run.Record;
  R.Phases.push_back({0, Run.Processes > 1 ? 1u : 0u, Run.Processes});
  for (uint32_t P = 0; P < Run.Processes; ++P) {
    ek_raw_task Task{};
    Task.region = traceRegion().Id;
    Task.index = Task.worker = P;
    Task.wall_ns = uint64_t(Run.Seconds * 1e9);
    R.Tasks.push_back(Task);
  }
  R.Config = traceConfig(Run.Processes, Ghz, /*BeforeCaches=*/false);
}

static Error tooMany() {
  return {"an object has more pages or accesses than a profile can hold; are "
          "columns swapped, or is --period too large?"};
}

/// Rows of one object in one task: all of its chunks alike.
MaybeError Reader::rowsOf(uint32_t Task, uint32_t Inst, uint64_t Reads,
                          uint64_t Writes, double Weight) {
  MissRecord &R = Run.Record;
  const uint64_t Bytes = R.Instances[Inst].bytes;
  const uint64_t Pages = std::max<uint64_t>(1, (Bytes + 4095) / 4096);
  const uint32_t Parts = uint32_t(std::min<uint64_t>(EK_CHUNKS, Pages));
  auto Part = [&](uint64_t All, uint32_t I) {
    return All / Parts + (I < All % Parts);
  };
  R.Accesses.push_back({Task, Inst, Reads, Writes});
  for (uint32_t I = 0; I < Parts; ++I)
    if (Part(Reads, I) || Part(Writes, I))
      R.Misses.push_back({Task, Inst, I * EK_CHUNKS / Parts, 0, Part(Reads, I),
                          Part(Writes, I), Weight / Parts, 0});
  uint32_t Span = 0;
  while ((Pages >> Span) > EK_CHUNKS)
    ++Span;
  const uint32_t Rows = uint32_t((Pages + (uint64_t(1) << Span) - 1) >> Span);
  if (Reads / Rows >= UINT32_MAX / 2 || Writes / Rows >= UINT32_MAX / 2 ||
      Pages >= uint64_t(1) << EK_PAGE_BITS)
    return tooMany();
  for (uint32_t I = 0; I < Rows; ++I) {
    auto Row = [&](uint64_t All) {
      return uint32_t(All / Rows + (I < All % Rows));
    };
    if (Row(Reads) || Row(Writes))
      R.Pages.push_back({Task, 0, Inst, EK_PAGE_ROW(I << Span, Span),
                         Row(Reads), Row(Writes), float(Weight / Rows), 0});
  }
  return std::nullopt;
}

MaybeError Reader::makeRows() {
  MissRecord &R = Run.Record;
  double Loads = 0;
  for (const Traced &X : Objects) {
    if (std::max(X.Loads, X.Stores) > UINT64_MAX / std::max(1u, O.Period))
      return tooMany();
    Loads += double(X.Loads) * O.Period;
  }
  // A load costs its latency, but all of them cannot take more than the run.
  const double Stall = Loads / Run.Processes * O.LatencyNs * 1e-9;
  const double Exposed = Stall > Run.Seconds ? Run.Seconds / Stall : 1;
  const double Core = std::max(0.0, Run.Seconds - Stall * Exposed);
  for (ek_raw_task &Task : R.Tasks)
    Task.core_cycles = uint64_t(Core * 1e9 * Ghz);
  R.Config.quantum_cycles = uint64_t(Core * 1e9 * Ghz) + 1;
  for (const Traced &X : Objects) {
    ek_raw_inst I{};
    I.site = X.Site;
    I.bytes = X.Bytes;
    I.free_phase = EK_NO_TASK;
    R.Instances.push_back(I);
  }
  for (uint32_t Task = 0; Task < Run.Processes; ++Task)
    for (uint32_t Inst = 0; Inst < Objects.size(); ++Inst) {
      auto Share = [&](uint64_t Samples) {
        uint64_t All = Samples * O.Period;
        return All / Run.Processes + (Task < All % Run.Processes);
      };
      const uint64_t Reads = Share(Objects[Inst].Loads);
      if (MaybeError E = rowsOf(Task, Inst, Reads, Share(Objects[Inst].Stores),
                                double(Reads) * Exposed))
        return E;
    }
  return std::nullopt;
}

void Reader::makeFacts() {
  if (O.Analysis) {
    Run.Sites = *O.Analysis;
    return;
  }
  Run.Sites.Regions.push_back(traceRegion());
  for (const Traced &X : Objects) {
    SiteFact S;
    S.Id = X.Site;
    S.Kind = "malloc";
    S.At = X.Stack;
    S.Function = "trace";
    Run.Sites.Sites.push_back(S);
    AccessFact A;
    A.Region = traceRegion().Id;
    A.Sites = {X.Site};
    A.ElementBytes = 8;
    A.Reads = makeConst(double(X.Loads) * O.Period);
    A.Writes = makeConst(double(X.Stores) * O.Period);
    A.Exact = false;
    A.At = X.Stack;
    A.Why = "sampled";
    Run.Sites.Accesses.push_back(A);
  }
}

MaybeError Reader::run() {
  if (MaybeError E = readObjects())
    return E;
  if (MaybeError E = measureTime())
    return E;
  peaks();
  keepMostAccessed();
  Run.Objects = Objects.size();
  MissRecord &R = Run.Record;
  R.Role = "base";
  R.Mode = "sampled";
  R.OneIn = O.Period;
  makeTasks();
  if (MaybeError E = makeRows())
    return E;
  makeFacts();
  for (auto &[Why, Left] : Run.Left)
    Left.second /= double(std::max<uint64_t>(1, AllSamples));
  return std::nullopt;
}

Expected<TracedRun> ecohmem::readTrace(const Trace &T, const TraceOptions &O) {
  TracedRun Out;
  if (MaybeError E = Reader(T, O, Out).run())
    return *E;
  return Out;
}
