//===- CountedMisses.cpp - estimate misses from counts --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CountedMisses.h.
//===----------------------------------------------------------------------===//
#include "CountedMisses.h"
#include "problem/Demand.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace evenkeel;

namespace {

/// The kinds of a task's accesses to an object.
struct Ways {
  double InOrder = 0, Random = 0, Chase = 0; // shares; the sum is 1
  double LinesEach = 1;                      // lines per access, for accesses
                                             // in order
};

/// One task's use of one object.
struct Use {
  uint32_t Task, Inst;
  double Reads, Writes;
  Ways How;
  double Footprint = 0;    // distinct lines that it touches
  double From = 0, To = 1; // the address range used, as shares of the object

  double elements() const { return std::max(Reads, Writes); }
};

class Estimator {
  Profile &P;
  const Facts &F;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<const AccessFact *>> Of;
  /// Of a region that the analysis does not know: accesses anywhere.
  std::map<uint64_t, std::vector<const AccessFact *>> OfSite;
  std::set<uint64_t> Regions;                             // that it knows
  std::map<std::pair<uint64_t, uint32_t>, double> Values; // symbol, task
  std::vector<Use> Uses;
  /// Footprints of all objects that a task uses, and that a worker uses in the
  /// whole run.
  std::vector<double> LinesOfTask;
  std::vector<double> BroughtBy; // lines that a task streams through, and its
                                 // random accesses
  std::map<uint32_t, double> LinesOfWorker;

  double weightOf(const AccessFact &A, uint32_t Task) const;
  Ways waysOf(uint32_t Task, uint32_t Inst) const;
  void assignRanges();
  double walkedLines(const Use &U) const {
    return U.elements() * U.How.InOrder * U.How.LinesEach;
  }
  double lines(const Use &U, double CacheBytes) const;
  double exposed(const Use &U, double Lines) const;
  void write(const Use &U);

public:
  Estimator(Profile &P, const Facts &F) : P(P), F(F) {}
  void run();
};

} // namespace

/// The number of accesses of \p Task that the formula of \p A counts, on the
/// base input.
double Estimator::weightOf(const AccessFact &A, uint32_t Task) const {
  EvalContext C;
  C.Task = P.Tasks[Task].index;
  C.Tasks = std::max(1u, P.Phases[P.Tasks[Task].phase].width);
  C.Lookup = [&](uint64_t S) -> std::optional<double> {
    for (uint32_t T : {Task, EK_NO_TASK})
      if (auto It = Values.find({S, T}); It != Values.end())
        return It->second;
    return std::nullopt;
  };
  double Sum = 0;
  for (const ExprRef &E : {A.Reads, A.Writes})
    if (std::optional<double> V = E ? valueOf(*E, C) : std::nullopt)
      Sum += std::max(0.0, *V);
    else if (E)
      return double(std::max<uint64_t>(1, A.Places));
  return Sum;
}

Ways Estimator::waysOf(uint32_t Task, uint32_t Inst) const {
  Ways W;
  const uint64_t Region = P.Tasks[Task].region, Site = P.Instances[Inst].site;
  const auto It = Of.find({Region, Site});
  const auto Any = OfSite.find(Site);
  if (It == Of.end() && (Regions.count(Region) || Any == OfSite.end()))
    return W.Random = 1, W;
  double Lines = 0;
  const uint64_t Context = P.Instances[Inst].context;
  for (const AccessFact *A : It != Of.end() ? It->second : Any->second) {
    const bool Known = Context || It != Of.end(); // in an imported profile, not
    if (Known && !A->Contexts.empty() &&
        !std::binary_search(A->Contexts.begin(), A->Contexts.end(), Context))
      continue;
    const double N = weightOf(*A, Task);
    const double Element = A->ElementBytes ? double(A->ElementBytes) : 8;
    if (A->Dependent || A->Class == AccessFact::Chase) {
      W.Chase += N;
    } else if (isInOrder(*A) || A->Class == AccessFact::Strided) {
      const double Step = A->Stride ? std::abs(double(*A->Stride)) : Element;
      const double Points = A->Points ? std::max(1u, *A->Points) : 1;
      W.InOrder += N;
      Lines += A->Class == AccessFact::Invariant
                   ? 0
                   : N * std::min(1.0, Step / LineBytes) / Points;
    } else {
      W.Random += N;
    }
  }
  const double All = W.InOrder + W.Random + W.Chase;
  if (All <= 0)
    return Ways{0, 1, 0, 1};
  if (W.InOrder > 0)
    W.LinesEach = Lines / W.InOrder;
  for (double *Share : {&W.InOrder, &W.Random, &W.Chase})
    *Share /= All;
  return W;
}

/// If the tasks of a phase together walk through an object, and none of them
/// through all of it, each gets a share, in task order, as loop schedules
/// distribute iterations.
void Estimator::assignRanges() {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Use *>> Together;
  for (Use &U : Uses)
    if (U.How.InOrder >= 0.5)
      Together[{P.Tasks[U.Task].phase, U.Inst}].push_back(&U);
  for (auto &[Where, Its] : Together) {
    const double Lines =
        std::max(1.0, double(P.Instances[Where.second].bytes) / LineBytes);
    double All = 0;
    for (const Use *U : Its)
      All += U->elements();
    if (Its.size() < 2 || All <= 0 ||
        std::all_of(Its.begin(), Its.end(), [&](const Use *U) {
          return U->Footprint >= figures().WholeWalk * Lines;
        }))
      continue;
    double Before = 0;
    for (Use *U : Its) {
      U->From = Before / All;
      Before += U->elements();
      U->To = Before / All;
      U->Footprint = std::min(U->Footprint, (U->To - U->From) * Lines);
    }
  }
}

/// The hit ratio of random accesses to \p Lines lines, if each access brings in
/// \p Others other lines that are not used again, at most \p MostOthers in
/// total (Che, Tung, Wang 2002: the whole cache is used once per characteristic
/// time).
static double hitShare(double Lines, double Others, double MostOthers,
                       double Cache) {
  auto Used = [&](double Time) {
    return Lines * (1 - std::exp(-Time / Lines)) +
           std::min(std::max(0.0, MostOthers), Time * Others);
  };
  double Low = 0, High = Lines;
  constexpr double Enough = 50; // times all lines: all are touched
  while (Used(High) < Cache && High < Enough * Lines)
    High *= 2;
  if (Used(High) < Cache)
    return 1;
  for (int Step = 0; Step < 30; ++Step) {
    const double Middle = (Low + High) / 2;
    (Used(Middle) < Cache ? Low : High) = Middle;
  }
  return 1 - std::exp(-Low / Lines);
}

/// The lines that \p U fetches with a last level of this size: first touches,
/// unless the worker's data fit; and repeated touches, unless the task's data
/// fit.
double Estimator::lines(const Use &U, double CacheBytes) const {
  const double Cache = CacheBytes / LineBytes, Way = walkedLines(U),
               Jumps = U.elements() * (U.How.Random + U.How.Chase);
  const double First =
      Way + Jumps > 0 ? std::min(1.0, U.Footprint / (Way + Jumps)) : 0; // share
  // LRU replacement: a streamed working set hits completely or not at all.
  auto Missing = [&](double Work, double Hits) {
    return Way * (Work > Cache) + Jumps * (1 - Hits);
  };
  const double Worker = LinesOfWorker.at(P.Tasks[U.Task].worker),
               Task = LinesOfTask[U.Task];
  const double Others =
      Jumps > 0 ? (BroughtBy[U.Task] - Jumps) / Jumps : 0; // per random access
  return First * Missing(Worker, std::min(1.0, Cache / std::max(1.0, Worker))) +
         (1 - First) * Missing(Task, Jumps > 0
                                         ? hitShare(U.Footprint, Others,
                                                    Task - U.Footprint, Cache)
                                         : 0);
}

/// The latencies that a core waits for \p Lines, estimated as in sampled
/// recordings.
double Estimator::exposed(const Use &U, double Lines) const {
  const double Instructions =
      std::max(1.0, double(P.Tasks[U.Task].instructions));
  const double InWindow =
      std::clamp(P.Config.rob_instructions * Lines / Instructions, 1.0,
                 figures().FillBuffers);
  const double Depth = P.Config.prefetch_depth;
  const double Walked = Depth > 0 ? 1 / Depth : 1 / InWindow;
  const double Way = U.How.InOrder * U.How.LinesEach;
  const double All = Way + U.How.Random + U.How.Chase;
  return All <= 0
             ? 0
             : Lines * (Way * Walked + U.How.Random / InWindow + U.How.Chase) /
                   All;
}

void Estimator::write(const Use &U) {
  const double Lines = lines(U, P.Config.llc_share_bytes);
  ek_raw_mrc Curve = {U.Task, U.Inst, {}};
  bool Any = false;
  for (unsigned K = 0; K < EK_RAW_LLC_SIZES; ++K)
    if (P.Config.llc_sizes[K]) {
      Curve.reads[K] = uint64_t(lines(U, P.Config.llc_sizes[K]) + 0.5);
      Any |= Curve.reads[K] != 0;
    }
  if (Any)
    P.Curves.push_back(Curve);
  if (Lines < 0.5)
    return;
  const double Dirty =
      Lines * (U.elements() > 0 ? std::min(1.0, U.Writes / U.elements()) : 0);
  const double Weight = exposed(U, Lines);
  const uint64_t Pages = (P.Instances[U.Inst].bytes + EK_PAGE - 1) / EK_PAGE;
  const auto Chunks = unsigned(std::clamp<uint64_t>(Pages, 1, EK_CHUNKS));
  const unsigned First = std::min(Chunks - 1, unsigned(U.From * Chunks));
  const unsigned Last =
      std::clamp(unsigned(std::ceil(U.To * Chunks)), First + 1, Chunks);
  const double Each = 1.0 / (Last - First);
  double Read = 0, Written = 0; // sums so far, to compensate for rounding
  uint64_t ReadSaid = 0, WrittenSaid = 0;
  for (unsigned K = First; K < Last; ++K) {
    Read += Lines * Each;
    Written += Dirty * Each;
    ek_raw_miss M = {};
    M.task = U.Task;
    M.inst = U.Inst;
    M.chunk = K * EK_CHUNKS / Chunks;
    M.reads = uint64_t(Read + 0.5) - ReadSaid;
    M.writes = uint64_t(Written + 0.5) - WrittenSaid;
    M.weight = Weight * Each;
    ReadSaid += M.reads;
    WrittenSaid += M.writes;
    if (M.reads || M.writes)
      P.Misses.push_back(M);
  }
}

void Estimator::run() {
  for (const AccessFact &A : F.Accesses)
    for (uint64_t Site : A.Sites) {
      Of[{A.Region, Site}].push_back(&A);
      OfSite[Site].push_back(&A);
    }
  for (const RegionFact &R : F.Regions)
    Regions.insert(R.Id);
  for (const ek_raw_symbol &S : P.Symbols)
    if (S.times)
      Values[{S.symbol, S.task}] = S.sum / double(S.times);
  for (const ek_raw_access &A : P.Accesses) {
    Use U = {A.task, A.inst, double(A.reads), double(A.writes),
             waysOf(A.task, A.inst)};
    const double Lines = double(P.Instances[A.inst].bytes) / LineBytes;
    U.Footprint =
        std::min(Lines, U.elements() * (U.How.InOrder * U.How.LinesEach +
                                        U.How.Random + U.How.Chase));
    Uses.push_back(U);
  }
  if (rules().DealtWalks)
    assignRanges();
  LinesOfTask.assign(P.Tasks.size(), 0);
  BroughtBy.assign(P.Tasks.size(), 0);
  std::map<std::pair<uint32_t, uint32_t>, double> Most; // worker, instance
  for (const Use &U : Uses) {
    LinesOfTask[U.Task] += U.Footprint;
    BroughtBy[U.Task] +=
        walkedLines(U) + U.elements() * (U.How.Random + U.How.Chase);
    double &Its = Most[{P.Tasks[U.Task].worker, U.Inst}];
    Its = std::max(Its, U.Footprint);
  }
  for (const auto &[Where, Lines] : Most)
    LinesOfWorker[Where.first] += Lines;
  for (const Use &U : Uses)
    write(U);
}

Profile evenkeel::withEstimatedMisses(Profile P, const Facts &F) {
  P.Misses.clear();
  P.Curves.clear();
  Estimator(P, F).run();
  return P;
}
