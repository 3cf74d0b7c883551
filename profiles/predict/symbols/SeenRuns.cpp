//===- SeenRuns.cpp - what earlier runs say about the target --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SeenRuns.h. Here the runs of the target's own input.
//===----------------------------------------------------------------------===//
#include "SeenRuns.h"
#include "SeenPoints.h"
#include "format/plan/HandedValues.h"
#include "predict/base/Quantity.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::seen;

std::string evenkeel::seen::numberOf(size_t N, const std::string &What) {
  return std::to_string(N) + " " + What + (N == 1 ? "" : "s");
}

ValueNames::ValueNames(const Facts &F) {
  for (const PlanValue &V : handedValues(F))
    (V.IsTotal ? TotalOf : SymbolOf)[{V.Region, V.HandedAs}] = V.Symbol;
}

std::map<uint64_t, std::optional<double>>
ValueNames::valuesIn(const SeenRun &R) const {
  std::map<uint64_t, std::optional<double>> Out;
  for (const SeenRun::Value &V : R.Values) {
    const auto It = SymbolOf.find({V.Region, V.Variable});
    if (It == SymbolOf.end())
      continue;
    // A symbol may be handed over before several regions.
    auto [To, New] = Out.try_emplace(It->second, double(V.First));
    if (V.Least != V.Most || To->second != double(V.First))
      To->second.reset();
  }
  return Out;
}

std::map<uint64_t, BaseRange> evenkeel::seen::rangesIn(const Profile &Base) {
  std::map<uint64_t, BaseRange> Out;
  for (const ek_raw_symbol &S : Base.Symbols) {
    if (!S.times)
      continue;
    auto [It, New] =
        Out.try_emplace(S.symbol, BaseRange{double(S.min), double(S.max)});
    It->second.Least = std::min(It->second.Least, double(S.min));
    It->second.Most = std::max(It->second.Most, double(S.max));
  }
  return Out;
}

/// Whether a prediction may be given this value of \p S.
static bool isUsable(const SymbolFact &S, double Value, const BaseRange *Old) {
  // The number of threads is that of the base, or of --threads.
  return !isThreadCount(S.Name) && (Value >= 0 || (Old && Old->Least < 0));
}

namespace {

/// The values of one symbol, or the sizes of one object: by rank.
template <typename Key> class ByRank {
  std::map<Key, std::map<uint32_t, std::set<double>>> Of;

public:
  void add(const Key &K, uint32_t Rank, double Value) {
    Of[K][Rank].insert(Value);
  }
  void drop(const Key &K) { Of.erase(K); }
  /// Removes what differs between two runs; returns how that looks.
  std::vector<std::pair<Key, std::set<double>>> dropDifferent() {
    std::vector<std::pair<Key, std::set<double>>> Out;
    for (auto It = Of.begin(); It != Of.end();) {
      const auto Two = std::find_if(
          It->second.begin(), It->second.end(),
          [](const auto &Entry) { return Entry.second.size() > 1; });
      if (Two == It->second.end()) {
        ++It;
        continue;
      }
      Out.push_back({It->first, Two->second});
      It = Of.erase(It);
    }
    return Out;
  }
  const std::map<Key, std::map<uint32_t, std::set<double>>> &all() const {
    return Of;
  }
};

std::string valueText(double V) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.15g", V);
  return Text;
}

/// "main:n (100, 200), ..." of at most three.
std::string
examples(const Facts &F,
         const std::vector<std::pair<uint64_t, std::set<double>>> &Of) {
  std::string Out;
  for (size_t I = 0; I < Of.size() && I < 3; ++I)
    Out += (I ? ", " : "") + F.symbol(Of[I].first)->Name + " (" +
           valueText(*Of[I].second.begin()) + " and " +
           valueText(*Of[I].second.rbegin()) + ")";
  return Out + (Of.size() > 3
                    ? " and " + std::to_string(Of.size() - 3) + " more"
                    : "");
}

/// The first task of each rank in the numbering of \p Base, if the runs had as
/// many ranks.
class RankNumbers {
  const Profile &Base;

public:
  explicit RankNumbers(const Profile &Base) : Base(Base) {}
  bool fits(const SeenRun &R) const {
    return std::max<size_t>(R.Ranks, 1) == std::max<size_t>(count(), 1) &&
           R.Rank < std::max<size_t>(count(), 1);
  }
  size_t count() const { return Base.Ranks.size(); }
  uint32_t first(uint32_t Rank) const {
    return Base.Ranks.empty() ? 0 : Base.Ranks[Rank];
  }
  /// One beyond the rank's last task.
  uint32_t end(uint32_t Rank) const {
    if (Rank + 1 < Base.Ranks.size())
      return Base.Ranks[Rank + 1];
    uint32_t Widest = 0;
    for (const ek_raw_task &T : Base.Tasks)
      Widest = std::max(Widest, T.index + 1);
    return Widest;
  }
};

bool areEqual(const std::map<uint32_t, std::set<double>> &OfRank) {
  return std::all_of(OfRank.begin(), OfRank.end(), [&](const auto &Entry) {
    return Entry.second == OfRank.begin()->second;
  });
}

size_t runsIn(const std::vector<SeenRun> &Own) {
  std::map<uint32_t, size_t> OfRank;
  size_t Most = 0;
  for (const SeenRun &R : Own)
    Most = std::max(Most, ++OfRank[R.Rank]);
  return Most;
}

void addSymbols(const Facts &F, const Profile &Base,
                const std::vector<SeenRun> &Own, SeenTarget &Out) {
  const ValueNames Names(F);
  const std::map<uint64_t, BaseRange> Ranges = rangesIn(Base);
  const RankNumbers Ranks(Base);
  ByRank<uint64_t> Values;
  std::set<uint64_t> Changing;
  for (const SeenRun &R : Own)
    for (const auto &[Symbol, Value] : Names.valuesIn(R)) {
      const auto Old = Ranges.find(Symbol);
      if (!Value)
        Changing.insert(Symbol);
      else if (isUsable(*F.symbol(Symbol), *Value,
                        Old == Ranges.end() ? nullptr : &Old->second))
        Values.add(Symbol, R.Rank, *Value);
    }
  for (uint64_t Symbol : Changing)
    Values.drop(Symbol);
  if (const auto Two = Values.dropDifferent(); !Two.empty())
    Out.Notes.push_back("two runs of this input differ in " + examples(F, Two) +
                        ": not used, as something that the command does not "
                        "name must have changed");
  size_t Apart = 0;
  const std::string From =
      "seen in " + numberOf(runsIn(Own), "run") + " of this input";
  for (const auto &[Symbol, OfRank] : Values.all()) {
    SeenSymbol S{F.symbol(Symbol), std::nullopt, std::nullopt, 0, From};
    if (const auto Old = Ranges.find(Symbol);
        Old != Ranges.end() && Old->second.isOne())
      S.Base = Old->second.Least;
    const bool Same = areEqual(OfRank);
    if (!Same && OfRank.size() != Ranks.count()) {
      ++Apart;
      continue;
    }
    for (const auto &[Rank, Value] : OfRank) {
      S.Value = *Value.begin();
      if (Same) {
        Out.Symbols.push_back(S);
        break;
      }
      for (uint32_t T = Ranks.first(Rank); T < Ranks.end(Rank); ++T) {
        S.Task = T;
        Out.Symbols.push_back(S);
      }
    }
  }
  if (Apart)
    Out.Notes.push_back("ranks of the run that was seen differ in " +
                        numberOf(Apart, "size") +
                        ", and the base run had another number of ranks: not "
                        "used");
}

/// The iterations of loops, by thread. They count if the base run had the same
/// threads in the region.
class SeenTotals {
  const Facts &F;
  const Profile &Base;
  struct Loop {
    uint64_t Region = 0;
    bool Changes = false;                        // during a run
    std::map<uint32_t, std::set<double>> OfTask; // by index
  };
  std::map<uint64_t, Loop> Loops; // by symbol
  /// The totals in the base run, by symbol and thread.
  std::map<std::pair<uint64_t, uint32_t>, std::set<double>> OfBase;

  std::set<uint32_t> threadsIn(uint64_t Region) const {
    std::set<uint32_t> Out;
    for (const ek_raw_task &T : Base.Tasks)
      if (T.region == Region && !(T.flags & 1))
        Out.insert(T.index);
    return Out;
  }
  static bool hasThreads(const Loop &L, const std::set<uint32_t> &Threads) {
    return L.OfTask.size() == Threads.size() &&
           std::equal(Threads.begin(), Threads.end(), L.OfTask.begin(),
                      [](uint32_t A, const auto &B) { return A == B.first; });
  }
  /// The total of thread \p Index in the base run; none: it had several.
  std::optional<double> baseOf(uint64_t Symbol, uint32_t Index) const {
    const auto It = OfBase.find({Symbol, Index});
    return It != OfBase.end() && It->second.size() == 1
               ? std::optional<double>(*It->second.begin())
               : std::nullopt;
  }

public:
  SeenTotals(const Facts &F, const Profile &Base,
             const std::vector<SeenRun> &Own)
      : F(F), Base(Base) {
    const ValueNames Names(F);
    const RankNumbers Ranks(Base);
    for (const SeenRun &R : Own)
      for (const SeenRun::Total &T : R.Totals)
        if (const uint64_t Symbol = Names.totalOf(T); Symbol && Ranks.fits(R)) {
          Loop &L = Loops[Symbol];
          L.Region = T.Region;
          L.Changes |= T.Least != T.Most;
          L.OfTask[Ranks.first(R.Rank) + T.Thread].insert(double(T.First));
        }
    for (const ek_raw_symbol &S : Base.Symbols)
      if (S.task != EK_NO_TASK && Loops.count(S.symbol) &&
          !(Base.Tasks[S.task].flags & 1))
        OfBase[{S.symbol, Base.Tasks[S.task].index}].insert(S.sum);
  }

  void addTo(SeenTarget &Out, const std::string &From) const {
    size_t OtherThreads = 0;
    for (const auto &[Symbol, L] : Loops) {
      const bool Differs =
          std::any_of(L.OfTask.begin(), L.OfTask.end(),
                      [](const auto &X) { return X.second.size() > 1; });
      if (L.Changes || Differs)
        continue;
      if (!hasThreads(L, threadsIn(L.Region))) {
        ++OtherThreads;
        continue;
      }
      for (const auto &[Index, Of] : L.OfTask)
        Out.Symbols.push_back(
            {F.symbol(Symbol), Index, baseOf(Symbol, Index), *Of.begin(),
             "of thread " + std::to_string(Index) + ", " + From});
    }
    if (OtherThreads)
      Out.Notes.push_back(
          "the iterations of " + numberOf(OtherThreads, "loop") +
          " were seen in runs with another number of threads than the base "
          "run: not used");
  }
};

void addSizes(const Profile &Base, const std::vector<SeenRun> &Own,
              SeenTarget &Out) {
  using Key = std::pair<InstanceKey, uint32_t>; // and the ordinal of the site
  const RankNumbers Ranks(Base);
  ByRank<Key> Sizes;
  std::map<Key, InstanceName> Names;
  size_t OtherRanks = 0;
  for (const SeenRun &R : Own) {
    if (!Ranks.fits(R)) {
      ++OtherRanks;
      continue;
    }
    for (const SeenRun::Object &O : R.Objects) {
      const InstanceName Name{O.Site, O.Context,
                              uint64_t(Ranks.first(R.Rank)) + O.Creator,
                              O.Ordinal, O.InContext};
      const Key K{keyOf(Name), O.Ordinal};
      Names.emplace(K, Name);
      Sizes.add(K, R.Rank, double(O.Bytes));
    }
  }
  if (const size_t Two = Sizes.dropDifferent().size())
    Out.Notes.push_back("two runs of this input differ in the sizes of " +
                        numberOf(Two, "object") + ": not used");
  if (OtherRanks)
    Out.Notes.push_back(
        "runs of this input had another number of ranks than "
        "the base run: the sizes of their objects are not used");
  for (const auto &[K, OfRank] : Sizes.all()) {
    PredictedInstance I = instanceNamed(Names.at(K));
    I.Bytes = *OfRank.begin()->second.begin();
    I.AllocPhase = EK_NO_TASK; // runs have phases of their own
    Out.Sizes.push_back(I);
  }
}

} // namespace

SeenTarget evenkeel::seenOfTarget(const Facts &F, const Profile &Base,
                                  const std::vector<SeenRun> &Own) {
  SeenTarget Out;
  if (Own.empty())
    return Out;
  addSymbols(F, Base, Own, Out);
  SeenTotals(F, Base, Own)
      .addTo(Out, "seen in " + numberOf(runsIn(Own), "run") + " of this input");
  std::sort(Out.Symbols.begin(), Out.Symbols.end(),
            [](const SeenSymbol &A, const SeenSymbol &B) {
              return std::tie(A.Symbol->Id, A.Task) <
                     std::tie(B.Symbol->Id, B.Task);
            });
  addSizes(Base, Own, Out);
  return Out;
}

std::vector<SeenSymbol> evenkeel::giveSeen(const Facts &F,
                                           const std::vector<SeenSymbol> &Seen,
                                           std::vector<Given> &For,
                                           std::vector<KnownSymbol> &Exact) {
  std::map<std::string, std::map<uint64_t, double>> Named;
  for (const SeenSymbol &S : Seen)
    Named[S.Symbol->Name][S.Symbol->Id] = S.Value;
  std::map<std::string, size_t> Places;
  for (const SymbolFact &S : F.Symbols)
    ++Places[S.Name];
  auto IsGiven = [&](const SymbolFact &S) {
    return std::any_of(For.begin(), For.end(), [&](const Given &G) {
      return G.Name == S.Name || G.Name == shortName(S.Name);
    });
  };
  std::vector<SeenSymbol> Out;
  std::vector<Given> More;
  std::set<std::pair<std::string, std::optional<uint32_t>>> Done;
  for (const SeenSymbol &S : Seen) {
    if (IsGiven(*S.Symbol))
      continue;
    const std::map<uint64_t, double> &Of = Named[S.Symbol->Name];
    const bool OneName =
        Of.size() == Places[S.Symbol->Name] &&
        std::all_of(Of.begin(), Of.end(), [&](const auto &Entry) {
          return S.Task || Entry.second == Of.begin()->second;
        });
    if (!OneName && S.Task)
      continue;
    Out.push_back(S);
    if (!OneName)
      Exact.push_back({S.Symbol->Id, S.Value});
    else if (Done.insert({S.Symbol->Name, S.Task}).second)
      More.push_back({S.Symbol->Name, S.Task, S.Value});
  }
  For.insert(For.end(), More.begin(), More.end());
  return Out;
}
