//===- TouchProfile.cpp - a profile from touched pages --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TouchProfile.h.
//===----------------------------------------------------------------------===//
#include "TouchProfile.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

using namespace evenkeel;

static constexpr uint32_t WordBytes = 8; // of an access

namespace {

/// One site's objects in one process.
struct Touched {
  uint64_t Peak = 0; // live bytes
  double Reads = 0, Writes = 0;
};

/// Sums over the passes, stage by stage.
class Reader {
  const TouchRecord &R;
  const std::vector<uint64_t> &SiteOf;
  const std::vector<const char *> &Why;
  ecohmem::TracedRun &Run;
  std::map<std::pair<uint64_t, uint32_t>, Touched> Objects; // site, process
  std::map<uint32_t, uint32_t> TaskOf; // of processes with such objects
  std::vector<double> Walks;           // that a pass stands for
  double AllTouched = 0;
  std::vector<double> LeftPages; // by object

  void countWalks();
  void addRow(const TouchRow &X);
  void findPeaks();
  void makeTasks();
  void makeFacts();
  void countLeft();

public:
  Reader(const TouchRecord &R, const std::vector<uint64_t> &SiteOf,
         const std::vector<const char *> &Why, ecohmem::TracedRun &Run)
      : R(R), SiteOf(SiteOf), Why(Why), Run(Run) {}
  MaybeError run();
};

} // namespace

/// A pass stands for the time since the one before it.
void Reader::countWalks() {
  std::map<uint32_t, uint64_t> Before;
  for (const TouchPass &P : R.Passes) {
    uint64_t &Last = Before[P.Process];
    const double Time =
        P.TimeNs > Last ? double(P.TimeNs - Last) : double(P.WindowNs);
    Walks.push_back(P.WindowNs ? std::max(1.0, Time / double(P.WindowNs)) : 1);
    Last = P.TimeNs;
  }
}

void Reader::addRow(const TouchRow &X) {
  const double Pages = X.Touched == TouchRow::Unknown
                           ? (X.Written == TouchRow::Unknown ? 0 : X.Written)
                           : X.Touched;
  AllTouched += Pages;
  const uint64_t Site = SiteOf[X.Object];
  if (!Site) {
    LeftPages[X.Object] += Pages;
    return;
  }
  const double Words = Walks[X.Pass] * double(R.PageBytes) / double(WordBytes);
  Touched &O = Objects[{Site, R.Passes[X.Pass].Process}];
  O.Reads += X.Touched == TouchRow::Unknown ? 0 : X.Touched * Words;
  O.Writes += X.Written == TouchRow::Unknown ? 0 : X.Written * Words;
}

/// Objects live in the passes that have rows of them.
void Reader::findPeaks() {
  std::vector<uint32_t> SeenIn(R.Objects.size(), UINT32_MAX);
  for (size_t I = 0; I < R.Rows.size();) {
    const uint32_t Pass = R.Rows[I].Pass;
    std::map<uint64_t, uint64_t> Live;
    for (; I < R.Rows.size() && R.Rows[I].Pass == Pass; ++I) {
      const uint32_t O = R.Rows[I].Object;
      if (!SiteOf[O] || SeenIn[O] == Pass)
        continue;
      SeenIn[O] = Pass;
      Live[SiteOf[O]] += R.Objects[O].Bytes;
    }
    for (const auto &[Site, Bytes] : Live) {
      uint64_t &Peak = Objects[{Site, R.Passes[Pass].Process}].Peak;
      Peak = std::max(Peak, Bytes);
    }
  }
  // Objects that lived between two passes.
  for (size_t O = 0; O < R.Objects.size(); ++O)
    if (SiteOf[O])
      if (uint64_t &Peak = Objects[{SiteOf[O], R.Objects[O].Process}].Peak;
          !Peak)
        Peak = R.Objects[O].Bytes;
}

/// The tasks are the processes: MPI's in the order of ranks.
void Reader::makeTasks() {
  MissRecord &To = Run.Record;
  std::map<std::pair<uint32_t, uint32_t>, bool> Order; // rank, process
  bool Ranks = true;
  for (const auto &[Of, O] : Objects) {
    const std::optional<uint32_t> &Rank = R.Processes[Of.second].Rank;
    Ranks &= Rank.has_value();
    Order[{Rank.value_or(0), Of.second}] = true;
  }
  for (const auto &[Of, Is] : Order) {
    const uint32_t Process = Of.second;
    const auto Task = static_cast<uint32_t>(To.Tasks.size());
    uint64_t Ns = 0;
    for (const TouchPass &P : R.Passes)
      if (P.Process == Process)
        Ns = std::max(Ns, P.TimeNs);
    TaskOf[Process] = Task;
    ek_raw_task T{};
    T.region = ecohmem::traceRegion().Id;
    T.index = T.worker = Task;
    T.wall_ns = T.core_cycles = Ns;
    To.Tasks.push_back(T);
    if (Ranks && Order.size() > 1)
      To.Ranks.push_back(Task);
    Run.Seconds = std::max(Run.Seconds, double(Ns) * 1e-9);
  }
  const auto Tasks = static_cast<uint32_t>(To.Tasks.size());
  To.Phases.push_back({0, Tasks > 1 ? 1u : 0u, Tasks});
  Run.Processes = Tasks;
  // Cycles are nanoseconds.
  To.Config = ecohmem::traceConfig(Tasks, 1, /*BeforeCaches=*/true);
  To.Config.quantum_cycles = uint64_t(Run.Seconds * 1e9) + 1;
}

void Reader::makeFacts() {
  Facts &F = Run.Sites;
  F.Regions.push_back(ecohmem::traceRegion());
  std::map<uint64_t, Touched> Sums; // by site
  MissRecord &To = Run.Record;
  for (const auto &[Of, O] : Objects) {
    const auto Inst = static_cast<uint32_t>(To.Instances.size());
    ek_raw_inst I{};
    I.site = Of.first;
    I.creator = TaskOf.at(Of.second);
    I.bytes = O.Peak;
    I.free_phase = EK_NO_TASK;
    To.Instances.push_back(I);
    const auto Reads = uint64_t(std::llround(O.Reads)),
               Writes = uint64_t(std::llround(O.Writes));
    if (Reads || Writes)
      To.Accesses.push_back({I.creator, Inst, Reads, Writes});
    Sums[Of.first].Reads += double(Reads);
    Sums[Of.first].Writes += double(Writes);
  }
  std::sort(To.Accesses.begin(), To.Accesses.end(),
            [](const ek_raw_access &X, const ek_raw_access &Y) {
              return std::tie(X.task, X.inst) < std::tie(Y.task, Y.inst);
            });
  const auto Tasks = double(To.Tasks.size());
  std::vector<SiteFact> Kept;
  for (SiteFact &S : F.Sites) {
    const auto Sum = Sums.find(S.Id);
    if (Sum == Sums.end())
      continue;
    AccessFact A;
    A.Region = ecohmem::traceRegion().Id;
    A.Sites = {S.Id};
    A.Class = AccessFact::Stream;
    A.Stride = WordBytes;
    A.ElementBytes = WordBytes;
    A.Reads = makeConst(Sum->second.Reads / Tasks); // of one task
    A.Writes = makeConst(Sum->second.Writes / Tasks);
    A.Exact = false;
    A.At = S.At;
    A.Why = "touched-pages";
    F.Accesses.push_back(A);
    Kept.push_back(std::move(S));
  }
  F.Sites = std::move(Kept);
}

void Reader::countLeft() {
  for (size_t O = 0; O < R.Objects.size(); ++O) {
    if (SiteOf[O] || LeftPages[O] <= 0)
      continue;
    auto &Left = Run.Left[Why[O]];
    ++Left.first;
    Left.second += LeftPages[O] / AllTouched;
  }
}

MaybeError Reader::run() {
  countWalks();
  LeftPages.resize(R.Objects.size());
  for (const TouchRow &X : R.Rows)
    addRow(X);
  countLeft();
  double Used = 0;
  for (const auto &[Of, O] : Objects)
    Used += O.Reads + O.Writes;
  if (!(Used > 0))
    return Error{"no touched object has a place in the source"};
  findPeaks();
  Run.Record.Role = "base";
  Run.Record.Mode = "counts";
  makeTasks();
  makeFacts();
  Run.Objects = Run.Record.Instances.size();
  return std::nullopt;
}

Expected<ecohmem::TracedRun>
evenkeel::runOfTouches(const TouchRecord &R,
                       const std::vector<uint64_t> &SiteOf,
                       const std::vector<const char *> &Why, Facts Sites) {
  ecohmem::TracedRun Run;
  Run.Sites = std::move(Sites);
  if (MaybeError E = Reader(R, SiteOf, Why, Run).run())
    return *E;
  return Run;
}
