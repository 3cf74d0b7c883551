//===- Demands.cpp - what tasks fetched on the base input -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: lines per task, object and chunk, exposed latencies, who gathers.
// Leaves out: the target (Tasks.cpp).
//===----------------------------------------------------------------------===//
#include "format/Course.h"
#include "predict/Extrapolator.h"
#include "problem/Problem.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

/// A number for the ways in which a task's region accesses an instance.
uint32_t Extrapolator::patternOf(uint32_t T, uint32_t Inst) const {
  auto It = AccessesOf.find({B.Tasks[T].region, B.Instances[Inst].site});
  if (It == AccessesOf.end())
    return 0;
  std::set<std::string> Ways;
  for (const AccessFact *A : It->second)
    Ways.insert(A->Class + (A->Dependent ? "!" : ""));
  std::string All;
  for (const std::string &W : Ways)
    All += W + " ";
  return uint32_t(std::hash<std::string>()(All)) | 1;
}

/// Whether the task's region accesses an instance in the order of its addresses
/// and in no other way.
bool Extrapolator::isWalked(uint32_t T, uint32_t Inst) const {
  auto It = AccessesOf.find({B.Tasks[T].region, B.Instances[Inst].site});
  return It != AccessesOf.end() &&
         std::all_of(It->second.begin(), It->second.end(),
                     [](const AccessFact *A) { return isInOrder(*A); });
}

/// Whether data say where the task's region accesses an instance.
bool Extrapolator::isRandom(uint32_t T, uint32_t Inst) const {
  auto It = AccessesOf.find({B.Tasks[T].region, B.Instances[Inst].site});
  return It != AccessesOf.end() &&
         std::any_of(It->second.begin(), It->second.end(),
                     [](const AccessFact *A) {
                       return A->Class == "random" || A->Blocks == "random";
                     });
}

void Extrapolator::readDemands() {
  const size_t N = B.Tasks.size();
  std::vector<std::map<uint32_t, BaseDemand>> D(N);
  UsedChunks.assign(B.Instances.size(), {EK_CHUNKS, 0});
  struct Lines {
    double All = 0, Most = 0; // of one task
    unsigned Tasks = 0;
    bool Walked = true, Random = false;
  };
  std::map<std::pair<uint32_t, uint32_t>, Lines> Fetched; // phase, instance
  // Rows come in the order of tasks and instances.
  auto Demand = [&](uint32_t Task, uint32_t Inst) -> BaseDemand & {
    return D[Task].try_emplace(D[Task].end(), Inst)->second;
  };
  for (const ek_raw_miss &M : B.Misses) {
    BaseDemand &X = Demand(M.task, M.inst);
    const double Reads = static_cast<double>(M.reads);
    X.Reads += Reads;
    X.Writes += static_cast<double>(M.writes);
    X.Weight += M.weight;
    X.Rows.push_back(&M);
    auto &[First, Last] = UsedChunks[M.inst];
    First = std::min(First, unsigned(M.chunk));
    Last = std::max(Last, unsigned(M.chunk));
    Weighed &Team = TeamOverlap[{B.Tasks[M.task].phase, M.inst}];
    Team.first += M.weight;
    Team.second += Reads;
    AllWeight += M.weight * times(M.task);
    AllReads += Reads * times(M.task);
  }
  for (const ek_raw_access &A : B.Accesses) {
    BaseDemand &X = Demand(A.task, A.inst);
    X.Loads += static_cast<double>(A.reads);
    X.Stores += static_cast<double>(A.writes);
    X.Accesses = X.Loads + X.Stores;
  }
  auto SyncOf = [&](uint32_t T) { return B.Phases[B.Tasks[T].phase].sync; };
  for (const ek_raw_far &X : B.Far) {
    FarLines &Team = TeamFar[{SyncOf(X.task), X.inst}];
    Team.Weight += X.weight;
    Team.Reads += static_cast<double>(X.reads);
  }
  for (const ek_raw_access &A : B.Accesses)
    if (auto Team = TeamFar.find({SyncOf(A.task), A.inst});
        Team != TeamFar.end())
      Team->second.Accesses +=
          static_cast<double>(A.reads + A.writes) * times(A.task);
  for (const ek_raw_mrc &C : B.Curves) {
    D[C.task][C.inst].Curve = &C;
    if (auto Team = TeamFar.find({SyncOf(C.task), C.inst});
        Team != TeamFar.end())
      Team->second.Through += static_cast<double>(*std::max_element(
                                  C.reads, C.reads + EK_RAW_LLC_SIZES)) *
                              times(C.task);
  }
  for (const ek_raw_miss &M : B.Misses)
    if (auto Team = TeamFar.find({SyncOf(M.task), M.inst});
        Team != TeamFar.end()) {
      Team->second.Came.first += M.weight * times(M.task);
      Team->second.Came.second += static_cast<double>(M.reads) * times(M.task);
    }
  Demands.resize(N);
  for (size_t T = 0; T < N; ++T)
    for (auto &[Inst, Q] : D[T]) {
      Q.Inst = Inst;
      Q.Pattern = patternOf(T, Inst);
      Q.Walked = isWalked(T, Inst);
      Q.Random = isRandom(T, Inst);
      Lines &Its = Fetched[{B.Tasks[T].phase, Inst}];
      Its.All += Q.Reads;
      Its.Most = std::max(Its.Most, Q.Reads);
      Its.Walked &= Q.Walked;
      Its.Random |= Q.Random;
      Its.Tasks += Q.Reads > 0;
      for (uint32_t Of : {Inst, AnyInstance}) {
        Weighed &All = Overlap[{Q.Pattern, Of}];
        All.first += Q.Weight * times(uint32_t(T));
        All.second += Q.Reads * times(uint32_t(T));
      }
      Demands[T].push_back(std::move(Q));
    }
  InOrder.resize(N);
  std::iota(InOrder.begin(), InOrder.end(), 0u);
  std::sort(InOrder.begin(), InOrder.end(), [&](uint32_t X, uint32_t Y) {
    return std::pair(B.Tasks[X].phase, X) < std::pair(B.Tasks[Y].phase, Y);
  });
  readDirty();
  // Lines of a phase over the lines its objects have: above 1, some came again.
  constexpr double Again = 1.25;
  // What a single task walks through, it does again and again; what each walks
  // through from end to end, each does once.
  constexpr double Alone = 0.9;
  constexpr double Least = 0.95, Most = 1.02; // some may lie in the caches
  auto Once = [&](uint32_t Inst, const Lines &N) {
    const double Whole = double(B.Instances[Inst].bytes) / LineBytes;
    return N.Most <= Most * Whole && N.All >= Least * Whole * N.Tasks;
  };
  Gathered.resize(B.Phases.size());
  Scattered.resize(B.Phases.size());
  for (const auto &[Where, N] : Fetched)
    if (N.All * LineBytes >
            Again * static_cast<double>(B.Instances[Where.second].bytes) &&
        !(N.Walked && (N.Most >= Alone * N.All || Once(Where.second, N))))
      Gathered[Where.first].push_back(Where.second);
    else if (N.Random && TakesTurns[Where.first])
      Scattered[Where.first].push_back(Where.second);
  Explicit.resize(B.Phases.size());
  for (const ek_raw_task &T : B.Tasks)
    if (T.flags & 1)
      Explicit[T.phase] = true;
}

bool Extrapolator::isGathered(uint32_t Phase, uint32_t Inst) const {
  return std::binary_search(Gathered[Phase].begin(), Gathered[Phase].end(),
                            Inst);
}

/// Why one thread's gathers hit more often than another's on the base input is
/// a matter of the base input's data, of which another input has none: there,
/// all tasks of a team get the team's lines per access, curve and overlap.
void Extrapolator::levelTeams() {
  std::vector<std::vector<uint32_t>> Threads(B.Phases.size());
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    if (!(B.Tasks[T].flags & 1))
      Threads[B.Tasks[T].phase].push_back(T);
  for (uint32_t H = 0; H < B.Phases.size(); ++H)
    for (uint32_t Inst : Gathered[H]) {
      std::vector<BaseDemand *> Team;
      double Reads = 0, Weight = 0, Accesses = 0;
      ek_raw_mrc Curve = {};
      for (uint32_t T : Threads[H])
        for (BaseDemand &Q : Demands[T]) {
          if (Q.Inst != Inst || Q.Reads <= 0 || Q.Accesses <= 0)
            continue;
          Team.push_back(&Q);
          Reads += Q.Reads;
          Weight += Q.Weight;
          Accesses += Q.Accesses;
          for (int K = 0; Q.Curve && K < EK_RAW_LLC_SIZES; ++K)
            Curve.reads[K] += Q.Curve->reads[K];
        }
      if (Team.size() < 2)
        continue;
      const ek_raw_mrc *Shared = &(TeamCurve[{H, Inst}] = Curve);
      for (BaseDemand *Q : Team) {
        Q->TeamScaled = Reads / Accesses * Q->Accesses / Q->Reads;
        Q->TeamMlp = Weight / Reads;
        if (Q->Curve)
          Q->TeamCurve = Shared;
      }
      TeamsLevelled += unsigned(Times[H]);
    }
}

/// Where data say what a task accesses, and other values in turn which part of
/// them, another input's parts lie elsewhere: so many chunks to either side. On
/// sem's 2x input, whose parts lie up to 13 off, 8 is worse, 16 and 32 are
/// alike.
static constexpr unsigned Elsewhere = EK_CHUNKS / 16;

namespace {

/// Of the most that a chunk has, lines and latencies that are none; of a chunk,
/// what is no part of it.
constexpr double Rounding = 1e-9;

/// What a part of an object has, and when.
struct Cell {
  double Reads = 0, Writes = 0, Exposed = 0;
  Course When;

  void add(const Cell &O, double Times) {
    Reads += O.Reads * Times;
    Writes += O.Writes * Times;
    Exposed += O.Exposed * Times;
    for (unsigned K = 0; K < Course::Parts; ++K)
      When.Lines[K] += O.When.Lines[K] * Times;
  }
  void dropBelow(double Least) {
    for (double *X : {&Reads, &Writes, &Exposed})
      *X = *X < Least ? 0 : *X;
    for (double &X : When.Lines)
      X = X < Least ? 0 : X;
  }
};

/// Each of \p Cells gets the mean of those at most Elsewhere away; what would
/// come from beyond the ends comes from as far on this side of them.
void loosen(std::vector<Cell> &Cells) {
  const auto N = int(Cells.size());
  if (N < 2)
    return;
  auto Mirrored = [&](int C) {
    C = ((C % (2 * N)) + 2 * N) % (2 * N);
    return C < N ? C : 2 * N - 1 - C;
  };
  constexpr auto Away = int(Elsewhere);
  const double Each = 1.0 / (2 * Away + 1);
  std::vector<Cell> Out(Cells.size());
  Cell Sum;
  for (int C = -Away; C <= Away; ++C)
    Sum.add(Cells[Mirrored(C)], Each);
  for (int C = 0; C < N; ++C) {
    Out[C] = Sum;
    Sum.add(Cells[Mirrored(C + Away + 1)], Each);
    Sum.add(Cells[Mirrored(C - Away)], -Each);
  }
  // What is taken away again leaves a rest.
  double Most = 0;
  for (const Cell &X : Cells)
    Most = std::max({Most, X.Reads, X.Writes, X.Exposed});
  for (Cell &X : Out)
    X.dropBelow(Rounding * Most);
  Cells = std::move(Out);
}

} // namespace

/// Profiles count a page's lines where it begins. So a base instance of few
/// pages has lines in every so many chunks only, and of one of some hundred
/// each chunk has those of three pages, say, or four; on the target they lie
/// where the pages do.
void Extrapolator::shape(BaseDemand &Q, unsigned Parts, double Stretch,
                         bool Loose) const {
  Q.Parts = Parts;
  Q.Stretch = Stretch;
  Q.Loose = Loose;
  Q.Shape.clear();
  const double PerPage = double(EK_PAGE) * EK_CHUNKS /
                         std::max(1.0, double(B.Instances[Q.Inst].bytes));
  // Where the lines of a base chunk lie, from .. to, in chunks: on the pages
  // that begin there.
  auto PlaceOf = [&](unsigned Chunk) {
    double From = Chunk, To = Chunk + 1;
    const double Begin = std::ceil(From / PerPage - Rounding),
                 End = std::ceil(To / PerPage - Rounding);
    if (Begin < End) {
      From = Begin * PerPage;
      To = End * PerPage;
    }
    From = std::min(From * Stretch, EK_CHUNKS - 1.0);
    return std::pair(
        From, std::clamp(To * Stretch, From + Rounding, double(EK_CHUNKS)));
  };
  const auto [First, Last] = UsedChunks[Q.Inst];
  const auto UsedFrom = unsigned(PlaceOf(First).first);
  std::vector<Cell> Sum(Parts), Used;
  if (Loose)
    Used.resize(unsigned(std::ceil(PlaceOf(Last).second)) - UsedFrom);
  for (const ek_raw_miss *M : Q.Rows) {
    Cell Row{double(M->reads), double(M->writes), M->weight, {}};
    Row.When.add(Row.Reads, M->course);
    const auto [From, To] = PlaceOf(M->chunk);
    for (auto C = unsigned(From); C < To; ++C) {
      // Of what is walked through, the first lines lie first.
      const double Begin = (std::max(double(C), From) - From) / (To - From),
                   End = (std::min(C + 1.0, To) - From) / (To - From),
                   Part = End - Begin;
      if (Part < Rounding)
        continue;
      Cell Its = Row;
      if (Q.Walked && Part < 1) {
        Its.When = Row.When.between(Begin, End);
        for (double &X : Its.When.Lines)
          X /= Part;
      }
      (Loose ? Used[C - UsedFrom] : Sum[C * Parts / EK_CHUNKS]).add(Its, Part);
    }
  }
  loosen(Used);
  for (size_t C = 0; C < Used.size(); ++C)
    Sum[(UsedFrom + C) * Parts / EK_CHUNKS].add(Used[C], 1);
  for (unsigned K = 0; K < Parts; ++K) {
    const Cell &X = Sum[K];
    if (X.Reads <= 0 && X.Writes <= 0 && X.Exposed <= 0 &&
        Q.inPart(K, Parts) <= 0)
      continue;
    UnitDemand &Z = Q.Shape.emplace_back();
    Z.Unit = K;
    Z.ReadLines = X.Reads;
    Z.WriteLines = X.Writes;
    Z.Exposed = X.Exposed;
    Z.Course = X.When.packed();
  }
}

} // namespace extrapolation
} // namespace evenkeel
