//===- PhaseRun.cpp - the tasks of a phase on virtual cores ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see PhaseRun.h.
//===----------------------------------------------------------------------===//
#include "PhaseRun.h"
#include <algorithm>
#include <cassert>
#include <cmath>

namespace evenkeel {

PhaseRunner::PhaseRunner(const PreparedRecord &R, const Machine &M,
                         PageMap &Map)
    : R(R), M(M), Map(Map), Shared(M), TaskNs(R.Record->Tasks.size(), 0),
      TaskCoreNs(R.Record->Tasks.size(), 0), Lines(M.Tiers.size(), 0),
      OpenPredecessors(R.PredecessorCount) {}

unsigned PhaseRunner::sample(Runner &T, const PreparedRecord::Row &Row) {
  unsigned Taken = 0;
  T.Unsampled += double(Row.Weight);
  for (; T.Unsampled >= SamplePeriod; T.Unsampled -= SamplePeriod) {
    auto Next =
        std::upper_bound(R.FirstPage.begin(), R.FirstPage.end(), Row.Page);
    uint32_t Instance = uint32_t(Next - R.FirstPage.begin()) - 1;
    Samples.push_back(
        {T.Task, Instance, uint32_t(Row.Page - R.FirstPage[Instance])});
    ++Taken;
  }
  return Taken;
}

/// Sums up the next interval with pages where they lie now; false at the end
/// of the task.
bool PhaseRunner::loadInterval(Runner &T) {
  if (T.NextInterval == R.FirstInterval[T.Task + 1])
    return false;
  const PreparedRecord::Interval &I = R.Intervals[T.NextInterval++];
  const double LineBytes =
      R.Record->Config.line_bytes ? R.Record->Config.line_bytes : 64;
  std::array<double, MaxTiers> Weight{};
  std::array<uint64_t, MaxTiers> Reads{}, Writes{};
  unsigned Sampled = 0;
  for (uint32_t Row = I.FirstRow; Row < I.EndRow; ++Row) {
    const PreparedRecord::Row &P = R.Rows[Row];
    unsigned K = Map.tierOf(P.Page);
    assert(K < M.Tiers.size() && "page was never placed");
    Weight[K] += double(P.Weight);
    Reads[K] += P.Reads;
    Writes[K] += P.Writes;
    if (SamplePeriod > 0)
      Sampled += sample(T, P);
  }
  T.Remaining = 1;
  T.D.CoreNs = I.CoreCycles / M.GHz + Sampled * SampleNs;
  TaskCoreNs[T.Task] += T.D.CoreNs;
  for (size_t K = 0; K < M.Tiers.size(); ++K) {
    T.D.StallNs[K] = Weight[K] * M.Tiers[K].ReadLatencyNs;
    T.D.ReadBytes[K] = double(Reads[K]) * LineBytes;
    T.D.WriteBytes[K] = double(Writes[K]) * LineBytes;
    Lines[K] += Reads[K] + Writes[K];
  }
  return true;
}

void PhaseRunner::begin(uint32_t Task, uint32_t Worker) {
  Runner T;
  T.Task = Task;
  T.Worker = Worker;
  T.NextInterval = R.FirstInterval[Task];
  T.StartNs = Now;
  T.Unsampled = SamplePeriod / 2;
  if (!loadInterval(T)) { // a task that neither computes nor misses
    finish(T);
    return;
  }
  auto At = std::upper_bound(
      Running.begin(), Running.end(), Task,
      [](uint32_t Id, const Runner &Other) { return Id < Other.Task; });
  Running.insert(At, std::move(T));
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

/// Gives free workers what they can run; own thread tasks come first.
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
    // Room that this batch frees is there only after it was copied.
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
  }
}

std::vector<uint64_t> PhaseRunner::finishBatch() {
  std::vector<uint64_t> Moved;
  for (const PageMap::Move &Move : Batch)
    if (Map.finishMove(Move)) {
      MovedBytes += Map.pageBytes(Move.Instance, Move.Page);
      Moved.push_back(R.FirstPage[Move.Instance] + Move.Page);
    }
  Batch.clear();
  return Moved;
}

/// A page on the move is not mapped for PageUs, and who needs it meanwhile
/// waits for the rest of that time. Fetches of the page spread over an interval
/// at random come at a rate r, the first after an exponential time, so a task
/// waits  E max(0, w - t) = w - (1 - exp(-r w)) / r  for a page out of reach
/// for w.
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

double PhaseRunner::run(uint32_t P, double Period) {
  Now = 0;
  SamplePeriod = Period;
  Samples.clear();
  uint32_t Workers = R.Workers[P];
  BusyNs.assign(Workers, 0);
  ThreadQueue.assign(Workers, {});
  FreeWorkers.clear();
  for (uint32_t W = 0; W < Workers; ++W)
    FreeWorkers.insert(FreeWorkers.end(), W);
  for (uint32_t T = R.FirstTask[P + 1]; T-- > R.FirstTask[P];) {
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

    double Step = Running[0].Remaining * Ns[0];
    for (size_t I = 1; I < Running.size(); ++I)
      Step = std::min(Step, Running[I].Remaining * Ns[I]);
    if (!Batch.empty())
      Step = std::min(Step, Copier.Remaining * Ns.back());
    Now += Step;
    // Intervals that end within rounding of each other end together.
    auto Advance = [&](Runner &T, double Length) {
      bool Ends = T.Remaining * Length <= Step * (1 + 1e-12);
      T.Remaining -= Step / Length;
      return Ends;
    };
    // Pages first, so that intervals which start now see them moved.
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
