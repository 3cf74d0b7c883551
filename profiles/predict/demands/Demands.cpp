//===- Demands.cpp - what tasks did to objects on the base input ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rows of the base profile; which demands are walks or random.
// Makes: the demands by task and object, and which phases gather.
//===----------------------------------------------------------------------===//
#include "Demands.h"
#include "problem/Problem.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <iterator>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// The access pattern of \p Accesses to an instance: one bit for each class,
/// another one if the accesses are dependent.
static uint32_t patternOf(const std::vector<const AccessFact *> &Accesses) {
  uint32_t Bits = 0;
  for (const AccessFact *A : Accesses)
    Bits |= 1u << (2 * A->Class + A->Dependent);
  return Bits;
}

/// Whether \p A visits an instance in an order that depends on data.
static bool isRandom(const AccessFact *A) {
  return A->Class == AccessFact::Random || A->Blocks == AccessFact::Random;
}

static void addWays(const BaseTables &Base, uint32_t Task, BaseDemand &Q) {
  const std::vector<const AccessFact *> *Its = Base.accesses(Task, Q.Inst);
  if (!Its)
    return;
  Q.Pattern = patternOf(*Its);
  Q.Walked = std::all_of(Its->begin(), Its->end(),
                         [](const AccessFact *A) { return isInOrder(*A); });
  Q.Random = std::any_of(Its->begin(), Its->end(), isRandom);
}

/// The instances of each task's rows.
using InstancesOfTasks = std::vector<std::vector<uint32_t>>;

/// Adds the instances of \p Rows, which are usually sorted by task and
/// instance.
template <typename Row>
static void addInstances(const std::vector<Row> &Rows, InstancesOfTasks &To) {
  InstancesOfTasks Its(To.size());
  for (const Row &R : Rows)
    if (Its[R.task].empty() || Its[R.task].back() != R.inst)
      Its[R.task].push_back(R.inst);
  std::vector<uint32_t> Both;
  for (uint32_t T = 0; T < To.size(); ++T) {
    if (!std::is_sorted(Its[T].begin(), Its[T].end()))
      std::sort(Its[T].begin(), Its[T].end());
    Both.clear();
    std::set_union(To[T].begin(), To[T].end(), Its[T].begin(), Its[T].end(),
                   std::back_inserter(Both));
    To[T] = Both;
  }
}

namespace {
/// Finds demands; cheap if those of a task are asked for in order.
class Finder {
  DemandsOfTasks &In;
  std::vector<size_t> At; // by task: the last one found

public:
  explicit Finder(DemandsOfTasks &In) : In(In), At(In.size(), 0) {}

  BaseDemand &operator()(uint32_t Task, uint32_t Inst) {
    std::vector<BaseDemand> &Its = In[Task];
    size_t &K = At[Task];
    if (Its[K].Inst != Inst && (++K == Its.size() || Its[K].Inst != Inst))
      K = size_t(std::lower_bound(Its.begin(), Its.end(), Inst,
                                  [](const BaseDemand &Q, uint32_t I) {
                                    return Q.Inst < I;
                                  }) -
                 Its.begin());
    return Its[K];
  }
};
} // namespace

static DemandsOfTasks readRows(const BaseTables &Base) {
  const Profile &B = Base.B;
  InstancesOfTasks Instances(B.Tasks.size());
  addInstances(B.Misses, Instances);
  addInstances(B.Accesses, Instances);
  addInstances(B.Curves, Instances);
  DemandsOfTasks Out(B.Tasks.size());
  for (uint32_t T = 0; T < Out.size(); ++T) {
    Out[T].resize(Instances[T].size());
    for (size_t K = 0; K < Out[T].size(); ++K) {
      Out[T][K].Inst = Instances[T][K];
      addWays(Base, T, Out[T][K]);
    }
  }
  Finder OfMiss(Out), OfAccess(Out), OfCurve(Out);
  for (const ek_raw_miss &M : B.Misses) {
    BaseDemand &X = OfMiss(M.task, M.inst);
    X.Reads += static_cast<double>(M.reads);
    X.Writes += static_cast<double>(M.writes);
    X.Weight += M.weight;
    X.Rows.push_back(&M);
  }
  for (const ek_raw_access &A : B.Accesses) {
    BaseDemand &X = OfAccess(A.task, A.inst);
    X.Loads += static_cast<double>(A.reads);
    X.Stores += static_cast<double>(A.writes);
    X.Accesses = X.Loads + X.Stores;
  }
  for (const ek_raw_mrc &C : B.Curves)
    OfCurve(C.task, C.inst).Curve = &C;
  return Out;
}

static std::vector<std::pair<unsigned, unsigned>> usedChunks(const Profile &B) {
  std::vector<std::pair<unsigned, unsigned>> Out(B.Instances.size(),
                                                 {EK_CHUNKS, 0});
  for (const ek_raw_miss &M : B.Misses) {
    auto &[First, Last] = Out[M.inst];
    First = std::min(First, unsigned(M.chunk));
    Last = std::max(Last, unsigned(M.chunk));
  }
  return Out;
}

Gathering evenkeel::prediction::makeGathering(const BaseTables &Base,
                                              const DemandsOfTasks &Of) {
  struct Lines {
    double All = 0, Most = 0; // of one task
    unsigned Tasks = 0;
    bool Walked = true, Random = false;
  };
  std::map<std::pair<uint32_t, uint32_t>, Lines> Fetched; // phase, instance
  for (uint32_t T = 0; T < Of.size(); ++T)
    for (const BaseDemand &Q : Of[T]) {
      Lines &Its = Fetched[{Base.B.Tasks[T].phase, Q.Inst}];
      Its.All += Q.Reads;
      Its.Most = std::max(Its.Most, Q.Reads);
      Its.Walked &= Q.Walked;
      Its.Random |= Q.Random;
      Its.Tasks += Q.Reads > 0;
    }
  auto Bytes = [&](uint32_t Inst) {
    return double(Base.B.Instances[Inst].bytes);
  };
  auto Once = [&](uint32_t Inst, const Lines &N) {
    const double Whole = Bytes(Inst) / LineBytes;
    return N.Most <= figures().MostWalked * Whole &&
           N.All >= figures().LeastWalked * Whole * N.Tasks;
  };
  Gathering Out;
  Out.Gathered.resize(Base.B.Phases.size());
  Out.Scattered.resize(Base.B.Phases.size());
  for (const auto &[Where, N] : Fetched)
    if (N.All * LineBytes > figures().LinesAgain * Bytes(Where.second) &&
        !(N.Walked &&
          (N.Most >= figures().WalkedAlone * N.All || Once(Where.second, N))))
      Out.Gathered[Where.first].push_back(Where.second);
    else if (N.Random && Base.Kinds.TakesTurns[Where.first])
      Out.Scattered[Where.first].push_back(Where.second);
  return Out;
}

static std::map<AccessTable::Key, double>
usualAccesses(const BaseTables &Base, const DemandsOfTasks &Of) {
  const Profile &B = Base.B;
  std::map<AccessTable::Key, double> Usual;
  std::map<uint64_t, double> Tasks;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    Tasks[B.Tasks[T].region] += Base.times(T);
    for (const BaseDemand &Q : Of[T])
      if (Q.Accesses > 0)
        Usual[{B.Tasks[T].region, B.Instances[Q.Inst].site}] +=
            Q.Accesses * Base.times(T);
  }
  for (auto &[Where, Accesses] : Usual)
    Accesses /= Tasks[Where.first];
  return Usual;
}

BaseDemands evenkeel::prediction::makeDemands(const BaseTables &Base) {
  BaseDemands Out;
  Out.Of = readRows(Base);
  Out.UsedChunks = usedChunks(Base.B);
  Out.Overlap = makeOverlaps(Base, Out.Of);
  addWriteBacks(Base, Out.Of);
  Out.Gather = makeGathering(Base, Out.Of);
  Out.Usual = usualAccesses(Base, Out.Of);
  for (uint32_t T = 0; T < Out.Of.size(); ++T)
    if (!Out.Of[T].empty() && Base.Tasks.Began[T] == T)
      Out.Began[Base.B.Tasks[T].region].push_back(T);
  return Out;
}
