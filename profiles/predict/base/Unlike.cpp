//===- Unlike.cpp - phases without a counterpart in the base --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Unlike.h.
//===----------------------------------------------------------------------===//
#include "Unlike.h"
#include "problem/Demand.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

using namespace evenkeel;

namespace {

/// Latencies that a read of an access class waits if the base has no such
/// accesses: a full latency if addresses depend on earlier reads or the class
/// is unknown; streams are prefetched (assumed).
constexpr double WaitsInFull = 1;

bool goesInOrder(AccessFact::ClassType Class) {
  return Class == AccessFact::Stream || Class == AccessFact::Strided ||
         Class == AccessFact::Stencil;
}

/// A region's accesses to a site, from the facts.
struct Use {
  AccessFact::ClassType Class = AccessFact::Unknown;
  double ElementBytes = 8;
  bool Reads = false, Writes = false;
};

bool isNever(const ExprRef &E) { return E->K == Expr::Const && E->Value == 0; }

using Uses = std::map<uint64_t, Use>; // by site

Uses usesOf(const Facts &F, uint64_t Region) {
  Uses Out;
  for (const AccessFact &A : F.Accesses)
    if (A.Region == Region)
      for (uint64_t Site : A.Sites) {
        auto [At, New] = Out.try_emplace(Site);
        Use &Its = At->second;
        // Of several classes, the one that waits longest.
        if (New || (goesInOrder(Its.Class) && !goesInOrder(A.Class)))
          Its.Class = A.Class;
        if (A.ElementBytes)
          Its.ElementBytes = double(A.ElementBytes);
        Its.Reads |= !isNever(A.Reads);
        Its.Writes |= !isNever(A.Writes);
      }
  return Out;
}

class Extender {
  const Profile &B;
  const Facts &F;
  Profile Out;
  std::map<uint64_t, uint32_t> PhaseOf;          // its last phase, by region
  std::map<uint64_t, Uses> UsesOf;               // by region
  std::map<AccessFact::ClassType, double> Waits; // a read, by class
  std::map<InstanceKey, uint32_t> InstanceOf;    // of the result
  std::vector<uint32_t> Lives;                   // instances
  std::set<std::pair<uint64_t, uint32_t>>
      Has; // region and instance in the base

public:
  Extender(const Profile &B, const Facts &F) : B(B), F(F), Out(B) {
    for (const ek_raw_task &T : B.Tasks) {
      auto [At, New] = PhaseOf.try_emplace(T.region, T.phase);
      At->second = std::max(At->second, T.phase);
    }
    // Weight and reads by class.
    std::map<AccessFact::ClassType, std::pair<double, double>> Sums;
    for (const ek_raw_miss &M : B.Misses) {
      const uint64_t Region = B.Tasks[M.task].region;
      Has.insert({Region, M.inst});
      const Uses &Its = of(Region);
      if (auto At = Its.find(B.Instances[M.inst].site); At != Its.end()) {
        Sums[At->second.Class].first += M.weight;
        Sums[At->second.Class].second += double(M.reads);
      }
    }
    for (const auto &[Class, Sum] : Sums)
      if (Sum.second > 0)
        Waits[Class] = Sum.first / Sum.second;
  }

  Profile run(const std::vector<LiveObject> &Alive,
              const std::vector<UnlikePhase> &Seen) {
    takeAlive(Alive);
    if (Out.Like.empty()) {
      Out.Like.resize(Out.Phases.size());
      std::iota(Out.Like.begin(), Out.Like.end(), 0);
    }
    uint32_t Most = 0;
    for (const UnlikePhase &S : Seen)
      Most = std::max(Most,
                      std::min(S.Times, uint32_t(figures().MostUnlikePhases)));
    // The first phases may find other cache contents than those that follow.
    std::vector<uint32_t> Second(Seen.size());
    for (uint32_t N = 0; N < Most; ++N)
      for (size_t K = 0; K < Seen.size(); ++K) {
        if (N >= Seen[K].Times)
          continue;
        if (N == 1)
          Second[K] = uint32_t(Out.Phases.size());
        addPhase(Seen[K], N > 1 ? Second[K] : EK_NO_TASK);
      }
    std::sort(Out.Symbols.begin(), Out.Symbols.end(), comesFirst);
    return std::move(Out);
  }

private:
  const Uses &of(uint64_t Region) {
    auto At = UsesOf.find(Region);
    if (At == UsesOf.end())
      At = UsesOf.emplace(Region, usesOf(F, Region)).first;
    return At->second;
  }

  /// The region that a team executes before \p Sync: as in the base, else the
  /// last region of its function that begins before it. 0: none.
  uint64_t regionOf(uint64_t Sync) const {
    for (auto T = B.Tasks.rbegin(); T != B.Tasks.rend(); ++T) {
      const RegionFact *R =
          B.Phases[T->phase].sync == Sync ? F.region(T->region) : nullptr;
      if (R && !R->isSerial())
        return R->Id;
    }
    const auto Point =
        std::find_if(F.Syncs.begin(), F.Syncs.end(),
                     [&](const SyncFact &X) { return X.Id == Sync; });
    const RegionFact *Last = nullptr;
    for (const RegionFact &R : F.Regions)
      if (Point != F.Syncs.end() && !R.isSerial() &&
          R.Function == Point->Function &&
          !(coordinateOf(Point->At) < coordinateOf(R.At)) &&
          (!Last || coordinateOf(Last->At) < coordinateOf(R.At)))
        Last = &R;
    return Last ? Last->Id : 0;
  }

  /// Objects that the base has freed by now, but that are alive, live on.
  void takeAlive(const std::vector<LiveObject> &Alive) {
    for (uint32_t I = 0; I < Out.Instances.size(); ++I)
      InstanceOf[keyOf(nameOf(Out.Instances[I]))] = I;
    const auto Next = uint32_t(B.Phases.size());
    std::set<uint32_t> Is;
    for (const LiveObject &A : Alive) {
      auto [At, New] =
          InstanceOf.try_emplace(keyOf(A.Name), uint32_t(Out.Instances.size()));
      if (New) {
        ek_raw_inst X = {};
        X.site = A.Name.Site;
        X.context = A.Name.Context;
        X.creator = uint32_t(A.Name.Creator);
        X.ordinal = A.Name.Ordinal;
        X.in_context = A.Name.InContext;
        X.bytes = uint64_t(A.Bytes);
        X.alloc_phase = Next > 0 ? Next - 1 : 0;
        Out.Instances.push_back(X);
      }
      Out.Instances[At->second].free_phase = EK_NO_TASK;
      Is.insert(At->second);
    }
    // And vice versa.
    for (uint32_t I = 0; I < Out.Instances.size(); ++I)
      if (Is.count(I) || EK_RAW_IS_SMALL(Out.Instances[I].ordinal))
        Lives.push_back(I);
      else if (Out.Instances[I].free_phase == EK_NO_TASK && Next > 0)
        Out.Instances[I].free_phase =
            std::max(Out.Instances[I].alloc_phase, Next - 1);
  }

  bool lives(uint32_t I) const {
    return std::binary_search(Lives.begin(), Lives.end(), I);
  }

  /// Sites that accesses of \p Region may reach besides new data, which the
  /// base does not have there.
  std::set<uint64_t> leftBy(uint64_t Region) const {
    std::set<uint64_t> Out;
    for (const AccessFact &A : F.Accesses)
      if (A.Region == Region &&
          std::any_of(A.Sites.begin(), A.Sites.end(), [&](uint64_t Site) {
            return std::any_of(Lives.begin(), Lives.end(), [&](uint32_t I) {
              return isOther(Region, I) && this->Out.Instances[I].site == Site;
            });
          }))
        Out.insert(A.Sites.begin(), A.Sites.end());
    return Out;
  }

  /// Whether tasks of \p Region do not fetch \p I in the base.
  bool isOther(uint64_t Region, uint32_t I) const {
    return I >= B.Instances.size() && !Has.count({Region, I}) &&
           !EK_RAW_IS_SMALL(Out.Instances[I].ordinal);
  }

  /// Appends the rows of the base's task \p Old about instances that still live
  /// and whose site is not in \p Left. Rows are sorted by task.
  template <typename T>
  void copy(const std::vector<T> &From, std::vector<T> &To, uint32_t Old,
            uint32_t New, const std::set<uint64_t> &Left) {
    auto Row = std::lower_bound(
        From.begin(), From.end(), Old,
        [](const T &X, uint32_t Task) { return X.task < Task; });
    for (; Row != From.end() && Row->task == Old; ++Row)
      if (lives(Row->inst) && !Left.count(B.Instances[Row->inst].site)) {
        To.push_back(*Row);
        To.back().task = New;
      }
  }

  /// Rows added for a phase are sorted by task.
  void sortFrom(size_t Misses, size_t Accesses) {
    std::sort(Out.Misses.begin() + std::ptrdiff_t(Misses), Out.Misses.end(),
              [](const ek_raw_miss &X, const ek_raw_miss &Y) {
                return std::tie(X.task, X.inst, X.chunk) <
                       std::tie(Y.task, Y.inst, Y.chunk);
              });
    std::sort(Out.Accesses.begin() + std::ptrdiff_t(Accesses),
              Out.Accesses.end(),
              [](const ek_raw_access &X, const ek_raw_access &Y) {
                return std::tie(X.task, X.inst) < std::tie(Y.task, Y.inst);
              });
  }

  /// Appends tasks like the last ones of \p Region in the base. Returns their
  /// number.
  uint32_t repeat(uint64_t Region, uint32_t Phase) {
    const auto At = PhaseOf.find(Region);
    if (At == PhaseOf.end())
      return 0;
    const std::set<uint64_t> Left = leftBy(Region);
    uint32_t Count = 0;
    for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
      if (B.Tasks[T].phase != At->second || B.Tasks[T].region != Region)
        continue;
      const auto New = uint32_t(Out.Tasks.size());
      Out.Tasks.push_back(B.Tasks[T]);
      Out.Tasks.back().phase = Phase;
      copy(B.Accesses, Out.Accesses, T, New, Left);
      copy(B.Misses, Out.Misses, T, New, Left);
      copy(B.Curves, Out.Curves, T, New, Left);
      copy(B.Far, Out.Far, T, New, Left);
      for (ek_raw_symbol S : B.Symbols)
        if (S.task == T) {
          S.task = New;
          Out.Symbols.push_back(S);
        }
      ++Count;
    }
    return Count;
  }

  /// Task \p Which of \p Width fetches its share of the lines of \p I once: the
  /// lines of its own chunks if tasks walk through the data in order, else
  /// lines of all chunks.
  void fetch(uint32_t Task, uint32_t Which, uint32_t Width, uint32_t I,
             const Use &Its) {
    const double Bytes = double(Out.Instances[I].bytes);
    const bool InOrder = goesInOrder(Its.Class);
    const uint32_t From = InOrder ? EK_CHUNKS * Which / Width : 0,
                   To = InOrder ? EK_CHUNKS * (Which + 1) / Width : EK_CHUNKS;
    const double Lines = Bytes / LineBytes / EK_CHUNKS / (InOrder ? 1 : Width);
    const auto Known = Waits.find(Its.Class);
    const double Wait = Known != Waits.end() ? Known->second
                        : InOrder            ? figures().WaitsAhead
                                             : WaitsInFull;
    double Done = 0; // lines; whole lines so far
    for (uint32_t C = From; C < To; ++C) {
      const double Until = std::round(Lines * (C + 1 - From)), N = Until - Done;
      Done = Until;
      if (N > 0)
        Out.Misses.push_back({Task, I, C, 0, uint64_t(N),
                              Its.Writes ? uint64_t(N) : 0, N * Wait, 0});
    }
    const auto Elements = uint64_t(Bytes / Its.ElementBytes / Width);
    Out.Accesses.push_back(
        {Task, I, Its.Reads ? Elements : 0, Its.Writes ? Elements : 0});
    Out.Tasks[Task].core_cycles += Elements;
    Out.Tasks[Task].instructions += Elements;
  }

  /// \p Like: the phase whose tasks represent its own; EK_NO_TASK: itself.
  void addPhase(UnlikePhase S, uint32_t Like) {
    if (!S.Region)
      S.Region = regionOf(S.Sync);
    const auto Phase = uint32_t(Out.Phases.size());
    Out.Phases.push_back({S.Sync, S.Width > 1 ? 1u : 0u, S.Width});
    Out.Like.push_back(Like == EK_NO_TASK ? Phase : Like);
    if (Like != EK_NO_TASK)
      return;
    const auto First = uint32_t(Out.Tasks.size());
    const size_t Misses = Out.Misses.size(), Accesses = Out.Accesses.size();
    uint32_t Width = repeat(S.Region, Phase);
    for (const bool IsNew = Width == 0; IsNew && Width < S.Width; ++Width) {
      ek_raw_task T = {};
      T.region = S.Region;
      T.phase = Phase;
      T.index = T.worker = Width;
      Out.Tasks.push_back(T);
    }
    for (const auto &[Site, Its] : of(S.Region))
      for (uint32_t I : Lives)
        if (Out.Instances[I].site == Site && isOther(S.Region, I))
          for (uint32_t T = 0; T < Width; ++T)
            fetch(First + T, T, Width, I, Its);
    sortFrom(Misses, Accesses);
  }
};

} // namespace

UnlikeLog::UnlikeLog(const Profile &Base) {
  for (const ek_raw_phase &H : Base.Phases)
    Syncs.insert(H.sync);
  for (const ek_raw_inst &I : Base.Instances)
    Sites.insert(I.site);
}

void UnlikeLog::object(uint64_t Site) {
  if (!Site || Sites.count(Site))
    return;
  ++Objects;
  Begun = true;
}

bool UnlikeLog::phaseEnded(const UnlikePhase &H) {
  if (!Syncs.count(H.Sync)) {
    ++Phases;
    Begun = true;
  }
  if (!Begun)
    return false;
  auto Its = std::find_if(Kinds.begin(), Kinds.end(), [&](const auto &K) {
    return K.Sync == H.Sync && K.Region == H.Region;
  });
  if (Its == Kinds.end())
    Its = Kinds.insert(Kinds.end(), {H.Sync, H.Region, H.Width, 0});
  ++Its->Times;
  Its->Width = std::max(Its->Width, H.Width);
  if (++Since < Next)
    return false;
  Next *= 2;
  return true;
}

Profile evenkeel::withUnlike(const Profile &Base, const Facts &F,
                             const std::vector<LiveObject> &Alive,
                             const std::vector<UnlikePhase> &Seen) {
  return Extender(Base, F).run(Alive, Seen);
}
