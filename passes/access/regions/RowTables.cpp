//===- RowTables.cpp - objects that are tables of rows --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowTables.h. Each function has symbols of its own: sizes are compared
// with the symbols' definitions in their place.
//===----------------------------------------------------------------------===//
#include "access/regions/RowTables.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace evenkeel {

namespace {

class Definitions {
  DenseMap<uint64_t, CountRef> Of;

public:
  explicit Definitions(const std::vector<SymbolRow> &Rows) {
    for (const SymbolRow &S : Rows)
      if (S.Value && !S.PerTask)
        Of[S.Id] = S.Value;
  }
  /// \p C with the definitions of its symbols, in sums and products.
  CountRef in(const CountRef &C, unsigned Depth = 0) const {
    constexpr unsigned Deepest = 16; // definitions may be long
    if (C->Kind == Count::Symbol && Depth < Deepest)
      if (CountRef Value = Of.lookup(C->Sym))
        return in(Value, Depth + 1);
    if (C->Kind != Count::Op ||
        (C->Name != "+" && C->Name != "-" && C->Name != "*"))
      return C;
    std::vector<CountRef> Args;
    for (const CountRef &A : C->Args)
      Args.push_back(in(A, Depth));
    return countOp(C->Name, std::move(Args));
  }
};

} // namespace

/// Adds another way in which data select from the object to \p All.
static void join(RowTable &All, const RowTable &More) {
  std::vector<uint64_t> Index;
  std::set_union(All.IndexSites.begin(), All.IndexSites.end(),
                 More.IndexSites.begin(), More.IndexSites.end(),
                 std::back_inserter(Index));
  All.IndexSites = std::move(Index);
  All.Loaded &= More.Loaded;
  if (!All.RowBytes)
    All.Why = std::min(All.Why, More.RowBytes ? All.Why : More.Why);
  else if (!More.RowBytes)
    All.Why = More.Why;
  else if (!sameCount(All.RowBytes, More.RowBytes))
    All.Why = "row-sizes-differ";
  if (!All.Why.empty())
    All.RowBytes = nullptr;
}

void addTables(EkAccessResult &R) {
  const Definitions Symbols(R.SymbolRows);
  std::map<uint64_t, RowTable> Tables;
  // Objects that are only reached by pointers are no tables.
  constexpr StringLiteral ByPointer("row-by-pointer");
  std::set<uint64_t> Pointed;
  for (const AccessRow &A : R.Rows)
    for (RowTable T : A.Tables) {
      if (T.Why == ByPointer) {
        Pointed.insert(A.Sites.begin(), A.Sites.end());
        continue;
      }
      if (T.RowBytes)
        T.RowBytes = Symbols.in(T.RowBytes);
      for (uint64_t Site : A.Sites) {
        auto [It, New] = Tables.try_emplace(Site, T);
        if (!New)
          join(It->second, T);
      }
    }
  for (SiteRow &S : R.SiteRows) {
    auto It = Tables.find(S.Info.Id);
    if (It == Tables.end() || S.State != SiteRow::Live)
      continue;
    S.Table = It->second;
    if (Pointed.count(S.Info.Id)) {
      S.Table->RowBytes = nullptr;
      S.Table->Why = ByPointer.str();
    }
    if (!S.Table->Why.empty())
      ++R.GiveUps[S.Table->Why];
  }
}

} // namespace evenkeel
