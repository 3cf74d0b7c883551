//===- FactsCheck.cpp - consistency of facts ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FactsCheck.h.
//===----------------------------------------------------------------------===//
#include "FactsCheck.h"
#include "Identity.h"
#include <algorithm>
#include <set>

using namespace evenkeel;

namespace {

class Checker {
  const Facts &F;
  size_t &Checks;
  std::set<uint64_t> Sites, Contexts, Elided, Regions, Symbols, Inputs;
  std::map<uint64_t, const SymbolFact *> SymbolById;

  void expect(bool Holds, const std::string &Line) {
    ++Checks;
    if (!Holds)
      Lines.push_back(Line);
  }

  /// "path:line:col" below the root.
  void place(const std::string &At, const std::string &Who) {
    size_t C = At.rfind(':');
    size_t L = C == std::string::npos || !C ? C : At.rfind(':', C - 1);
    auto Number = [&](size_t From, size_t To) {
      return From < To && std::all_of(
                              At.begin() + From, At.begin() + To,
                              [](char X) { return X >= '0' && X <= '9'; });
    };
    bool Well = L != std::string::npos && L > 0 && Number(L + 1, C) &&
                Number(C + 1, At.size());
    expect(Well && At[0] != '/',
           Who + ": not a place below the root: '" + At + "'");
  }

  template <typename T>
  void unique(const std::vector<T> &Rows, const char *What,
              std::set<uint64_t> &Ids) {
    for (const T &Row : Rows) {
      std::string Who = std::string(What) + " " + idToString(Row.Id);
      expect(Row.Id != 0, std::string(What) + " without an id");
      expect(Ids.insert(Row.Id).second, Who + " is listed twice");
      place(Row.At, Who);
    }
  }

  void formula(const ExprRef &E, const std::string &Who) {
    if (!E)
      return;
    for (uint64_t Id : symbolsOf(*E))
      expect(Symbols.count(Id), Who + ": no symbol " + idToString(Id));
  }

  void inputs(const ExprRef &E, const std::string &Who) {
    for (uint64_t Id : E ? symbolsOf(*E) : std::vector<uint64_t>())
      expect(Inputs.count(Id), Who + ": no input " + idToString(Id));
  }

  /// A symbol must not be defined by itself.
  bool endsSomewhere(uint64_t Id, std::set<uint64_t> &Open,
                     std::set<uint64_t> &Done) {
    if (Done.count(Id))
      return true;
    if (!Open.insert(Id).second)
      return false;
    const SymbolFact *S = SymbolById[Id];
    if (S && S->Value)
      for (uint64_t Next : symbolsOf(*S->Value))
        if (!endsSomewhere(Next, Open, Done))
          return false;
    Open.erase(Id);
    Done.insert(Id);
    return true;
  }

  void access(const AccessFact &A, std::map<std::string, uint64_t> &Reasons) {
    std::string Who = "access at " + A.At;
    place(A.At, Who);
    expect(Regions.count(A.Region),
           Who + ": no region " + idToString(A.Region));
    for (uint64_t C : A.Contexts)
      expect(Contexts.count(C), Who + ": no context " + idToString(C));
    std::set<uint64_t> Ranges;
    for (uint64_t S : A.Sites)
      if (const SiteFact *Site = F.site(S))
        for (const SiteFact::Range &Part : Site->Ranges)
          Ranges.insert(Part.Id);
    for (uint64_t Part : A.Ranges)
      expect(Ranges.count(Part),
             Who + ": no range " + idToString(Part) + " of its sites");
    for (uint64_t S : A.Sites) {
      expect(Sites.count(S), Who + ": no site " + idToString(S));
      expect(!Elided.count(S),
             Who + ": its site " + idToString(S) + " is elided");
    }
    expect(!A.Sites.empty() || !A.Why.empty(),
           Who + ": no object, and no reason");
    expect(A.Class != AccessFact::Unknown || !A.Why.empty(),
           Who + ": class unknown, and no reason");
    expect(A.Exact || !A.Why.empty(), Who + ": not exact, and no reason");
    expect(A.Class != AccessFact::Stencil || A.Points.value_or(0) > 1,
           Who + ": a stencil needs points");
    expect(A.Class != AccessFact::Chase || A.Dependent,
           Who + ": a chase must be dependent");
    for (uint64_t S : A.IndexSites)
      expect(Sites.count(S), Who + ": no site " + idToString(S));
    const AccessFact::ClassType How = A.Blocks.value_or(A.Class);
    expect(A.IndexSites.empty() || How == AccessFact::Random ||
               How == AccessFact::Chase,
           Who + ": index sites, but not a gather");
    expect(!A.StrideFormula || !A.Stride,
           Who + ": a constant stride and a stride formula");
    expect(!A.Dimensions || A.Class == AccessFact::Stencil,
           Who + ": dimensions, but not a stencil");
    for (const ExprRef &E :
         {A.Reads, A.Writes, A.Atomics, A.Conditional, A.Reuse, A.StrideFormula,
          A.BlockBytes, A.BlockStride})
      formula(E, Who);
    bool Certain =
        !A.Sites.empty() && A.Class != AccessFact::Unknown && A.Exact;
    for (size_t At = 0; !Certain && At < A.Why.size();) {
      size_t End = std::min(A.Why.find(", ", At), A.Why.size());
      ++Reasons[A.Why.substr(At, End - At)];
      At = End + 2;
    }
  }

  void table(const SiteFact::Table &T, const std::string &Who) {
    formula(T.RowBytes, Who);
    expect(!T.RowBytes == !T.Why.empty(),
           Who + ": needs either a row size or a reason");
    for (uint64_t S : T.IndexSites)
      expect(Sites.count(S), Who + ": no site " + idToString(S));
  }

  /// Each load and store of a region is either in one row or accesses memory
  /// that is not placed.
  void places(const RegionFact &R, uint64_t InRows) {
    auto All = R.Places.find("all");
    if (All == R.Places.end())
      return;
    uint64_t Sum = InRows;
    for (const auto &[Whose, N] : R.Places)
      Sum += Whose == "all" ? 0 : N;
    expect(Sum == All->second,
           "region " + idToString(R.Id) + ": " + std::to_string(All->second) +
               " loads and stores, of which rows and private memory have " +
               std::to_string(Sum));
  }

public:
  std::vector<std::string> Lines;
  Checker(const Facts &F, size_t &Checks) : F(F), Checks(Checks) {}

  void run() {
    std::set<uint64_t> Syncs;
    unique(F.Sites, "site", Sites);
    unique(F.Regions, "region", Regions);
    unique(F.Syncs, "sync point", Syncs);
    unique(F.Symbols, "symbol", Symbols);
    for (const InputFact &I : F.Inputs)
      expect(I.Id != 0 && Inputs.insert(I.Id).second,
             "input " + idToString(I.Id) + " is listed twice, or has no id");
    for (const InputFact &I : F.Inputs) {
      const std::string Who = "input " + idToString(I.Id);
      if (!I.At.empty())
        place(I.At, Who);
      for (const ExprRef &E : I.Of)
        inputs(E, Who);
      expect(I.Kind != "first" || !I.Of.empty(), Who + ": nothing to choose");
      expect(I.Kind != "option" || !I.Names.empty(), Who + ": without a name");
    }
    for (const std::string &U : F.Units)
      expect(!U.empty() && U[0] != '/',
             "unit '" + U + "' is not a relative path");
    for (const SiteFact &S : F.Sites)
      if (S.State == "elided")
        Elided.insert(S.Id);
    for (const SymbolFact &S : F.Symbols)
      SymbolById[S.Id] = &S;
    std::set<std::string> Names;
    std::set<uint64_t> Done;
    for (const SymbolFact &S : F.Symbols) {
      expect(Names.insert(S.Name).second, "two symbols are named " + S.Name);
      formula(S.ScalesWith, "symbol " + S.Name);
      formula(S.Value, "symbol " + S.Name);
      inputs(S.Input, "symbol " + S.Name);
      std::set<uint64_t> Open;
      expect(endsSomewhere(S.Id, Open, Done),
             "symbol " + S.Name + " is defined by itself");
    }
    for (const SiteFact &S : F.Sites) {
      formula(S.Size, "site " + idToString(S.Id));
      for (const SiteFact::Caller &C : S.Contexts) {
        Contexts.insert(C.Id);
        formula(C.Size, "context " + idToString(C.Id));
        expect(!C.Calls.empty(),
               "context " + idToString(C.Id) + " without calls");
      }
      for (const ExprRef &E : S.Sizes)
        formula(E, "site " + idToString(S.Id));
      for (const SiteFact::Range &Part : S.Ranges) {
        place(Part.At, "range " + idToString(Part.Id));
        formula(Part.Offset, "range " + idToString(Part.Id));
        formula(Part.Size, "range " + idToString(Part.Id));
      }
      expect(!S.Size || S.Sizes.empty(),
             "site " + idToString(S.Id) + " has one size, and several");
      if (S.Rows)
        table(*S.Rows, "table " + idToString(S.Id));
    }
    std::map<std::string, uint64_t> Reasons;
    for (const SiteFact &S : F.Sites)
      if (S.Rows && !S.Rows->Why.empty())
        ++Reasons[S.Rows->Why];
    std::map<uint64_t, uint64_t> InRows;
    for (const AccessFact &A : F.Accesses) {
      access(A, Reasons);
      InRows[A.Region] += A.Places;
    }
    for (const RegionFact &R : F.Regions)
      places(R, InRows[R.Id]);
    for (const auto &[Reason, N] : Reasons) {
      auto It = F.GiveUps.find(Reason);
      uint64_t Total = It == F.GiveUps.end() ? 0 : It->second;
      expect(Total >= N, "give-ups count '" + Reason + "' " +
                             std::to_string(Total) + " times, rows name it " +
                             std::to_string(N) + " times");
    }
  }
};

} // namespace

std::vector<std::string> evenkeel::checkFacts(const Facts &F, size_t &Checks) {
  Checks = 0;
  Checker C(F, Checks);
  C.run();
  return std::move(C.Lines);
}
