//===- Sizes.cpp - sizes of objects on the target -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an array that one region fills once from end to end ties its size to
// the number of iterations that fill it: whichever of the two is known for the
// target gives the other. One that regions read through, each element once,
// tells by its size how often they iterate.
// Makes: instances with a size and the method that gave it, and their units.
//===----------------------------------------------------------------------===//
#include "Instances.h"
#include "predict/Extrapolator.h"
#include "problem/Problem.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

/// Tasks of the region of \p A that go through \p Bytes in elements, each of
/// them once in every phase that they run in; empty if they do not.
std::vector<uint32_t> Extrapolator::wholeWalk(const AccessFact &A,
                                              const Expr &Count,
                                              double Bytes) const {
  std::map<uint32_t, double> PerPhase;
  std::vector<uint32_t> Tasks;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    if (B.Tasks[T].region == A.Region)
      if (std::optional<double> V = evalBase(Count, T); V && *V > 0) {
        PerPhase[B.Tasks[T].phase] += *V;
        Tasks.push_back(T);
      }
  // Recorders may round the size up to a line.
  for (const auto &Phase : PerPhase)
    if (Phase.second < LeastTelling ||
        std::fabs(Phase.second * double(A.ElementBytes) - Bytes) >
            LineBytes + 1e-6 * Bytes)
      return {};
  return Tasks;
}

static std::map<uint64_t, std::vector<const ek_raw_inst *>>
bySite(const Profile &B) {
  std::map<uint64_t, std::vector<const ek_raw_inst *>> Instances;
  for (const ek_raw_inst &I : B.Instances)
    Instances[I.site].push_back(&I);
  return Instances;
}

void Extrapolator::findFills() {
  const auto Instances = bySite(B);
  for (const AccessFact &A : F.Accesses) {
    if (A.Class != "stream" || A.Sites.size() != 1 || !A.ElementBytes)
      continue;
    auto It = Instances.find(A.Sites[0]);
    if (It == Instances.end() || It->second.size() != 1)
      continue;
    const double Bytes = static_cast<double>(It->second[0]->bytes);
    // Written once and for all, the loop says how large the array is; read, it
    // may be read again in every phase.
    if (A.Writes && !Fills.count(A.Sites[0])) {
      std::vector<uint32_t> Tasks = wholeWalk(A, *A.Writes, Bytes);
      std::set<uint32_t> Phases;
      for (uint32_t T : Tasks)
        Phases.insert(B.Tasks[T].phase);
      if (Phases.size() == 1)
        Fills[A.Sites[0]] = {&A, std::move(Tasks)};
    }
    if (A.Reads && A.Reads->K == Expr::Symbol &&
        !ReadThrough.count(A.Reads->Sym)) {
      std::vector<uint32_t> Tasks = wholeWalk(A, *A.Reads, Bytes);
      if (!Tasks.empty())
        ReadThrough[A.Reads->Sym] = {&A, std::move(Tasks)};
    }
  }
}

/// How far the values of a measured symbol lie apart, over their mean: a
/// condition that holds in all rows but the border's has few that differ.
double Extrapolator::spreadOf(uint64_t Symbol) const {
  double Sum = 0, Seen = 0;
  int64_t Least = 0, Most = 0;
  for (const ek_raw_symbol &S : B.Symbols) {
    if (S.symbol != Symbol || !S.times)
      continue;
    Least = Seen > 0 ? std::min(Least, S.min) : S.min;
    Most = Seen > 0 ? std::max(Most, S.max) : S.max;
    const double Again = S.task == EK_NO_TASK ? 1 : times(S.task);
    Sum += S.sum * Again;
    Seen += double(S.times) * Again;
  }
  return Sum > 0 ? double(Most - Least) * Seen / Sum : 0;
}

/// Of the counts that make up a fill, one whose values differ at least that
/// many times as much as the others' is what the others leave.
static constexpr double LeastApart = 4;

void Extrapolator::findJointFills() {
  const auto Instances = bySite(B);
  std::map<Key, std::vector<const AccessFact *>> Writing;
  for (const AccessFact &A : F.Accesses)
    if (A.Sites.size() == 1 && A.ElementBytes && A.Writes &&
        !(A.Writes->K == Expr::Const && A.Writes->Value == 0))
      Writing[{A.Region, A.Sites[0]}].push_back(&A);
  for (const auto &Entry : Writing) {
    const uint64_t Site = Entry.first.second;
    const std::vector<const AccessFact *> &All = Entry.second;
    auto It = Instances.find(Site);
    if (All.size() < 2 || Fills.count(Site) || JointFills.count(Site) ||
        It == Instances.end() || It->second.size() != 1 ||
        std::any_of(All.begin(), All.end(), [&](const AccessFact *A) {
          return A->ElementBytes != All[0]->ElementBytes;
        }))
      continue;
    std::vector<ExprRef> Counts;
    std::vector<std::pair<double, const AccessFact *>> Measured;
    for (const AccessFact *A : All) {
      Counts.push_back(A->Writes);
      if (A->Writes->K != Expr::Symbol)
        continue;
      const SymbolFact *S = F.symbol(A->Writes->Sym);
      if (S && S->Kind == "measured")
        Measured.emplace_back(spreadOf(S->Id), A);
    }
    std::sort(Measured.rbegin(), Measured.rend());
    if (Measured.empty() ||
        (Measured.size() > 1 &&
         Measured[0].first < LeastApart * Measured[1].first))
      continue;
    JointFill X;
    X.Of.Access = Measured[0].second;
    X.Symbol = X.Of.Access->Writes->Sym;
    X.Of.Tasks = wholeWalk(*All[0], *makeOp("+", Counts),
                           static_cast<double>(It->second[0]->bytes));
    std::set<uint32_t> Phases;
    for (uint32_t T : X.Of.Tasks)
      Phases.insert(B.Tasks[T].phase);
    if (Phases.size() != 1)
      continue;
    for (const AccessFact *A : All)
      if (A != X.Of.Access)
        X.Rest.push_back(A);
    JointFills[Site] = std::move(X);
  }
}

/// Whether the size of \p N is known for the target: seen, or a formula's of
/// values that somebody gave.
bool Extrapolator::isSized(const PredictedInstance &N) const {
  return N.Method == KnownMethod ||
         (!GivenTarget.empty() && N.Method.rfind(FormulaMethod, 0) == 0);
}

/// A size that is known for the target tells how often its array was written,
/// or read through.
void Extrapolator::sizeSymbols() {
  std::map<uint64_t, const PredictedInstance *> Sized; // by site
  for (const PredictedInstance &N : P.Instances)
    if (isSized(N))
      Sized[N.Site] = &N;
  for (const auto &[Site, Fill] : Fills)
    if (auto N = Sized.find(Site);
        N != Sized.end() && Fill.Access->Writes->K == Expr::Symbol)
      sizeSymbol(Fill, Fill.Access->Writes->Sym, N->second->Bytes);
  for (const auto &[Site, Fill] : JointFills) {
    auto N = Sized.find(Site);
    if (N == Sized.end())
      continue;
    double Left = N->second->Bytes;
    for (uint32_t T : Fill.Of.Tasks)
      for (const AccessFact *A : Fill.Rest) {
        Trace How;
        Left -= double(A->ElementBytes) *
                std::max(0.0, evalTarget(*A->Writes, T, How).value_or(0));
      }
    if (Left > 0)
      sizeSymbol(Fill.Of, Fill.Symbol, Left);
  }
  for (const auto &[Symbol, Walk] : ReadThrough)
    if (auto N = Sized.find(Walk.Access->Sites[0]); N != Sized.end())
      sizeSymbol(Walk, Symbol, N->second->Bytes);
}

/// \p Symbol adds up to the elements of \p Bytes over the tasks of a phase.
/// Shared out as the target's own values are or, where one of them is not
/// known, as those of the base.
void Extrapolator::sizeSymbol(const Fill &Of, uint64_t Symbol, double Bytes) {
  if (Target.count(Symbol))
    return;
  const ExprRef E = makeSymbol(Symbol);
  const uint32_t Phase = B.Tasks[Of.Tasks[0]].phase;
  double Total = Bytes / double(Of.Access->ElementBytes), Sum = 0;
  std::map<uint32_t, double> Part;
  bool All = true;
  for (uint32_t T : Of.Tasks) {
    Trace How;
    All &= evalTarget(*E, T, How).has_value();
  }
  for (uint32_t T : Of.Tasks) {
    if (B.Tasks[T].phase != Phase)
      continue;
    Trace How;
    std::optional<double> V = All ? evalTarget(*E, T, How) : evalBase(*E, T);
    Sum += Part[B.Tasks[T].index] = std::max(0.0, V.value_or(0));
  }
  if (Sum <= 0)
    return;
  TargetValues V;
  V.Sized = true;
  for (auto [Index, X] : Part)
    V.PerIndex[Index] = Total * X / Sum;
  Target[Symbol] = V;
}

/// Whether \p E gives the base size \p Old; recorders may round up to a line.
bool Extrapolator::givesSize(const Expr &E, uint32_t Task, double Old) const {
  std::optional<double> V = evalBase(E, Task);
  return V && std::fabs(*V - Old) <= LineBytes + 1e-6 * Old;
}

/// Only a formula that gives the base size \p Old can be trusted with another.
/// One that nothing given has to do with is the same on the target, however its
/// object is accessed, until hooks see other sizes. Where callers of a wrapper
/// ask for several sizes, those that fit must agree on the target, unless it is
/// known \p Whose block it is.
void Extrapolator::sizeByFormula(const SiteFact &S, uint32_t Task, double Old,
                                 const SiteFact::Caller *Whose,
                                 PredictedInstance &N) {
  std::vector<ExprRef> Formulas = S.Sizes;
  if (S.Size)
    Formulas.push_back(S.Size);
  if (Whose) {
    // The call's own formula counts alone, if it says anything.
    Trace How;
    if (evalTarget(*Whose->Size, Task, How) && (How.Changed || !How.Kept))
      Formulas = {Whose->Size};
    else
      Formulas.push_back(Whose->Size);
  }
  bool Scaled = false, Untold = false;
  double Bytes = -1;
  for (const ExprRef &E : Formulas) {
    if (!givesSize(*E, Task, Old))
      continue;
    Trace How;
    std::optional<double> V1 = evalTarget(*E, Task, How);
    // A formula of kept symbols says nothing about the target.
    bool Says = How.Changed || !How.Kept || Target.empty();
    Untold |= !How.Changed && (How.Kept || How.Derived) && !KnowsSizes &&
              !FromUser.empty();
    if (!V1 || *V1 < 0 || !Says)
      continue;
    if (Bytes >= 0 && std::fabs(*V1 - Bytes) > 64 + 1e-6 * Bytes) {
      count("size: formulas of several callers fit and differ");
      return;
    }
    Bytes = *V1;
    Scaled = How.Scaled;
  }
  if (Bytes < 0 && Untold) {
    N.Bytes = Old;
    N.Method = UntoldMethod;
    N.SizeUntold = true;
    return;
  }
  if (Bytes < 0)
    return;
  N.Bytes = Bytes;
  N.Method = FormulaMethod;
  if (Scaled)
    N.Method += ", a symbol scaled";
}

/// The calls of wrappers that made \p I, where the facts know a size for them.
const SiteFact::Caller *Extrapolator::callerOf(const ek_raw_inst &I) const {
  const SiteFact *S = I.context ? F.site(I.site) : nullptr;
  for (size_t K = 0; S && K < S->Contexts.size(); ++K)
    if (S->Contexts[K].Id == I.context && S->Contexts[K].Size)
      return &S->Contexts[K];
  return nullptr;
}

/// The base's task that made \p I.
uint32_t Extrapolator::makerOf(const ek_raw_inst &I) const {
  const uint32_t Phase =
      I.alloc_phase < Like.size() ? Like[I.alloc_phase] : I.alloc_phase;
  auto It = ThreadTask.find({Phase, I.creator});
  return It == ThreadTask.end() ? EK_NO_TASK : It->second;
}

/// Of small blocks the recorder keeps the size of the pool that they lie in:
/// what the formulas give is nearer, where it fits in.
double Extrapolator::smallBytes(const ek_raw_inst &I) const {
  double Most = 0;
  if (const SiteFact *S = F.site(I.site)) {
    std::vector<ExprRef> Formulas = S->Sizes;
    Formulas.push_back(S->Size);
    for (const ExprRef &E : Formulas)
      if (std::optional<double> V = E ? evalBase(*E, makerOf(I)) : std::nullopt;
          V && *V <= double(I.bytes))
        Most = std::max(Most, *V);
  }
  return Most > 0 ? Most : double(I.bytes);
}

void Extrapolator::sizes(const std::vector<PredictedInstance> &KnownSizes) {
  // Instances may be known from a hook; otherwise formula, accesses, base.
  const std::vector<InstanceMatch> Matches =
      matchInstances(B.Instances, KnownSizes, LargeBytes);
  std::vector<double> OldBytes;
  for (const ek_raw_inst &I : B.Instances) {
    PredictedInstance N;
    N.Site = I.site;
    N.Creator = I.creator;
    const InstanceMatch &Match = Matches[&I - B.Instances.data()];
    N.Context = I.context;
    N.Ordinal = Match.Ordinal;
    N.InContext = Match.InContext;
    N.AllocPhase = I.alloc_phase;
    N.FreePhase = I.free_phase;
    double Old = static_cast<double>(I.bytes);
    N.Bytes = -1;
    if (Match.Known) {
      N.Bytes = Match.Known->Bytes;
      N.Method = KnownMethod;
      // Of small blocks on both inputs both sizes are the pools'.
      if (I.ordinal == EK_RAW_SMALL && Match.Known->Ordinal != EK_RAW_SMALL)
        Old = smallBytes(I);
    } else if (Match.BelowLarge) {
      if (!EK_RAW_IS_SMALL(N.Ordinal))
        N.Ordinal = EK_RAW_SMALL;
      N.Bytes = std::min(Old, LargeBytes);
      N.Method = "smaller than what is placed";
    }
    const SiteFact *S = F.site(I.site);
    if (N.Bytes < 0 && S && I.ordinal == EK_RAW_SMALL) {
      // One of its blocks may be large on the target.
      const double Block = smallBytes(I);
      sizeByFormula(*S, makerOf(I), Block, nullptr, N);
      if (N.Bytes >= LargeBytes && Block < LargeBytes) {
        N.Ordinal = 0;
        Old = Block;
      } else {
        N.Bytes = -1;
      }
    }
    if (N.Bytes < 0 && S)
      sizeByFormula(*S, makerOf(I), Old, callerOf(I), N);
    if (auto L = Fills.find(I.site); N.Bytes < 0 && L != Fills.end()) {
      double Sum = 0;
      bool All = true;
      for (uint32_t T : L->second.Tasks) {
        Trace How;
        std::optional<double> V = evalTarget(*L->second.Access->Writes, T, How);
        All &= V && (How.Changed || !How.Kept || Target.empty());
        Sum += std::max(0.0, V.value_or(0));
      }
      // What only some of the tasks write says nothing about the whole, nor do
      // kept symbols about the target.
      if (All && Sum > 0) {
        N.Bytes = Sum * double(L->second.Access->ElementBytes);
        N.Method = FilledMethod;
      }
    }
    if (N.Bytes < 0) {
      auto It = SiteAccesses.find(I.site);
      if (It != SiteAccesses.end() && It->second.first > 0) {
        N.Bytes = Old * It->second.second / It->second.first;
        N.Method = "scaled like its accesses";
      }
    }
    OldBytes.push_back(Old);
    P.Instances.push_back(std::move(N));
  }
  const std::optional<double> Growth = dataGrowth(OldBytes);
  for (size_t I = 0; I < P.Instances.size(); ++I) {
    PredictedInstance &N = P.Instances[I];
    const double Old = OldBytes[I];
    if (N.Bytes < 0) {
      N.Bytes = Old;
      N.Method = BaseMethod;
      if (isData(N, Old) && Growth) {
        N.Bytes *= *Growth;
        N.Method = "scaled like the data of known sizes";
      } else if (isData(N, Old) && HaveWork) {
        N.Bytes *= WorkRatio;
        N.Method = "scaled like the program's work";
      }
    }
    ++P.Methods["size: " + N.Method];
    SizeRatio.push_back(Old > 0 ? N.Bytes / Old : 1);
  }
  numberGrown(B.Instances, LargeBytes, P.Instances);
  std::map<InstanceKey, double> Known;
  for (const PredictedInstance &K : KnownSizes)
    Known[keyOf(nameOf(K))] = K.Bytes;
  for (size_t I = 0; I < P.Instances.size(); ++I) {
    PredictedInstance &N = P.Instances[I];
    auto K = Known.find(keyOf(nameOf(N)));
    if (N.Method == KnownMethod || K == Known.end() ||
        !EK_RAW_IS_SMALL(B.Instances[I].ordinal))
      continue;
    N.Bytes = K->second;
    N.Method = KnownMethod;
    SizeRatio[I] = OldBytes[I] > 0 ? N.Bytes / OldBytes[I] : 1;
  }
}

/// Smaller blocks of unknown size are taken for tables.
static constexpr double LeastData = 16384;

/// Static arrays, small tables, and blocks that a pool is made of stay as they
/// are; large blocks of the heap are data and grow with the others.
bool Extrapolator::isData(const PredictedInstance &N, double OldBytes) const {
  const SiteFact *S = F.site(N.Site);
  const bool Small = EK_RAW_IS_SMALL(N.Ordinal) && N.Ordinal != EK_RAW_SMALL;
  return S && OldBytes >= (Small ? LeastData : LargeBytes) &&
         S->Kind != "global" && S->Kind != "static" && S->Kind != "stack" &&
         S->Kind != "alloca" &&
         (!EK_RAW_IS_SMALL(N.Ordinal) || S->Size || !S->Sizes.empty());
}

/// How much larger data are on the target of which that is known, all together;
/// \p OldBytes: what they were.
std::optional<double>
Extrapolator::dataGrowth(const std::vector<double> &OldBytes) const {
  double Old = 0, New = 0;
  for (size_t I = 0; I < P.Instances.size(); ++I) {
    const PredictedInstance &N = P.Instances[I];
    if (isData(N, OldBytes[I]) && !EK_RAW_IS_SMALL(N.Ordinal) && isSized(N)) {
      Old += OldBytes[I];
      New += N.Bytes;
    }
  }
  return Old > 0 && New > 0 ? std::optional<double>(New / Old) : std::nullopt;
}

/// An array whose size is fixed when the program is built is as large as the
/// largest input needs, and smaller ones use its front: where more accesses are
/// predicted for it, they reach further, as long as there is room for that.
double Extrapolator::stretchOf(uint32_t Inst) const {
  const ek_raw_inst &I = B.Instances[Inst];
  const SiteFact *S = F.site(I.site);
  auto It = SiteAccesses.find(I.site);
  if (!S || (S->Kind != "global" && S->Kind != "static") ||
      It == SiteAccesses.end() || I.bytes < EK_CHUNKS * EK_PAGE)
    return 1;
  for (const AccessFact &A : F.Accesses)
    if (A.Class != "stream" && A.Class != "stencil" && A.Class != "invariant" &&
        A.Class.rfind("strided", 0) != 0 &&
        std::find(A.Sites.begin(), A.Sites.end(), I.site) != A.Sites.end())
      return 1;
  const double Ratio = It->second.second / It->second.first;
  // The last chunk may be used in part.
  return Ratio * UsedChunks[Inst].second < EK_CHUNKS ? Ratio : 1;
}

void Extrapolator::units() {
  for (uint32_t I = 0; I < P.Instances.size(); ++I) {
    double Bytes = P.Instances[I].Bytes;
    // Finer than 64 KiB is not worth a decision of its own.
    unsigned Parts = 1;
    while (Parts < EK_CHUNKS && Bytes / (2 * Parts) >= 65536)
      Parts *= 2;
    for (unsigned K = 0; K < Parts; ++K) {
      Unit U;
      U.Instance = I;
      U.From = K * (EK_CHUNKS / Parts);
      U.To = (K + 1) * (EK_CHUNKS / Parts);
      U.Bytes = Bytes / Parts;
      P.Units.push_back(U);
    }
  }
}

} // namespace extrapolation
} // namespace evenkeel
