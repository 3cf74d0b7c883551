//===- FactsPrinter.cpp - tables of facts ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FactsPrinter.h.
//===----------------------------------------------------------------------===//
#include "FactsPrinter.h"
#include "SymbolNames.h"
#include "cli/common/Cli.h"
#include "format/Identity.h"
#include "text/Reasons.h"
#include <algorithm>
#include <cstdio>

namespace evenkeel::cli {

static std::string calls(const SiteFact::Caller &C) {
  std::string Out;
  for (const std::string &Call : C.Calls)
    Out += (Out.empty() ? "" : " < ") + Call;
  return Out;
}

/// "  of 9 loads and stores 6 above, 1 of them of no known object; ...\n".
static std::string placesText(const Facts &F, const RegionFact &R) {
  auto All = R.Places.find("all");
  if (All == R.Places.end() || !All->second)
    return "";
  uint64_t Rows = 0, Lost = 0;
  for (const AccessFact &A : F.Accesses)
    if (A.Region == R.Id) {
      Rows += A.Places;
      Lost += A.Sites.empty() ? A.Places : 0;
    }
  std::string Out = "  of " + std::to_string(All->second) +
                    " loads and stores " + std::to_string(Rows) + " above";
  if (Lost)
    Out += ", " + std::to_string(Lost) + " of them of no known object";
  const char *Then = "; private: ";
  for (const auto &[Whose, N] : R.Places)
    if (Whose != "all") {
      Out += Then + std::to_string(N) + " " + Whose;
      Then = ", ";
    }
  return Out + "\n";
}

/// The objects from which data select rows; nothing if there are none.
static void printTables(const Facts &F) {
  auto Name = symbolNames(F);
  Table T({"TABLE", "ROW BYTES", "INDEX", "FROM"});
  bool Any = false;
  for (const SiteFact &S : F.Sites) {
    if (!S.Rows)
      continue;
    Any = true;
    std::string From;
    for (uint64_t Id : S.Rows->IndexSites)
      if (const SiteFact *Its = F.site(Id))
        From += (From.empty() ? "" : ", ") + Its->At;
    T.row({S.At,
           S.Rows->RowBytes ? exprToText(*S.Rows->RowBytes, Name)
                            : "unknown: " + S.Rows->Why,
           S.Rows->Loaded ? "loaded" : "computed", From});
  }
  if (Any)
    std::printf("\n%s", T.str().c_str());
}

void printFacts(const Facts &F) {
  auto Name = symbolNames(F);
  std::printf("%zu units, %zu sites, %zu regions, %zu sync points, %zu "
              "symbols\n",
              F.Units.size(), F.Sites.size(), F.Regions.size(), F.Syncs.size(),
              F.Symbols.size());
  if (!F.Sites.empty()) {
    std::puts("");
    Table T({"SITE", "AT", "KIND", "FUNCTION", "BYTES", "STATE"});
    for (const SiteFact &S : F.Sites) {
      std::string Size = S.Size ? exprToText(*S.Size, Name) : "";
      for (const ExprRef &E : S.Sizes)
        Size += (Size.empty() ? "" : " or ") + exprToText(*E, Name);
      T.row({idToString(S.Id), S.At, S.Kind, S.Function,
             Size.empty() ? "unknown" : Size, S.State});
      for (const SiteFact::Caller &C : S.Contexts)
        T.row({idToString(C.Id), "  from " + calls(C), "context", "",
               C.Size ? exprToText(*C.Size, Name) : "unknown", ""});
      for (const SiteFact::Range &P : S.Ranges)
        T.row({idToString(P.Id), "  range " + P.At, "from byte",
               P.Offset ? exprToText(*P.Offset, Name) : "unknown",
               P.Size ? exprToText(*P.Size, Name) : "unknown", ""});
    }
    std::fputs(T.str().c_str(), stdout);
  }
  printTables(F);
  for (const RegionFact &R : F.Regions) {
    std::printf("\nregion %s at %s in %s (%s)\n", R.Kind.c_str(), R.At.c_str(),
                R.Function.c_str(), idToString(R.Id).c_str());
    Table T({"  OBJECT", "CLASS", ">STRIDE", "READS", "WRITES", "CERTAIN"});
    bool Any = false;
    for (const AccessFact &A : F.Accesses) {
      if (A.Region != R.Id)
        continue;
      Any = true;
      std::string Objects;
      for (uint64_t Id : A.Sites) {
        const SiteFact *S = F.site(Id);
        Objects += (Objects.empty() ? "" : " or ") + (S ? S->At : "?");
        std::string From;
        for (const SiteFact::Caller &C :
             S ? S->Contexts : std::vector<SiteFact::Caller>())
          if (std::binary_search(A.Contexts.begin(), A.Contexts.end(), C.Id))
            From += (From.empty() ? " from " : ", ") + calls(C);
        Objects += From;
        const char *Part = " range ";
        for (const SiteFact::Range &P :
             S ? S->Ranges : std::vector<SiteFact::Range>())
          if (std::binary_search(A.Ranges.begin(), A.Ranges.end(), P.Id)) {
            Objects += Part + P.At;
            Part = " or ";
          }
      }
      T.row({"  " + (Objects.empty() ? "unknown" : Objects), text(A.Class),
             A.Stride ? std::to_string(*A.Stride) + " B" : "-",
             exprToText(*A.Reads, Name), exprToText(*A.Writes, Name),
             (A.Exact && A.Why.empty() ? "exact"
              : A.Why.empty()          ? "estimate"
                                       : A.Why) +
                 (A.Library.empty() ? "" : " by " + A.Library)});
    }
    std::fputs(Any ? T.str().c_str() : "  no access to a known object\n",
               stdout);
    std::fputs(placesText(F, R).c_str(), stdout);
  }
  if (!F.GiveUps.empty()) {
    std::puts("\ngiven up, by reason");
    Table T({"  REASON", ">TIMES", "MEANING"});
    for (const auto &[Name, N] : F.GiveUps)
      T.row({"  " + Name, std::to_string(N),
             meaningOf(Name, {Reason::Unit, Reason::Facts, Reason::Count})});
    std::fputs(T.str().c_str(), stdout);
  }
}

} // namespace evenkeel::cli
