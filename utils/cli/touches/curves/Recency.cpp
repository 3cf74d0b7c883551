//===- Recency.cpp - memory by the time since its last touch --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Recency.h.
//===----------------------------------------------------------------------===//
#include "Recency.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace evenkeel::cli {
namespace {

constexpr uint64_t Never = UINT64_MAX;
/// Powers of ten of an age, in seconds: from 1 ns to a century.
constexpr int LeastTen = -9, MostTen = 10;

/// Pages that were last touched in one pass, at a time in ns.
struct Layer {
  uint64_t LastNs = Never;
  double Pages = 0;
};

/// What is known of a range of an object's pages, the youngest layer first.
struct Piece {
  uint64_t End = 0;
  std::vector<Layer> Layers;
};

/// The pages of one object, as pieces by their first page.
class History {
  std::map<uint64_t, Piece> Pieces;

  void splitAt(uint64_t Page);
  std::vector<Layer> takeOut(uint64_t From, uint64_t To);

public:
  /// A row of \p Pages pages from \p First on. Returns its resident pages by
  /// their last touch, the youngest first.
  const std::vector<Layer> &see(uint64_t First, uint64_t Pages, double Resident,
                                double Touched, uint64_t Ns);
};

} // namespace

static bool isYounger(const Layer &A, const Layer &B) {
  // Times are compared from the latest down; those never touched come last.
  const bool ANever = A.LastNs == Never, BNever = B.LastNs == Never;
  return ANever != BNever ? BNever : !ANever && A.LastNs > B.LastNs;
}

/// Chunks are cut anew from time to time: what a piece knows is spread evenly.
void History::splitAt(uint64_t Page) {
  auto It = Pieces.lower_bound(Page);
  if (It == Pieces.begin() || (It != Pieces.end() && It->first == Page))
    return;
  --It;
  const uint64_t First = It->first, End = It->second.End;
  if (End <= Page)
    return;
  Piece Later = It->second;
  const double Part = double(End - Page) / double(End - First);
  for (Layer &L : Later.Layers)
    L.Pages *= Part;
  for (Layer &L : It->second.Layers)
    L.Pages *= 1 - Part;
  It->second.End = Page;
  Pieces.emplace(Page, std::move(Later));
}

std::vector<Layer> History::takeOut(uint64_t From, uint64_t To) {
  splitAt(From);
  splitAt(To);
  std::vector<Layer> Out;
  auto It = Pieces.lower_bound(From);
  while (It != Pieces.end() && It->first < To) {
    Out.insert(Out.end(), It->second.Layers.begin(), It->second.Layers.end());
    It = Pieces.erase(It);
  }
  std::sort(Out.begin(), Out.end(), isYounger);
  return Out;
}

/// Adds \p Pages of \p LastNs to the end, joined with equals.
static void append(std::vector<Layer> &To, uint64_t LastNs, double Pages) {
  constexpr double Least = 1e-6; // what is left of rounding
  if (Pages < Least)
    return;
  if (!To.empty() && To.back().LastNs == LastNs)
    To.back().Pages += Pages;
  else
    To.push_back({LastNs, Pages});
}

const std::vector<Layer> &History::see(uint64_t First, uint64_t Pages,
                                       double Resident, double Touched,
                                       uint64_t Ns) {
  const std::vector<Layer> Before = takeOut(First, First + Pages);
  Piece Now;
  Now.End = First + Pages;
  Touched = std::min(Touched, Resident);
  append(Now.Layers, Ns, Touched);
  // The youngest of before are those that were touched now; the oldest of them
  // left memory, if fewer are resident.
  double Skip = Touched, Room = Resident - Touched;
  for (const Layer &L : Before) {
    const double Skipped = std::min(Skip, L.Pages);
    Skip -= Skipped;
    const double Kept = std::min(Room, L.Pages - Skipped);
    Room -= Kept;
    append(Now.Layers, L.LastNs, Kept);
  }
  append(Now.Layers, Never, Room);
  return Pieces.emplace(First, std::move(Now)).first->second.Layers;
}

/// 0, the shortest time between passes, and ten ages per factor of ten up to
/// \p Longest: preferred numbers, so that round ages are among them.
static std::vector<double> agesUpTo(double Longest, double Shortest) {
  std::vector<double> Ages = {0};
  if (!(Longest > 0) || !(Shortest > 0))
    return Ages;
  Shortest = std::max(Shortest, Longest / 1e4);
  if (Shortest < Longest)
    Ages.push_back(Shortest);
  for (int Ten = LeastTen; Ten < MostTen; ++Ten)
    for (const double Times :
         {1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0})
      if (const double Age = Times * std::pow(10, Ten);
          Age > Shortest && Age < Longest)
        Ages.push_back(Age);
  Ages.push_back(Longest);
  return Ages;
}

/// Adds the layers of a chunk as \p R's ages see them \p Ns later.
static void addLayers(const std::vector<double> &Ages,
                      const std::vector<Layer> &Layers, uint64_t Ns,
                      double Weight, RecencyRow &Row) {
  Row.Within.resize(Ages.size());
  for (const Layer &L : Layers) {
    Row.Resident += L.Pages * Weight;
    if (L.LastNs == Never)
      continue;
    const double Age = double(Ns - L.LastNs) / 1e9;
    const auto At =
        std::lower_bound(Ages.begin(), Ages.end(), Age * (1 - 1e-12));
    if (At != Ages.end())
      Row.Within[size_t(At - Ages.begin())] += L.Pages * Weight;
  }
}

static void accumulate(RecencyRow &Row, size_t Ages) {
  Row.Within.resize(Ages);
  for (size_t I = 1; I < Ages; ++I)
    Row.Within[I] += Row.Within[I - 1];
}

Recency recencyOf(const TouchRecord &R, uint32_t Process, bool Single) {
  Recency Out;
  uint64_t From = 0, To = 0, Gap = UINT64_MAX;
  bool Any = false;
  for (const TouchPass &P : R.Passes) {
    if (P.Process != Process)
      continue;
    if (Any && P.TimeNs > To)
      Gap = std::min(Gap, P.TimeNs - To);
    From = Any ? From : P.TimeNs;
    To = P.TimeNs;
    Any = true;
  }
  const uint64_t Middle = From + (To - From) / 2;
  for (const TouchPass &P : R.Passes)
    Out.Passes += P.Process == Process && P.TimeNs >= Middle;
  Out.Ages = agesUpTo(double(Middle - From) / 1e9,
                      Gap == UINT64_MAX ? 0 : double(Gap) / 1e9);
  const TouchGroups G = groupsOf(R, Single, Process);
  std::vector<RecencyRow> Rows(G.List.size());
  std::map<uint32_t, History> Of;
  const double Weight =
      Out.Passes ? double(R.PageBytes) / double(Out.Passes) : 0;
  for (const TouchRow &X : R.Rows) {
    const TouchPass &P = R.Passes[X.Pass];
    if (P.Process != Process)
      continue;
    const std::vector<Layer> &Layers =
        Of[X.Object].see(X.First, X.Pages, X.Resident, usedPages(X), P.TimeNs);
    if (P.TimeNs < Middle)
      continue;
    addLayers(Out.Ages, Layers, P.TimeNs, Weight, Rows[G.Of[X.Object]]);
    addLayers(Out.Ages, Layers, P.TimeNs, Weight, Out.All);
  }
  accumulate(Out.All, Out.Ages.size());
  for (size_t I = 0; I < Rows.size(); ++I) {
    accumulate(Rows[I], Out.Ages.size());
    Rows[I].Its = G.List[I];
    if (Rows[I].Within.back() > 0)
      Out.Rows.push_back(std::move(Rows[I]));
  }
  std::sort(Out.Rows.begin(), Out.Rows.end(),
            [](auto &A, auto &B) { return A.Its.Rank < B.Its.Rank; });
  return Out;
}

double bytesWithin(const Recency &R, const RecencyRow &Row, double Age) {
  const auto At =
      std::upper_bound(R.Ages.begin(), R.Ages.end(), Age * (1 + 1e-9));
  return At == R.Ages.begin() ? 0 : Row.Within[size_t(At - R.Ages.begin()) - 1];
}

std::vector<double> roundAges(const Recency &R, size_t Most) {
  std::vector<double> Out;
  if (R.Ages.size() < 2 || !Most)
    return Out;
  for (int Ten = LeastTen; Ten < MostTen; ++Ten)
    for (const double Times : {1.0, 2.0, 5.0}) {
      const double Age = Times * std::pow(10, Ten);
      if (Age >= R.Ages[1] * (1 - 1e-9) && Age <= R.Ages.back())
        Out.push_back(Age);
    }
  // Every second, third, .. of too many, counted from the longest.
  const size_t Step = (Out.size() + Most - 1) / Most;
  std::vector<double> Chosen;
  for (size_t I = 0; Step && I < Out.size(); I += Step)
    Chosen.push_back(Out[Out.size() - 1 - I]);
  std::reverse(Chosen.begin(), Chosen.end());
  return Chosen;
}

} // namespace evenkeel::cli
