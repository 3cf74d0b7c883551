//===- Prefix.cpp - extend the beginning of a run -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prefix.h.
//===----------------------------------------------------------------------===//
#include "Prefix.h"
#include "format/ek_sizes.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace evenkeel;

namespace {

/// Stop extending when there are more rows of misses than this.
constexpr size_t MostRows = 4 << 20;

/// Identifies a kind of phase: the last sync point before it, the one that ends
/// it, and the region of its first task.
using KindKey = std::tuple<uint64_t, uint64_t, uint64_t>;

struct Course { // by phase
  std::vector<uint32_t> Kind;
  std::vector<double> Seconds, Instructions;
};

/// \p Numbers: numbers of kinds, including kinds from earlier calls.
Course courseOf(const Profile &P, std::map<KindKey, uint32_t> &Numbers) {
  Course C;
  const size_t N = P.Phases.size();
  std::vector<uint64_t> Region(N, 0);
  std::vector<double> Cycles(N, 0), Waits(N, 0);
  std::vector<uint32_t> Tasks(N, 0);
  C.Instructions.resize(N, 0);
  for (const ek_raw_task &T : P.Tasks) {
    C.Instructions[T.phase] += double(T.instructions);
    if (!Tasks[T.phase]++)
      Region[T.phase] = T.region;
    Cycles[T.phase] += double(T.core_cycles);
  }
  for (const ek_raw_miss &M : P.Misses)
    Waits[P.Tasks[M.task].phase] += M.weight;
  const double GHz = P.Config.ghz > 0 ? P.Config.ghz : 1;
  uint64_t Before = 0; // serial code ends at no sync point
  for (size_t H = 0; H < N; ++H) {
    const KindKey Key{Before, P.Phases[H].sync, Region[H]};
    Before = P.Phases[H].sync ? P.Phases[H].sync : Before;
    C.Kind.push_back(
        Numbers.try_emplace(Key, uint32_t(Numbers.size())).first->second);
    const double Width = std::max<uint32_t>(P.Phases[H].width, 1);
    C.Seconds.push_back((Cycles[H] / GHz + Waits[H] * figures().PrefixWaitNs) *
                        1e-9 / Width);
  }
  return C;
}

Course courseOf(const Profile &P) {
  std::map<KindKey, uint32_t> Numbers;
  return courseOf(P, Numbers);
}

/// The phases of the kind that takes the most time among kinds that still
/// repeat at the end: the distance from the last one to the end does not exceed
/// the largest distance so far.
std::vector<uint32_t> heaviestRepeated(const Course &C) {
  std::map<uint32_t, std::vector<uint32_t>> At;
  std::map<uint32_t, double> Seconds;
  for (uint32_t H = 0; H < C.Kind.size(); ++H) {
    At[C.Kind[H]].push_back(H);
    Seconds[C.Kind[H]] += C.Seconds[H];
  }
  std::vector<uint32_t> Best;
  double Most = -1;
  for (const auto &[Kind, Phases] : At) {
    uint32_t Gap = 0;
    for (size_t I = 1; I < Phases.size(); ++I)
      Gap = std::max(Gap, Phases[I] - Phases[I - 1]);
    const bool GoesOn = C.Kind.size() - 1 - Phases.back() < Gap;
    if (GoesOn && Seconds[Kind] > Most) {
      Most = Seconds[Kind];
      Best = Phases;
    }
  }
  return Best;
}

/// Repeatedly appends copies of one phase of \p Source to \p Out.
class Repeater {
  const Profile &B;
  const Iteration It;
  Profile Out;
  std::vector<uint32_t> FirstTask;  // by phase of B, and the end
  std::vector<uint32_t> NewestTask; // by task of B: its latest copy
  /// By instance of B: the instance that replaces it one iteration later, or
  /// itself.
  std::vector<uint32_t> Successor;
  std::vector<uint32_t> NewestInst;        // by instance of B
  std::vector<std::vector<uint32_t>> Made; // instances, by phase of B
  /// The next ordinal of an instance, for its site and for its context.
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> Ordinals;
  std::map<std::tuple<uint64_t, uint64_t, uint32_t>, uint32_t> InContexts;
  template <typename T> struct ByTask {
    const std::vector<T> *Rows;
    std::vector<size_t> First; // by task, and the end
  };
  ByTask<ek_raw_dep> Deps;
  ByTask<ek_raw_part> Parts;
  ByTask<ek_raw_access> Accesses;
  ByTask<ek_raw_miss> Misses;
  ByTask<ek_raw_mrc> Curves;
  ByTask<ek_raw_far> Far;
  std::vector<std::vector<ek_raw_symbol>> Symbols; // by task

  template <typename T> ByTask<T> byTask(const std::vector<T> &Rows) const {
    ByTask<T> Of{&Rows, std::vector<size_t>(B.Tasks.size() + 1, 0)};
    for (const T &Row : Rows)
      ++Of.First[Row.task + 1];
    for (size_t I = 1; I < Of.First.size(); ++I)
      Of.First[I] += Of.First[I - 1];
    return Of;
  }

  template <typename T>
  void copy(const ByTask<T> &Of, std::vector<T> &To, uint32_t Old,
            uint32_t New) {
    for (size_t I = Of.First[Old]; I < Of.First[Old + 1]; ++I) {
      T Row = (*Of.Rows)[I];
      Row.task = New;
      if constexpr (std::is_same_v<T, ek_raw_dep>)
        Row.pred = NewestTask[Row.pred];
      else if constexpr (std::is_same_v<T, ek_raw_part>)
        Row.first = NewestTask[Row.first];
      else
        Row.inst = NewestInst[Successor[Row.inst]];
      To.push_back(Row);
    }
  }

  /// Appends an instance like \p I, allocated in \p Phase.
  void makeInstance(uint32_t I, uint32_t Phase) {
    ek_raw_inst X = B.Instances[I];
    if (EK_RAW_IS_SMALL(X.ordinal))
      return; // one instance represents all of them
    const uint32_t Lives = X.free_phase - X.alloc_phase;
    X.ordinal = Ordinals[{X.site, X.creator}]++;
    X.in_context = InContexts[{X.site, X.context, X.creator}]++;
    if (X.number)
      X.number = X.ordinal;
    X.alloc_phase = Phase;
    X.free_phase = X.free_phase == EK_NO_TASK ? EK_NO_TASK : Phase + Lives;
    NewestInst[I] = uint32_t(Out.Instances.size());
    Out.Instances.push_back(X);
  }

  void addPhase(uint32_t Phase) {
    const uint32_t Of = It.sourceOf(Phase);
    Out.Phases.push_back(B.Phases[Of]);
    for (uint32_t I : Made[Of])
      makeInstance(I, Phase);
    for (uint32_t T = FirstTask[Of]; T < FirstTask[Of + 1]; ++T) {
      const uint32_t New = uint32_t(Out.Tasks.size());
      Out.Tasks.push_back(B.Tasks[T]);
      Out.Tasks.back().phase = Phase;
      NewestTask[T] = New;
    }
    for (uint32_t T = FirstTask[Of]; T < FirstTask[Of + 1]; ++T) {
      const uint32_t New = NewestTask[T];
      copy(Deps, Out.Deps, T, New);
      copy(Parts, Out.Parts, T, New);
      copy(Accesses, Out.Accesses, T, New);
      copy(Misses, Out.Misses, T, New);
      copy(Curves, Out.Curves, T, New);
      copy(Far, Out.Far, T, New);
      for (ek_raw_symbol S : Symbols[T]) {
        S.task = New;
        Out.Symbols.push_back(S);
      }
    }
  }

  /// Whether the iteration before the repeated one also left an instance alive.
  bool growsAt(const ek_raw_inst &X) const {
    return X.alloc_phase >= It.Length &&
           std::any_of(B.Instances.begin(), B.Instances.end(),
                       [&](const ek_raw_inst &Y) {
                         return Y.site == X.site && Y.context == X.context &&
                                Y.creator == X.creator &&
                                Y.alloc_phase == X.alloc_phase - It.Length &&
                                Y.free_phase == EK_NO_TASK;
                       });
  }

  /// The instance of the last iteration that corresponds to \p I of the
  /// previous one: the same number of its site's instances precede it in its
  /// phase.
  std::optional<uint32_t> successorOf(uint32_t I) const {
    const ek_raw_inst &X = B.Instances[I];
    auto IsLike = [&](const ek_raw_inst &Y, uint32_t Phase) {
      return Y.site == X.site && Y.context == X.context &&
             Y.creator == X.creator && Y.alloc_phase == Phase;
    };
    uint32_t Before = 0;
    for (uint32_t J = 0; J < I; ++J)
      Before += IsLike(B.Instances[J], X.alloc_phase);
    for (uint32_t J = 0; J < B.Instances.size(); ++J)
      if (IsLike(B.Instances[J], X.alloc_phase + It.Length) && !Before--)
        return J;
    return std::nullopt;
  }

  /// If an instance from before the iteration is freed in it and has no
  /// successor, but one like it is allocated in the iteration, it is assumed to
  /// live on. Instances that the last iteration left alive stay.
  void prepareInstances() {
    Made.resize(It.Phases);
    for (uint32_t I = 0; I < B.Instances.size(); ++I) {
      NewestInst.push_back(I);
      Successor.push_back(I);
      ek_raw_inst &X = Out.Instances[I];
      if (X.alloc_phase >= It.First && X.alloc_phase < It.First + It.Length) {
        if (X.free_phase != EK_NO_TASK || growsAt(X))
          Made[X.alloc_phase].push_back(I);
      } else if (X.alloc_phase < It.First && X.free_phase != EK_NO_TASK &&
                 X.free_phase >= It.First) {
        if (const std::optional<uint32_t> Next = successorOf(I))
          Successor[I] = *Next;
        else
          X.free_phase = EK_NO_TASK;
      }
      if (EK_RAW_IS_SMALL(X.ordinal))
        continue;
      uint32_t &Next = Ordinals[{X.site, X.creator}];
      Next = std::max(Next, X.ordinal + 1);
      uint32_t &InContext = InContexts[{X.site, X.context, X.creator}];
      InContext = std::max(InContext, X.in_context + 1);
    }
  }

  /// The prefix may end in the middle of an iteration; the last repeated phases
  /// are then the latest phases like them.
  void startInTheMiddle() {
    for (uint32_t Phase = It.First + It.Length; Phase < It.Phases; ++Phase) {
      const uint32_t Of = Phase - It.Length;
      const uint32_t N = FirstTask[Of + 1] - FirstTask[Of];
      if (N == FirstTask[Phase + 1] - FirstTask[Phase])
        for (uint32_t T = 0; T < N; ++T)
          NewestTask[FirstTask[Of] + T] = FirstTask[Phase] + T;
      for (uint32_t I : Made[Of])
        if (const std::optional<uint32_t> Next = successorOf(I))
          NewestInst[I] = *Next;
    }
  }

public:
  Repeater(const Profile &B, const Iteration &It)
      : B(B), It(It), Out(B), FirstTask(B.Phases.size() + 1, 0),
        Deps(byTask(B.Deps)), Parts(byTask(B.Parts)),
        Accesses(byTask(B.Accesses)), Misses(byTask(B.Misses)),
        Curves(byTask(B.Curves)), Far(byTask(B.Far)), Symbols(B.Tasks.size()) {
    for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
      ++FirstTask[B.Tasks[T].phase + 1];
      NewestTask.push_back(T);
    }
    for (size_t H = 1; H < FirstTask.size(); ++H)
      FirstTask[H] += FirstTask[H - 1];
    for (const ek_raw_symbol &S : B.Symbols)
      if (S.task != EK_NO_TASK)
        Symbols[S.task].push_back(S);
    prepareInstances();
    startInTheMiddle();
  }

  size_t rows() const { return Out.Misses.size(); }
  uint32_t phases() const { return uint32_t(Out.Phases.size()); }

  void add() { addPhase(phases()); }

  Profile take() {
    for (ek_raw_inst &X : Out.Instances)
      if (X.free_phase != EK_NO_TASK && X.free_phase >= phases())
        X.free_phase = EK_NO_TASK;
    std::sort(Out.Symbols.begin(), Out.Symbols.end(), comesFirst);
    return std::move(Out);
  }
};

template <typename T> bool isByTask(const std::vector<T> &Rows) {
  return std::is_sorted(Rows.begin(), Rows.end(),
                        [](const T &X, const T &Y) { return X.task < Y.task; });
}

/// The recorder sorts rows by task; files from elsewhere may not be sorted.
bool liesByTask(const Profile &P) {
  return std::is_sorted(P.Tasks.begin(), P.Tasks.end(),
                        [](const ek_raw_task &X, const ek_raw_task &Y) {
                          return X.phase < Y.phase;
                        }) &&
         isByTask(P.Deps) && isByTask(P.Parts) && isByTask(P.Accesses) &&
         isByTask(P.Misses) && isByTask(P.Curves) && isByTask(P.Far);
}

} // namespace

std::optional<Iteration> evenkeel::iterationOf(const Profile &Prefix) {
  const Course C = courseOf(Prefix);
  const std::vector<uint32_t> At = heaviestRepeated(C);
  if (At.size() < 2)
    return std::nullopt;
  const uint32_t Last = At.back();
  auto Equal = [&](size_t I) { // iterations that end with At[I] and At.back()
    const uint32_t Length = Last - At[At.size() - 2];
    return At[I] - At[I - 1] == Length &&
           std::equal(C.Kind.begin() + At[I - 1] + 1,
                      C.Kind.begin() + At[I] + 1,
                      C.Kind.begin() + At[At.size() - 2] + 1);
  };
  bool All = true;
  for (size_t I = 1; I + 1 < At.size(); ++I)
    All &= Equal(I);
  // The last of several equal iterations, because the first ones find cold
  // caches and touch data first. If iterations differ, all of them repeat
  // together.
  const uint32_t First = (All ? At[At.size() - 2] : At[0]) + 1;
  Iteration It;
  It.Phases = uint32_t(Prefix.Phases.size());
  It.First = First;
  It.Length = Last + 1 - First;
  It.Next = (It.Phases - (Last + 1)) % It.Length;
  const double Before =
      C.Instructions[At[At.size() -
                        std::min(At.size(),
                                 size_t(figures().IterationsCompared))]];
  if (Before > 0)
    It.Growth = C.Instructions[Last] / Before;
  return It;
}

Profile evenkeel::continued(const Profile &Prefix) {
  if (Prefix.Ended.empty() || !liesByTask(Prefix))
    return Prefix;
  const std::optional<Iteration> It = iterationOf(Prefix);
  if (!It)
    return Prefix;
  const Course C = courseOf(Prefix);
  double All = 0, Repeated = 0; // seconds
  std::set<uint32_t> Kinds(C.Kind.begin() + It->First,
                           C.Kind.begin() + It->First + It->Length);
  for (size_t H = 0; H < C.Kind.size(); ++H) {
    All += C.Seconds[H];
    Repeated += Kinds.count(C.Kind[H]) ? C.Seconds[H] : 0;
  }
  Repeater R(Prefix, *It);
  while (Repeated < figures().RepeatedTime * All && R.rows() < MostRows &&
         R.phases() < It->Phases + uint32_t(figures().MostPhasesAdded)) {
    const double Seconds = C.Seconds[It->sourceOf(R.phases())];
    All += Seconds;
    Repeated += Seconds;
    R.add();
  }
  return R.take();
}

std::vector<uint32_t> evenkeel::likePhases(const Profile &Prefix,
                                           const Profile &Whole) {
  std::map<KindKey, uint32_t> Numbers;
  const Course Have = courseOf(Prefix, Numbers),
               Want = courseOf(Whole, Numbers);
  const std::optional<Iteration> It =
      Prefix.Ended.empty() ? std::nullopt : iterationOf(Prefix);
  std::map<uint32_t, uint32_t> LastOf; // by kind
  for (uint32_t H = 0; H < Have.Kind.size(); ++H)
    LastOf[Have.Kind[H]] = H;
  std::vector<uint32_t> Out;
  uint32_t At = It ? It->Next : 0; // position in the iteration
  for (uint32_t H = 0; H < Want.Kind.size(); ++H) {
    if (H < Have.Kind.size() && Have.Kind[H] == Want.Kind[H]) {
      Out.push_back(H);
      continue;
    }
    uint32_t Like = EK_NO_TASK;
    for (uint32_t I = 0; It && I < It->Length && Like == EK_NO_TASK; ++I)
      if (const uint32_t P = It->First + (At + I) % It->Length;
          Have.Kind[P] == Want.Kind[H]) {
        Like = P;
        At = (At + I + 1) % It->Length;
      }
    if (auto Last = LastOf.find(Want.Kind[H]);
        Like == EK_NO_TASK && Last != LastOf.end())
      Like = Last->second;
    Out.push_back(Like);
  }
  return Out;
}

Unreached evenkeel::listUnreached(const Facts &F, const Profile &Prefix) {
  Unreached Out;
  std::set<uint64_t> Sites, Regions;
  for (const ek_raw_inst &I : Prefix.Instances)
    Sites.insert(I.site);
  for (const ek_raw_task &T : Prefix.Tasks)
    Regions.insert(T.region);
  std::map<uint64_t, double> Values; // the largest seen
  for (const ek_raw_symbol &S : Prefix.Symbols)
    if (S.times) {
      auto [At, New] = Values.try_emplace(S.symbol, double(S.max));
      At->second = New ? At->second : std::max(At->second, double(S.max));
    }
  EvalContext Known;
  Known.Lookup = [&](uint64_t Id) -> std::optional<double> {
    auto At = Values.find(Id);
    return At == Values.end() ? std::nullopt : std::optional(At->second);
  };
  for (const SiteFact &S : F.Sites) {
    if (!S.isLive() || Sites.count(S.Id))
      continue;
    std::optional<double> Bytes =
        S.Size ? valueOf(*S.Size, Known) : std::nullopt;
    if (!Bytes || *Bytes >= EK_LARGE_BYTES)
      Out.Sites.push_back({&S, Bytes});
  }
  std::sort(Out.Sites.begin(), Out.Sites.end(),
            [](const Unreached::Site &X, const Unreached::Site &Y) {
              return std::tuple(-X.Bytes.value_or(0), coordinateOf(X.Fact->At),
                                X.Fact->Id) <
                     std::tuple(-Y.Bytes.value_or(0), coordinateOf(Y.Fact->At),
                                Y.Fact->Id);
            });
  for (const RegionFact &R : F.Regions)
    if (!R.isSerial() && !Regions.count(R.Id))
      Out.Regions.push_back(&R);
  return Out;
}
