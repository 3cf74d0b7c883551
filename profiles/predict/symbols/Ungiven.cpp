//===- Ungiven.cpp - symbols without a value on the target ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Ungiven.h. A symbol counts as given by the rules in the first comment of
// symbols/Values.cpp: by name, as the same quantity with the same base value in
// another function, or by the same loop totals in every task.
//===----------------------------------------------------------------------===//
#include "Ungiven.h"
#include "Definitions.h"
#include "predict/base/Quantity.h"
#include <algorithm>
#include <set>

using namespace evenkeel;

namespace {

struct Values {
  std::map<uint32_t, double> PerTask; // by row of Profile.Tasks, or EK_NO_TASK
  bool OneValue = true;
  double first() const { return PerTask.begin()->second; }
};

class Search {
  const Facts &F;
  const Profile &B;
  std::map<uint64_t, const SymbolFact *> FactOf;
  std::map<uint64_t, Values> Base;
  std::set<uint64_t> Known;
  std::map<uint64_t, unsigned> Needed; // by symbol: number of formulas
  std::set<uint64_t> Unmeasured;       // in formulas, without a base value
  std::set<uint64_t> MaySize;          // an array's size may determine its
                                       // value
  Definitions Defined;

public:
  Search(const Facts &F, const Profile &B) : F(F), B(B), Defined(F, B) {
    for (const SymbolFact &S : F.Symbols)
      FactOf[S.Id] = &S;
    for (const ek_raw_symbol &S : B.Symbols) {
      Values &V = Base[S.symbol];
      auto Fact = FactOf.find(S.symbol);
      bool Sum =
          Fact != FactOf.end() && Fact->second->Kind == SymbolFact::Measured;
      V.PerTask[S.task] = Sum ? S.sum : static_cast<double>(S.first);
      V.OneValue &= V.PerTask[S.task] == V.first() && (Sum || S.min == S.max);
    }
  }

  void give(const std::vector<Given> &For) {
    std::map<uint64_t, double> Program;
    for (const Given &G : For) {
      Expected<const SymbolFact *> S = F.symbolByName(G.Name);
      for (const SymbolFact &X : F.Symbols)
        if (S ? X.Name == (*S)->Name : shortName(X.Name) == G.Name) {
          Known.insert(X.Id);
          if (!G.Task)
            Program[X.Id] = G.Value;
        }
    }
    std::vector<uint64_t> Same;
    for (const SymbolFact &X : F.Symbols) {
      auto V = Base.find(X.Id);
      if (Known.count(X.Id) || V == Base.end())
        continue;
      std::set<double> Found;
      for (const SymbolFact &Y : F.Symbols) {
        auto W = Base.find(Y.Id);
        if (!Known.count(Y.Id) || W == Base.end())
          continue;
        if (X.Kind == SymbolFact::Measured && Y.Kind == SymbolFact::Measured) {
          // If tasks differ, equal counts by chance are unlikely.
          if (!V->second.OneValue && V->second.PerTask.size() > 1 &&
              V->second.PerTask == W->second.PerTask)
            Found.insert(0);
        } else if (X.Kind != SymbolFact::Measured && Program.count(Y.Id) &&
                   V->second.OneValue && W->second.OneValue &&
                   V->second.first() == W->second.first() &&
                   quantity(X.Name) == quantity(Y.Name)) {
          Found.insert(Program[Y.Id]);
        }
      }
      if (Found.size() == 1)
        Same.push_back(X.Id);
    }
    Known.insert(Same.begin(), Same.end());
    for (const auto &[Id, V] : Defined.follow(Program))
      if (!V.Partly)
        Known.insert(Id);
  }

  void findNeeded() {
    std::set<uint64_t> Sites, Regions;
    for (const ek_raw_inst &I : B.Instances)
      Sites.insert(I.site);
    for (const ek_raw_task &T : B.Tasks)
      Regions.insert(T.region);
    for (const SiteFact &S : F.Sites)
      if (Sites.count(S.Id))
        need(S.Size);
    for (const AccessFact &A : F.Accesses) {
      bool Used =
          Regions.count(A.Region) &&
          std::any_of(A.Sites.begin(), A.Sites.end(),
                      [&](uint64_t Site) { return Sites.count(Site) != 0; });
      if (!Used)
        continue;
      need(A.Reads);
      need(A.Writes);
      if (A.Writes && A.Writes->K == Expr::Symbol)
        MaySize.insert(A.Writes->Sym);
    }
  }

  std::vector<std::string> unmeasured() const {
    std::set<std::string> Names;
    for (uint64_t Id : Unmeasured)
      if (auto Fact = FactOf.find(Id); Fact != FactOf.end())
        Names.insert(Fact->second->Name);
    return {Names.begin(), Names.end()};
  }

  std::vector<UngivenSymbol> list() const {
    std::map<std::string, UngivenSymbol> ByName;
    for (auto [Id, Formulas] : Needed) {
      auto Fact = FactOf.find(Id);
      auto V = Base.find(Id);
      if (Known.count(Id) || Fact == FactOf.end() || V == Base.end() ||
          isThreadCount(Fact->second->Name))
        continue;
      auto [Low, High] = std::minmax_element(
          V->second.PerTask.begin(), V->second.PerTask.end(),
          [](const auto &X, const auto &Y) { return X.second < Y.second; });
      auto [It, New] = ByName.try_emplace(Fact->second->Name);
      UngivenSymbol &U = It->second;
      U.Low = New ? Low->second : std::min(U.Low, Low->second);
      U.High = New ? High->second : std::max(U.High, High->second);
      U.Name = Fact->second->Name;
      U.Kind = Fact->second->Kind;
      bool Kept = U.Kind == SymbolFact::Given && V->second.OneValue &&
                  !Fact->second->ScalesWith && !MaySize.count(Id);
      U.Kept = (New || U.Kept) && (Known.empty() || Kept);
      U.PerTask |= Low->second != High->second;
      U.Formulas += Formulas;
    }
    std::vector<UngivenSymbol> Out;
    for (auto &[Name, U] : ByName)
      Out.push_back(std::move(U));
    std::sort(Out.begin(), Out.end(), [](auto &X, auto &Y) {
      return X.Formulas != Y.Formulas ? X.Formulas > Y.Formulas
                                      : X.Name < Y.Name;
    });
    return Out;
  }

private:
  /// Counts one more formula, and what its unknown symbols scale with.
  void need(const ExprRef &E) {
    if (!E)
      return;
    // The symbols in a definition are to be given instead of the defined one.
    for (uint64_t Symbol : symbolsOf(*E)) {
      if (!Base.count(Symbol))
        Unmeasured.insert(Symbol);
      for (uint64_t Id : Defined.rootsOf(Symbol, Known)) {
        if (Needed[Id]++ || Known.count(Id))
          continue;
        auto Fact = FactOf.find(Id);
        if (Fact != FactOf.end())
          need(Fact->second->ScalesWith);
      }
    }
  }
};

} // namespace

std::vector<UngivenSymbol>
evenkeel::ungivenSymbols(const Facts &F, const Profile &Base,
                         const std::vector<Given> &For) {
  Search S(F, Base);
  S.give(For);
  S.findNeeded();
  return S.list();
}

std::vector<std::string> evenkeel::unmeasuredSymbols(const Facts &F,
                                                     const Profile &Base) {
  Search S(F, Base);
  S.findNeeded();
  return S.unmeasured();
}
