//===- PhaseRun.cpp - the tasks of a phase on virtual cores ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PhaseRun.h.
//===----------------------------------------------------------------------===//
#include "PhaseRun.h"
#include <algorithm>
#include <cassert>
#include <cmath>

namespace evenkeel {

PhaseRunner::PhaseRunner(const PreparedRecord &R, const Machine &M,
                         PageMap &Map, uint64_t FastBytes, Policy &P)
    : R(R), M(M), Map(Map), Shared(M), TaskNs(R.Record->Tasks.size(), 0),
      TaskCoreNs(R.Record->Tasks.size(), 0), Lines(M.Tiers.size(), 0), P(P),
      Watching(P.watch()), Sys(R, Map, Watching), NextTick(Watching.TickNs),
      UnsampledOf(*std::max_element(R.Workers.begin(), R.Workers.end()), 0),
      OpenPredecessors(R.PredecessorCount) {
  Sys.Phase = this;
  for (const Tier &T : M.Tiers)
    Sys.Loads.push_back({T.ReadLatencyNs});
  if (CacheMode C = P.cacheMode(); C.On)
    Cache.emplace(R, FastBytes, C.Shuffled);
}

void PhaseRunner::release(uint32_t Instance) {
  if (Cache)
    Cache->release(R.FirstPage[Instance], R.FirstPage[Instance + 1]);
}

/// Sums up the next interval, given where pages lie now; false at the end of
/// the task.
bool PhaseRunner::loadInterval(Runner &T) {
  if (T.NextInterval == R.FirstInterval[T.Task + 1])
    return false;
  const PreparedRecord::Interval &I = R.Intervals[T.NextInterval++];
  const double LineBytes = R.lineBytes();
  std::array<double, MaxTiers> Weight{};
  PerTier Reads{}, Writes{};
  OwedNs = 0;
  OwedReads = OwedWrites = {};
  const bool Observed =
      Watching.Uses || Watching.Traps || Watching.SamplePeriod > 0;
  for (uint32_t Row = I.FirstRow; Row < I.EndRow; ++Row) {
    const PreparedRecord::Row &X = R.Rows[Row];
    if (Observed)
      observe(T, X);
    if (Cache && Map.tierOf(X.Page) == 1) {
      throughCache(X, Reads, Writes, Weight);
      continue;
    }
    unsigned K = Map.tierOf(X.Page);
    assert(K < M.Tiers.size() && "page was never placed");
    Weight[K] += double(X.Weight);
    Reads[K] += X.Reads;
    Writes[K] += X.Writes;
    Lines[K] += X.Reads + X.Writes;
  }
  T.Remaining = 1;
  T.Reads = 0;
  T.D.CoreNs = I.CoreCycles / M.GHz + OwedNs;
  TaskCoreNs[T.Task] += T.D.CoreNs;
  for (size_t K = 0; K < M.Tiers.size(); ++K) {
    T.Reads += Reads[K];
    T.D.StallNs[K] = Weight[K] * M.Tiers[K].ReadLatencyNs;
    T.D.ReadBytes[K] = double(Reads[K]) * LineBytes + double(OwedReads[K]);
    T.D.WriteBytes[K] = double(Writes[K]) * LineBytes + double(OwedWrites[K]);
    Sys.Stalls += T.D.StallNs[K];
  }
  Sys.Reads += double(T.Reads);
  return true;
}

void PhaseRunner::observe(Runner &T, const PreparedRecord::Row &Row) {
  if (uint32_t *Last = Watching.Uses ? &Sys.LastUse[Row.Page] : nullptr;
      Last && *Last != Sys.Tick) {
    *Last = Sys.Tick;
    Sys.Used.push_back(Row.Page);
  }
  if (Watching.Traps && Sys.TrappedAt[Row.Page] >= 0) {
    double Since = Sys.TrappedAt[Row.Page];
    Sys.TrappedAt[Row.Page] = -1;
    OwedNs += FaultNs;
    ++Faults;
    Sys.Now = StartNs + Now;
    P.onFault(Sys, T.Task, Row.Page, Since);
  }
  if (Watching.SamplePeriod > 0) {
    double &Open = UnsampledOf[T.Worker];
    Open += Row.Reads + (Watching.SampleWrites ? Row.Writes : 0);
    for (; Open >= Watching.SamplePeriod; Open -= Watching.SamplePeriod) {
      Sys.Samples.push_back({T.Task, Row.Page});
      OwedNs += SampleNs;
      ++SamplesTaken;
    }
  }
}

/// A hit takes fast memory's latency. A miss takes slow memory's latency in
/// addition (Izraelevitz et al. 2019, section 2.1.1: the tag lies with the line
/// in DRAM).
void PhaseRunner::throughCache(const PreparedRecord::Row &Row, PerTier &Reads,
                               PerTier &Writes,
                               std::array<double, MaxTiers> &Weight) {
  DramCache::Transfers C = Cache->access(Row.Page, Row.Reads, Row.Writes);
  Weight[0] += double(Row.Weight);
  if (Row.Reads)
    Weight[1] += double(Row.Weight) * double(C.ReadMisses) / Row.Reads;
  // Each lookup reads the tag with its line; fills and write-backs are writes.
  Reads[0] += Row.Reads + Row.Writes;
  Writes[0] += C.ReadMisses + Row.Writes;
  Reads[1] += C.ReadMisses;
  Writes[1] += C.WrittenBack;
  Lines[0] += C.ReadHits + C.WriteHits;
  Lines[1] += C.ReadMisses + C.WriteMisses;
}

void PhaseRunner::count(unsigned From, unsigned To, uint64_t Bytes) {
  (To < From ? PromotedBytes : DemotedBytes) += Bytes;
}

bool PhaseRunner::moveNow(uint64_t Page, unsigned To) {
  auto [Instance, Offset] = Sys.locate(Page);
  unsigned From = Map.tierOf(Page);
  PageMap::Move Move{Instance, Offset, uint8_t(To)};
  if (!Map.beginMove(Move) || !Map.finishMove(Move))
    return false;
  uint64_t Bytes = Map.pageBytes(Instance, Offset);
  OwedNs += M.MigrationPageUs * 1e3;
  if (M.MigrationBandwidthGBps > 0)
    OwedNs += double(Bytes) / M.MigrationBandwidthGBps;
  OwedReads[From] += Bytes;
  OwedWrites[To] += Bytes;
  count(From, To, Bytes);
  return true;
}

/// The next access of any running task, at random: tasks access memory at the
/// rate of their reads in the current interval, and all accesses of the
/// interval are equally likely.
bool PhaseRunner::nextAccess(SampledAccess &Out) {
  double Sum = 0;
  for (size_t I = 0; I < Running.size(); ++I)
    Sum += double(Running[I].Reads) / Ns[I];
  if (!(Sum > 0))
    return false;
  double Where = Sum * (double(Sys.random() >> 11) * 0x1p-53);
  size_t Who = 0;
  for (; Who + 1 < Running.size(); ++Who) {
    double Rate = double(Running[Who].Reads) / Ns[Who];
    if (Where < Rate)
      break;
    Where -= Rate;
  }
  Runner &T = Running[Who];
  if (!T.Reads)
    return false;
  uint64_t Access = Sys.random() % T.Reads;
  const PreparedRecord::Interval &I = R.Intervals[T.NextInterval - 1];
  uint32_t Row = I.FirstRow;
  while (Row + 1 < I.EndRow && Access >= R.Rows[Row].Reads)
    Access -= R.Rows[Row++].Reads;
  T.D.CoreNs += FaultNs / T.Remaining;
  ++Faults;
  Out = {T.Task, R.Rows[Row].Page};
  return true;
}

void PhaseRunner::tick() {
  Sys.Now = NextTick;
  P.onTick(Sys);
  ++Sys.Tick;
  Sys.Samples.clear();
  Sys.Used.clear();
  Sys.Stalls = Sys.Reads = 0;
  for (System::TierLoad &L : Sys.Loads)
    L = {L.IdleNs};
  NextTick += Watching.TickNs;
}

void PhaseRunner::begin(uint32_t Task, uint32_t Worker) {
  Runner T;
  T.Task = Task;
  T.Worker = Worker;
  T.NextInterval = R.FirstInterval[Task];
  T.StartNs = Now;
  if (!loadInterval(T)) { // a task without work and misses
    finish(T);
    return;
  }
  auto At = std::upper_bound(
      Running.begin(), Running.end(), Task,
      [](uint32_t Id, const Runner &Other) { return Id < Other.Task; });
  Running.insert(At, T);
}

void PhaseRunner::finish(const Runner &T) {
  TaskNs[T.Task] = Now - T.StartNs;
  BusyNs[T.Worker] += Now - T.StartNs;
  FreeWorkers.insert(T.Worker);
  for (uint32_t S = R.FirstSuccessor[T.Task]; S < R.FirstSuccessor[T.Task + 1];
       ++S)
    if (--OpenPredecessors[R.Successors[S]] == 0)
      Ready.insert(R.Successors[S]);
}

/// Assigns work to free workers; their own thread tasks come first.
void PhaseRunner::dispatch() {
  for (bool Progress = true; Progress;) {
    Progress = false;
    for (uint32_t W :
         std::vector<uint32_t>(FreeWorkers.begin(), FreeWorkers.end())) {
      uint32_t Task;
      if (!ThreadQueue[W].empty()) {
        Task = ThreadQueue[W].back();
        ThreadQueue[W].pop_back();
      } else if (!Ready.empty()) {
        Task = *Ready.begin();
        Ready.erase(Ready.begin());
      } else {
        continue;
      }
      FreeWorkers.erase(W);
      begin(Task, W);
      Progress = true;
    }
  }
}

void PhaseRunner::beginBatch() {
  Copier.D = Demand();
  Copier.Remaining = 1;
  while (Batch.size() < BatchPages && !Map.moves().empty()) {
    PageMap::Move Move = Map.moves().front();
    // Space freed by this batch is available only after the batch is copied.
    bool NeedsRoom = !Batch.empty() && Map.isLive(Move.Instance) &&
                     !Map.fits(Move.Instance, Move.Page, Move.To);
    if (NeedsRoom)
      break;
    Map.moves().pop_front();
    unsigned From = Map.tier(Move.Instance, Move.Page);
    if (!Map.beginMove(Move))
      continue;
    double Bytes = double(Map.pageBytes(Move.Instance, Move.Page));
    Copier.D.CoreNs += M.MigrationPageUs * 1e3;
    if (M.MigrationBandwidthGBps > 0)
      Copier.D.CoreNs += Bytes / M.MigrationBandwidthGBps;
    Copier.D.ReadBytes[From] += Bytes;
    Copier.D.WriteBytes[Move.To] += Bytes;
    Batch.push_back(Move);
    BatchFrom.push_back(uint8_t(From));
  }
}

std::vector<uint64_t> PhaseRunner::finishBatch() {
  std::vector<uint64_t> Moved;
  for (size_t N = 0; N < Batch.size(); ++N) {
    const PageMap::Move &Move = Batch[N];
    if (Map.finishMove(Move)) {
      count(BatchFrom[N], Move.To, Map.pageBytes(Move.Instance, Move.Page));
      Moved.push_back(R.FirstPage[Move.Instance] + Move.Page);
    }
  }
  Batch.clear();
  BatchFrom.clear();
  return Moved;
}

/// A page that is being moved is not mapped for PageUs; a task that accesses it
/// waits for the rest of that time. Fetches of the page are spread randomly
/// over an interval, at a rate r, so the first comes after an exponential time,
/// and a task waits  E max(0, w - t) = w - (1 - exp(-r w)) / r  for a page that
/// is unmapped for a time w.
double PhaseRunner::waitNs(const Runner &T, double IntervalNs,
                           const std::vector<uint64_t> &Moved) const {
  const PreparedRecord::Interval &I = R.Intervals[T.NextInterval - 1];
  const double Away = M.MigrationPageUs * 1e3;
  double Sum = 0;
  auto First = R.Rows.begin() + I.FirstRow, End = R.Rows.begin() + I.EndRow;
  for (uint64_t Page : Moved) {
    auto Row = std::lower_bound(
        First, End, Page,
        [](const PreparedRecord::Row &X, uint64_t P) { return X.Page < P; });
    if (Row == End || Row->Page != Page || !Row->Reads || IntervalNs <= 0)
      continue;
    const double Rate = Row->Reads / IntervalNs;
    Sum += Away + std::expm1(-Rate * Away) / Rate;
  }
  return Sum;
}

void PhaseRunner::countLoads(double Step) {
  for (size_t I = 0; I < Running.size(); ++I)
    for (unsigned K = 0; K < M.Tiers.size(); ++K) {
      const Demand &D = Running[I].D;
      const double Part = Step / Ns[I];
      System::TierLoad &L = Sys.Loads[K];
      L.Bytes += Part * D.ReadBytes[K];
      L.WaitNs += Part * Shared.waitNs(D, K);
      L.IdleWaitNs += Part * D.StallNs[K];
    }
}

double PhaseRunner::run(uint32_t Phase) {
  StartNs += Now;
  Now = 0;
  uint32_t Workers = R.Workers[Phase];
  BusyNs.assign(Workers, 0);
  ThreadQueue.assign(Workers, {});
  FreeWorkers.clear();
  for (uint32_t W = 0; W < Workers; ++W)
    FreeWorkers.insert(FreeWorkers.end(), W);
  for (uint32_t T = R.FirstTask[Phase + 1]; T-- > R.FirstTask[Phase];) {
    if (!R.isExplicit(T))
      ThreadQueue[R.Record->Tasks[T].worker].push_back(T);
    else if (!OpenPredecessors[T])
      Ready.insert(T);
  }
  dispatch();
  while (!Running.empty()) {
    if (Batch.empty())
      beginBatch();
    Demands.clear();
    for (const Runner &T : Running)
      Demands.push_back(&T.D);
    if (!Batch.empty())
      Demands.push_back(&Copier.D);
    if (!Shared.solve(Demands, Ns))
      ++Unsettled;
    // Within a picosecond, because sums of times have rounding errors.
    if (Watching.TickNs > 0 && NextTick - (StartNs + Now) < 1e-3) {
      tick(); // may charge tasks and request moves: solve again
      continue;
    }

    double Step = Running[0].Remaining * Ns[0];
    for (size_t I = 1; I < Running.size(); ++I)
      Step = std::min(Step, Running[I].Remaining * Ns[I]);
    if (!Batch.empty())
      Step = std::min(Step, Copier.Remaining * Ns.back());
    if (Watching.TickNs > 0)
      Step = std::min(Step, NextTick - (StartNs + Now));
    Now += Step;
    if (Watching.Loads)
      countLoads(Step);
    // Intervals whose ends differ only by rounding end together.
    auto Advance = [&](Runner &T, double Length) {
      bool Ends = T.Remaining * Length <= Step * (1 + 1e-12);
      T.Remaining -= Step / Length;
      return Ends;
    };
    // Move pages first, so that intervals that start now see them moved.
    std::vector<double> WaitNs;
    if (!Batch.empty() && Advance(Copier, Ns.back())) {
      std::vector<uint64_t> Moved = finishBatch();
      for (size_t I = 0; !Moved.empty() && I < Running.size(); ++I)
        WaitNs.push_back(waitNs(Running[I], Ns[I], Moved));
    }
    std::vector<Runner> Done;
    size_t Kept = 0;
    for (size_t I = 0; I < Running.size(); ++I) {
      if (Advance(Running[I], Ns[I]) && !loadInterval(Running[I])) {
        Done.push_back(Running[I]);
        continue;
      }
      if (!WaitNs.empty())
        Running[I].D.CoreNs += WaitNs[I] / Running[I].Remaining;
      if (Kept != I)
        Running[Kept] = Running[I];
      ++Kept;
    }
    Running.resize(Kept);
    for (const Runner &T : Done)
      finish(T);
    if (!Done.empty())
      dispatch();
  }
  return Now;
}

} // namespace evenkeel
