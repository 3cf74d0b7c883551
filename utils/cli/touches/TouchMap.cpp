//===- TouchMap.cpp - heat maps of touched memory -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TouchMap.h"
#include "cli/common/Cli.h"
#include "cli/views/Svg.h"
#include "curves/Groups.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::cli;

uint32_t evenkeel::cli::busiestProcess(const TouchRecord &R) {
  if (R.Processes.empty())
    return 0;
  uint32_t Best = R.Passes.empty() ? 0 : R.Passes[0].Process;
  for (const TouchPass &P : R.Passes)
    if (R.Processes[P.Process].ProgramNs > R.Processes[Best].ProgramNs)
      Best = P.Process;
  return Best;
}

std::string evenkeel::cli::processTitle(const TouchRecord &R,
                                        uint32_t Process) {
  const TouchProcess &P = R.Processes[Process];
  return R.Command + (P.Rank ? ", rank " + std::to_string(*P.Rank) : "");
}

namespace {
/// Pages of one cell.
struct Cell {
  double Resident = 0, Touched = 0;
  double share() const { return Resident > 0 ? Touched / Resident : -1; }
};

/// The passes of a process as columns.
struct Columns {
  std::vector<size_t> Of; // by pass; npos: another process
  size_t Count = 0;
  double From = 0, To = 0;

  Columns(const TouchRecord &R, uint32_t Process, size_t Most)
      : Of(R.Passes.size(), npos) {
    std::vector<size_t> Its;
    for (size_t I = 0; I < R.Passes.size(); ++I)
      if (R.Passes[I].Process == Process)
        Its.push_back(I);
    Count = std::min(Its.size(), Most);
    for (size_t I = 0; I < Its.size(); ++I)
      Of[Its[I]] = I * Count / Its.size();
    if (Its.empty())
      return;
    From = double(R.Passes[Its.front()].TimeNs) / 1e9;
    const TouchPass &Last = R.Passes[Its.back()];
    To = double(Last.TimeNs + Last.WindowNs) / 1e9;
  }
  static constexpr size_t npos = size_t(-1);
};
} // namespace

static std::string labelOf(const TouchObject &O) {
  return O.Name + (O.Ordinal ? " #" + std::to_string(O.Ordinal) : "");
}

static HeatRow rowOf(const std::string &Label, const std::vector<Cell> &Cells) {
  HeatRow Row{Label, {}};
  for (const Cell &C : Cells)
    Row.Cells.push_back(C.share());
  return Row;
}

/// Objects with touched pages, hottest first.
static std::vector<uint32_t> hottest(const std::map<uint32_t, double> &Sums) {
  std::vector<uint32_t> Order;
  for (const auto &[Object, Sum] : Sums)
    if (Sum > 0)
      Order.push_back(Object);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return std::pair(-Sums.at(A), A) < std::pair(-Sums.at(B), B);
  });
  return Order;
}

static HeatGrid gridOf(const TouchRecord &R, uint32_t Process,
                       const Columns &C) {
  HeatGrid G;
  G.From = C.From;
  G.To = C.To;
  G.Title = processTitle(R, Process);
  G.Says = std::string(TouchesAre) + " (" + R.Mechanism + ")";
  return G;
}

HeatGrid evenkeel::cli::heatByObject(const TouchRecord &R, uint32_t Process,
                                     size_t Most, size_t MostColumns) {
  if (Process >= R.Processes.size())
    return {};
  const Columns C(R, Process, MostColumns);
  std::map<uint32_t, std::vector<Cell>> Cells;
  std::map<uint32_t, double> Sums;
  for (const TouchRow &X : R.Rows) {
    if (C.Of[X.Pass] == Columns::npos)
      continue;
    auto &Its = Cells.try_emplace(X.Object, C.Count).first->second;
    Its[C.Of[X.Pass]].Resident += X.Resident;
    Its[C.Of[X.Pass]].Touched += usedPages(X);
    Sums[X.Object] += usedPages(X);
  }
  HeatGrid G = gridOf(R, Process, C);
  for (uint32_t Object : hottest(Sums)) {
    if (G.Rows.size() == Most)
      break;
    G.Rows.push_back(rowOf(labelOf(R.Objects[Object]), Cells[Object]));
  }
  return G;
}

namespace {
/// Where each object's pages begin, when rows of \p PerRow pages are numbered
/// from the top. Each object has rows of its own, unless they \p Share.
struct BandRows {
  std::map<uint32_t, uint64_t> Begin; // in pages
  size_t Count = 0;                   // rows

  BandRows(const std::vector<uint32_t> &Order,
           const std::map<uint32_t, uint64_t> &Pages, uint64_t PerRow,
           bool Share) {
    uint64_t At = 0;
    for (const uint32_t Object : Order) {
      if (!Share)
        At = (At + PerRow - 1) / PerRow * PerRow;
      Begin[Object] = At;
      At += Pages.at(Object);
    }
    Count = (At + PerRow - 1) / PerRow;
  }
};
} // namespace

HeatGrid evenkeel::cli::heatByAddress(const TouchRecord &R, uint32_t Process,
                                      size_t Most, size_t MostColumns) {
  if (Process >= R.Processes.size())
    return {};
  const Columns C(R, Process, MostColumns);
  std::map<uint32_t, uint64_t> Pages; // of each touched object
  for (const TouchRow &X : R.Rows)
    if (C.Of[X.Pass] != Columns::npos && usedPages(X) > 0)
      Pages[X.Object] = std::max(Pages[X.Object], uint64_t(X.First) + X.Pages);
  std::vector<uint32_t> Order;
  uint64_t All = 0;
  for (const auto &[Object, N] : Pages) {
    Order.push_back(Object);
    All += N;
  }
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return std::pair(R.Objects[A].Address, A) <
           std::pair(R.Objects[B].Address, B);
  });
  const uint64_t PerRow = std::max<uint64_t>(1, (All + Most - 1) / Most);
  const BandRows Rows(Order, Pages, PerRow, Order.size() > Most);
  std::vector<std::vector<Cell>> Cells(Rows.Count, std::vector<Cell>(C.Count));
  for (const TouchRow &X : R.Rows) {
    const size_t Column = C.Of[X.Pass];
    auto Its = Rows.Begin.find(X.Object);
    if (Column == Columns::npos || Its == Rows.Begin.end())
      continue;
    // A chunk's pages are spread evenly over the rows that it covers.
    const uint64_t Begin = Its->second, Last = Begin + Pages.at(X.Object);
    for (uint64_t At = Begin + X.First, End = std::min(Last, At + X.Pages);
         At < End;) {
      const uint64_t Row = At / PerRow,
                     Next = std::min(End, (Row + 1) * PerRow);
      const double Part = double(Next - At) / X.Pages;
      Cells[Row][Column].Resident += X.Resident * Part;
      Cells[Row][Column].Touched += usedPages(X) * Part;
      At = Next;
    }
  }
  HeatGrid G = gridOf(R, Process, C);
  std::vector<std::string> Labels(Rows.Count);
  for (uint32_t Object : Order)
    if (std::string &Label = Labels[Rows.Begin.at(Object) / PerRow];
        Label.empty())
      Label = labelOf(R.Objects[Object]);
  for (size_t I = 0; I < Rows.Count; ++I)
    G.Rows.push_back(rowOf(Labels[I], Cells[I]));
  return G;
}

/// A share in hundredths: finer ones look alike.
static double shadeOf(double Share) {
  return Share < 0 ? -1 : std::round(std::min(1.0, Share) * 100) / 100;
}

static Svg heatPicture(const HeatGrid &G, const std::string &Name) {
  constexpr double Width = 900, Left = 190, Top = 52, Bottom = 46, Band = 4;
  const bool Few = G.Rows.size() <= 40;
  const double RowHeight = Few ? 16 : 4;
  const size_t Columns = G.Rows.empty() ? 0 : G.Rows[0].Cells.size();
  const double ColumnWidth = Columns ? (Width - Left) / double(Columns) : 0;
  Svg S(Name, Width);
  S.text(0, 18, G.Title, "ink b");
  S.text(0, 36, "share of resident pages that a window sees touched: 0",
         "mut s");
  for (int I = 0; I <= 10; ++I)
    S.shade(312 + I * 10, 27, 10, 10, I / 10.0);
  S.text(428, 36, "100 %", "mut s");
  double Y = Top, LastLabel = -100;
  for (const HeatRow &Row : G.Rows) {
    if (!Row.Label.empty() && !Few && Y > Top)
      Y += Band;
    if (!Row.Label.empty() && Y - LastLabel >= 13) {
      S.text(Left - 8, Y + (Few ? 12 : 9), fitting(Row.Label, Left - 12),
             "ink s", Svg::Anchor::End);
      LastLabel = Y;
    }
    // Neighbours that look alike are one shape.
    for (size_t I = 0, To; I < Row.Cells.size(); I = To) {
      for (To = I + 1; To < Row.Cells.size() &&
                       shadeOf(Row.Cells[To]) == shadeOf(Row.Cells[I]);)
        ++To;
      if (Row.Cells[I] >= 0)
        S.shade(Left + double(I) * ColumnWidth, Y, double(To - I) * ColumnWidth,
                RowHeight, shadeOf(Row.Cells[I]));
    }
    Y += RowHeight;
  }
  const double Seconds = G.To - G.From;
  for (double T : roundSteps(G.From, G.To, 8)) {
    const double X =
        Left + (Seconds > 0 ? (T - G.From) / Seconds : 0) * (Width - Left);
    S.line(X, Y, X, Y + 4, "axis");
    S.text(X, Y + 16, stepText(T), "mut s", Svg::Anchor::Middle);
  }
  S.text(Left, Y + 34, "seconds since the process was first watched", "mut s");
  S.setHeight(Y + Bottom);
  return S;
}

std::optional<double> evenkeel::cli::meanShare(const HeatRow &Row) {
  double Sum = 0, Count = 0;
  for (const double X : Row.Cells)
    if (X >= 0) {
      Sum += X;
      ++Count;
    }
  return Count > 0 ? std::optional(Sum / Count) : std::nullopt;
}

std::string evenkeel::cli::heatWords(const HeatGrid &G) {
  std::vector<std::pair<double, std::string>> Rows;
  std::string Label;
  for (const HeatRow &Row : G.Rows) {
    if (!Row.Label.empty())
      Label = Row.Label;
    if (const std::optional<double> Mean = meanShare(Row))
      Rows.emplace_back(*Mean, Label);
  }
  std::sort(Rows.begin(), Rows.end(), [](const auto &A, const auto &B) {
    return A.first != B.first ? A.first > B.first : A.second < B.second;
  });
  std::string Out = std::to_string(G.Rows.size()) + " rows over " +
                    secondsText(G.To - G.From);
  for (size_t I = 0; I < std::min<size_t>(3, Rows.size()); ++I)
    Out += (I ? ", " : "; most touched: ") + Rows[I].second + " " +
           percentText(Rows[I].first);
  return Out + ". " + G.Says;
}

std::string evenkeel::cli::heatSvg(const HeatGrid &G) {
  return heatPicture(G, "touches")
      .document(G.Title + ": touched pages", G.Says);
}

std::string evenkeel::cli::heatElement(const HeatGrid &G,
                                       const std::string &Name) {
  return heatPicture(G, Name).element(G.Title + ": touched pages",
                                      heatWords(G));
}
