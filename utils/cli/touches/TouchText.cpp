//===- TouchText.cpp - touched memory in the terminal ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TouchText.h.
//===----------------------------------------------------------------------===//
#include "TouchText.h"
#include "cli/common/Cli.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::cli {

/// Columns of a mean share behind a map's row, and of a size in a table.
static constexpr size_t Share = 8, Size = 10;

static size_t labelColumns(const TextStyle &S) {
  return S.Width < 70 ? 16 : S.Width < 100 ? 26 : 34;
}

size_t mapColumns(const TextStyle &S) {
  return S.Width - labelColumns(S) - Share;
}

static void addLine(std::string &Out, const std::string &Line) {
  Out.append(Line, 0, Line.find_last_not_of(' ') + 1);
  Out += '\n';
}

static std::string shown(const std::string &Text, const TextStyle &S) {
  return S.Ascii ? asciiText(Text) : Text;
}

/// \p Text in \p Columns less one; of a longer one, the end, where the line is.
static std::string label(const std::string &Text, size_t Columns,
                         const TextStyle &S) {
  std::string Its = shown(Text, S);
  const size_t All = columnsOf(Its), Room = Columns - 1;
  if (All > Room) {
    for (size_t Cut = All - Room + 2; Cut; --Cut)
      Its.erase(0, leftIn(1, Its).size());
    Its = ".." + Its;
  }
  return leftIn(Columns, Its);
}

/// A share from 0 to 1, darker for larger ones.
static const char *shadeOf(double Of, bool Ascii) {
  static const char *const Blocks[] = {"\u00b7", "\u2591", "\u2592", "\u2593",
                                       "\u2588"};
  static const char *const Letters[] = {".", ":", "-", "=", "#"};
  const int Level = Of <= 0 ? 0 : std::clamp(int(std::ceil(Of * 4)), 1, 4);
  return Ascii ? Letters[Level] : Blocks[Level];
}

static const char *keyOf(bool Ascii) {
  return Ascii ? ". none, : to 25 %, - to 50 %, = to 75 %, # more; blank: "
                 "nothing resident"
               : "\u00b7 none, \u2591 to 25 %, \u2592 to 50 %, \u2593 to 75 %, "
                 "\u2588 more; blank: nothing resident";
}

/// Columns of one cell: few passes are drawn wide.
static size_t cellColumns(const HeatGrid &G, const TextStyle &S) {
  const size_t Cells = G.Rows.empty() ? 0 : G.Rows[0].Cells.size();
  return Cells ? std::max<size_t>(1, mapColumns(S) / Cells) : 1;
}

static std::string cellsText(const HeatRow &Row, size_t Columns,
                             const TextStyle &S) {
  std::string Out;
  for (size_t I = 0, To; I < Row.Cells.size(); I = To) {
    auto Shade = [&](size_t At) {
      return Row.Cells[At] < 0 ? " " : shadeOf(Row.Cells[At], S.Ascii);
    };
    for (To = I + 1; To < Row.Cells.size() &&
                     std::string(Shade(To)) == std::string(Shade(I));)
      ++To;
    const Paint Colour = Row.Cells[I] > 0.5  ? Paint::Orange
                         : Row.Cells[I] <= 0 ? Paint::Dim
                                             : Paint::None;
    Out += painted(S, Colour, repeated(Shade(I), (To - I) * Columns));
  }
  return Out;
}

static std::string timeAxis(double From, double To, size_t Columns,
                            const char *Says) {
  std::string Left = secondsText(From);
  const std::string Right = secondsText(To);
  const size_t Used = columnsOf(Left) + columnsOf(Right);
  if (Used + 2 > Columns)
    return Left;
  std::string Middle = Says;
  if (columnsOf(Middle) + 4 + Used > Columns)
    Middle.clear();
  const size_t Room = Columns - Used - columnsOf(Middle);
  return Left + std::string(Room / 2, ' ') + Middle +
         std::string(Room - Room / 2, ' ') + Right;
}

std::string heatView(const HeatGrid &G, const TextStyle &S) {
  const size_t Label = labelColumns(S), Cell = cellColumns(G, S);
  std::string Out;
  for (const HeatRow &Row : G.Rows) {
    const std::optional<double> Mean = meanShare(Row);
    addLine(Out, label(Row.Label, Label, S) + cellsText(Row, Cell, S) +
                     std::string(mapColumns(S) - Row.Cells.size() * Cell, ' ') +
                     rightIn(Share, Mean ? percentText(*Mean) : ""));
  }
  const size_t Columns = G.Rows.empty() ? 0 : G.Rows[0].Cells.size() * Cell;
  addLine(Out, std::string(Label, ' ') +
                   timeAxis(G.From, G.To, std::max<size_t>(Columns, 12),
                            "since the process was first watched"));
  return Out +
         brokenLines("shade: share of resident pages that a window sees "
                     "touched: " +
                         std::string(keyOf(S.Ascii)) +
                         "; at the right: on average",
                     S.Width, 7) +
         "\n";
}

static std::string bar(double Of, size_t Columns, const TextStyle &S) {
  const auto N =
      size_t(std::lround(std::clamp(Of, 0.0, 1.0) * double(Columns)));
  return painted(S, Paint::Blue, repeated(S.Ascii ? "#" : "\u2588", N));
}

/// One character for each of \p Columns groups of \p Values, as high as the
/// largest one of the group.
static std::string sparks(const std::vector<double> &Values, double Most,
                          size_t Columns, const TextStyle &S) {
  static const char *const Blocks[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                       "\u2585", "\u2586", "\u2587", "\u2588"};
  static const char *const Letters[] = {"_", ".", ",", "-", "=", "+", "*", "#"};
  const size_t N = std::min(Values.size(), Columns);
  std::string Out;
  for (size_t I = 0; I < N; ++I) {
    double Largest = 0;
    for (size_t J = I * Values.size() / N; J < (I + 1) * Values.size() / N; ++J)
      Largest = std::max(Largest, Values[J]);
    const int Level = Most > 0 ? std::clamp(int(Largest / Most * 8), 0, 7) : 0;
    Out += S.Ascii ? Letters[Level] : Blocks[Level];
  }
  return Out;
}

static std::string othersText(size_t All, size_t Most) {
  return All > Most ? std::to_string(All - Most) + " others: less each\n" : "";
}

/// The name, and from where it is called if that fits.
static std::string placeOf(const TouchGroup &G) {
  return G.Name + (G.Objects > 1 ? " x" + std::to_string(G.Objects) : "") +
         (G.Stack.size() > 1 ? " " + G.Stack[1] : "");
}

/// The place of \p G in \p Columns: its name from the start, if need be cut.
static std::string placeIn(const TouchGroup &G, size_t Columns,
                           const TextStyle &S) {
  const std::string Whole = shown(placeOf(G), S);
  TouchGroup Alone = G;
  Alone.Stack.clear();
  return columnsOf(Whole) < Columns ? leftIn(Columns, Whole)
                                    : label(placeOf(Alone), Columns, S);
}

std::string workingSetView(const WorkingSet &W, const TextStyle &S,
                           size_t Most) {
  const Distribution D = distributionOf(W.Touched),
                     Of = distributionOf(W.Resident);
  constexpr size_t Name = 8;
  std::string Out;
  const size_t Bar = S.Width - Name - Size - 1;
  for (size_t I = 0; I < ShownPercentiles.size(); ++I)
    addLine(Out,
            rightIn(Name - 2, std::to_string(ShownPercentiles[I]) + " %") +
                "  " + rightIn(Size, bytesText(D.At[I])) + " " +
                bar(Of.At.back() > 0 ? D.At[I] / Of.At.back() : 0, Bar, S));
  addLine(Out, leftIn(Name, "  mean") + rightIn(Size, bytesText(D.Mean)) +
                   " of " + bytesText(Of.Mean) + " resident");
  addLine(Out, leftIn(Name + 1, "  time") +
                   sparks(W.Touched, Of.At.back(), S.Width - Name - 1, S));
  const size_t Cells = S.Width < 70 ? 3 : 5; // percentiles in the table
  const size_t Place = S.Width - Cells * Size;
  std::string Head = leftIn(Place, "object");
  auto Shows = [&](size_t I) { return Cells == 5 || I % 2 == 0; };
  for (size_t I = 0; I < ShownPercentiles.size(); ++I)
    if (Shows(I))
      Head += rightIn(Size, std::to_string(ShownPercentiles[I]) + " %");
  addLine(Out, Head);
  for (size_t I = 0; I < std::min(Most, W.Rows.size()); ++I) {
    const Distribution Its = distributionOf(W.Rows[I].Touched);
    std::string Line = placeIn(W.Rows[I].Its, Place, S);
    for (size_t K = 0; K < ShownPercentiles.size(); ++K)
      if (Shows(K))
        Line += rightIn(Size, bytesText(Its.At[K]));
    addLine(Out, Line);
  }
  return Out + othersText(W.Rows.size(), Most);
}

std::string recencyView(const Recency &R, const TextStyle &S, size_t Most) {
  const std::vector<double> Ages = roundAges(R, 6);
  std::string Out;
  constexpr size_t Name = 16;
  const size_t Bar = S.Width - Name - Size - Share - 1;
  auto Line = [&](const std::string &Text, double Bytes) {
    const double Part = R.All.Resident > 0 ? Bytes / R.All.Resident : 0;
    addLine(Out, leftIn(Name, Text) + rightIn(Size, bytesText(Bytes)) +
                     rightIn(Share, percentText(Part)) + " " +
                     bar(Part, Bar, S));
  };
  Line("in its window", R.All.Within[0]);
  for (const double Age : Ages)
    Line("within " + secondsText(Age), bytesWithin(R, R.All, Age));
  const double Longest = Ages.empty() ? 0 : Ages.back();
  auto Longer = [&](const RecencyRow &Row) {
    return std::max(0.0, Row.Resident - bytesWithin(R, Row, Longest));
  };
  Line("longer ago", Longer(R.All));
  const size_t Cells = std::min<size_t>(Ages.size(), S.Width < 70 ? 1 : 3);
  const std::vector<double> Shown = roundAges(R, Cells);
  const size_t Place = S.Width - (Shown.size() + 2) * Size;
  std::string Head = leftIn(Place, "object") + rightIn(Size, "window");
  for (const double Age : Shown)
    Head += rightIn(Size, secondsText(Age));
  addLine(Out, Head + rightIn(Size, "longer"));
  for (size_t I = 0; I < std::min(Most, R.Rows.size()); ++I) {
    const RecencyRow &Row = R.Rows[I];
    std::string Text =
        placeIn(Row.Its, Place, S) + rightIn(Size, bytesText(Row.Within[0]));
    for (const double Age : Shown)
      Text += rightIn(Size, bytesText(bytesWithin(R, Row, Age)));
    addLine(Out, Text + rightIn(Size, bytesText(Longer(Row))));
  }
  return Out + othersText(R.Rows.size(), Most);
}

} // namespace evenkeel::cli
