//===- CurvePictures.cpp - working set, recency, points as SVG ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CurvePictures.h.
//===----------------------------------------------------------------------===//
#include "CurvePictures.h"
#include "cli/common/Cli.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace evenkeel::cli {
namespace {

/// Colours of source lines; the last one is for all others.
constexpr const char *Colours[] = {"o0", "o1", "o2", "o3", "o4", "o5", "o6"};
constexpr size_t Named = std::size(Colours) - 1;

constexpr double Width = 900, Left = 64, Right = 200, Top = 56, Height = 240;
constexpr double Bottom = Top + Height;

/// A size with a unit that fits \p Most, for all steps of an axis.
struct SizeAxis {
  double Unit = 1;
  const char *Name = "B";
  double Top = 1; // bytes at the upper edge

  explicit SizeAxis(double Most) {
    for (const char *Next : {"KiB", "MiB", "GiB", "TiB"})
      if (Most / Unit >= 1024) {
        Unit *= 1024;
        Name = Next;
      }
    Top = Most > 0 ? Most * 1.05 : 1;
  }
  double y(double Bytes) const {
    return Bottom - std::min(1.0, Bytes / Top) * Height;
  }
};

struct Label {
  double Y;
  const char *Class;
  std::string Text;
};

} // namespace

static const char *colourOf(size_t Rank) {
  return Colours[std::min(Rank, Named)];
}

/// The name of \p G, and how many objects it has.
static std::string nameOf(const TouchGroup &G) {
  return G.Name + (G.Objects > 1 ? " \u00d7" + std::to_string(G.Objects) : "");
}

static void drawSizes(Svg &S, const SizeAxis &A) {
  for (const double V : roundSteps(0, A.Top / A.Unit, 5)) {
    const double Y = A.y(V * A.Unit);
    S.line(Left, Y, Width - Right, Y, "line");
    S.text(Left - 8, Y + 4, stepText(V), "mut s", Svg::Anchor::End);
  }
}

/// Labels beside the ends of lines, moved apart where they would overlap.
static void drawLabels(Svg &S, std::vector<Label> Labels) {
  constexpr double Line = 15;
  std::sort(Labels.begin(), Labels.end(), [](auto &A, auto &B) {
    return std::tie(A.Y, A.Text) < std::tie(B.Y, B.Text);
  });
  double Y = Top - 20;
  for (Label &L : Labels)
    Y = L.Y = std::max(L.Y, Y + Line);
  double Most = Bottom + 4;
  for (auto It = Labels.rbegin(); It != Labels.rend(); ++It) {
    It->Y = std::min(It->Y, Most);
    Most = It->Y - Line;
  }
  for (const Label &L : Labels) {
    S.line(Width - Right + 8, L.Y, Width - Right + 22, L.Y, L.Class);
    S.text(Width - Right + 27, L.Y + 4, fitting(L.Text, Right - 28), "ink s");
  }
}

static void drawTime(Svg &S, double From, double To, double X0, double X1,
                     double Y, const char *Says) {
  for (const double T : roundSteps(From, To, 8)) {
    const double X =
        X0 + (To > From ? (T - From) / (To - From) : 0) * (X1 - X0);
    S.line(X, Y, X, Y + 4, "axis");
    S.text(X, Y + 17, stepText(T), "mut s", Svg::Anchor::Middle);
  }
  S.text(X0, Y + 36, Says, "mut s");
}

std::string workingSetWords(const WorkingSet &W) {
  const Distribution D = distributionOf(W.Touched),
                     Of = distributionOf(W.Resident);
  return bytesText(D.At.front()) + " to " + bytesText(D.At.back()) +
         " touched in a window, " + bytesText(D.Mean) + " on average, of " +
         bytesText(Of.Mean) + " resident";
}

CurvePicture workingSetPicture(const WorkingSet &W, const std::string &Title,
                               const std::string &Name) {
  Svg S(Name, Width);
  double Most = 0;
  for (const double B : W.Resident)
    Most = std::max(Most, B);
  const SizeAxis A(Most);
  S.text(0, 18, Title, "ink b");
  S.text(
      0, 36,
      std::string("what each window sees touched, and what is resident, in ") +
          A.Name,
      "mut s");
  drawSizes(S, A);
  const double From = W.Seconds.empty() ? 0 : W.Seconds.front(),
               To = W.Seconds.empty() ? 0 : W.Seconds.back();
  std::vector<Label> Labels;
  auto Draw = [&](const std::vector<double> &Bytes, const char *Class,
                  const std::string &Text) {
    if (Bytes.empty())
      return;
    std::vector<std::pair<double, double>> Points;
    for (size_t I = 0; I < Bytes.size(); ++I)
      Points.emplace_back(
          Left + (To > From ? (W.Seconds[I] - From) / (To - From) : 0) *
                     (Width - Right - Left),
          A.y(Bytes[I]));
    if (Points.size() == 1)
      Points.emplace_back(Width - Right, Points[0].second);
    S.path(Points, Class);
    Labels.push_back({Points.back().second, Class, Text});
  };
  Draw(W.Resident, "touch", "resident");
  Draw(W.Touched, "fast", "touched");
  // A single line would only repeat the sum.
  for (size_t I = 0; W.Rows.size() > 1 && I < std::min(Named, W.Rows.size());
       ++I)
    Draw(W.Rows[I].Touched, colourOf(W.Rows[I].Its.Rank),
         nameOf(W.Rows[I].Its));
  drawLabels(S, Labels);
  drawTime(S, From, To, Left, Width - Right, Bottom,
           "seconds since the process was first watched");
  S.setHeight(Bottom + 48);
  return {S, Title + ": working set",
          workingSetWords(W) + ". " + TouchesAre + "."};
}

std::string recencyWords(const Recency &R) {
  std::string Out = bytesText(R.All.Within[0]) + " of " +
                    bytesText(R.All.Resident) +
                    " resident are touched within a window";
  for (const double Age : roundAges(R, 2))
    Out += ", " + bytesText(bytesWithin(R, R.All, Age)) + " within " +
           secondsText(Age);
  return Out;
}

CurvePicture recencyPicture(const Recency &R, const std::string &Title,
                            const std::string &Name) {
  Svg S(Name, Width);
  const SizeAxis A(R.All.Resident);
  S.text(0, 18, Title, "ink b");
  S.text(0, 36,
         std::string("memory whose last touch is at most so long ago, in ") +
             A.Name,
         "mut s");
  drawSizes(S, A);
  // The window itself has a place of its own, left of the logarithmic ages.
  constexpr double Begin = Left + 70, End = Width - Right;
  const double Low = R.Ages.size() > 1 ? std::log10(R.Ages[1]) : 0,
               High = R.Ages.size() > 1 ? std::log10(R.Ages.back()) : 1;
  auto At = [&](double Age) {
    return High > Low
               ? Begin + (std::log10(Age) - Low) / (High - Low) * (End - Begin)
               : Begin;
  };
  std::vector<Label> Labels;
  auto Draw = [&](const RecencyRow &Row, const char *Class,
                  const std::string &Text) {
    // What is younger than an age is known for that age, not between two.
    std::vector<std::pair<double, double>> Points = {
        {Left, A.y(Row.Within[0])}};
    for (size_t I = 1; I < Row.Within.size(); ++I) {
      Points.emplace_back(At(R.Ages[I]), Points.back().second);
      Points.emplace_back(At(R.Ages[I]), A.y(Row.Within[I]));
    }
    Points.emplace_back(End, Points.back().second);
    S.path(Points, Class);
    Labels.push_back({Points.back().second, Class, Text});
  };
  S.path({{Left, A.y(R.All.Resident)}, {End, A.y(R.All.Resident)}}, "touch");
  Labels.push_back({A.y(R.All.Resident), "touch", "resident"});
  Draw(R.All, "fast", "all memory");
  for (size_t I = 0; R.Rows.size() > 1 && I < std::min(Named, R.Rows.size());
       ++I)
    Draw(R.Rows[I], colourOf(R.Rows[I].Its.Rank), nameOf(R.Rows[I].Its));
  drawLabels(S, Labels);
  S.text(Left, Bottom + 17, "window", "mut s");
  for (const double Age : roundAges(R, 8)) {
    S.line(At(Age), Bottom, At(Age), Bottom + 4, "axis");
    S.text(At(Age), Bottom + 17, stepText(Age), "mut s", Svg::Anchor::Middle);
  }
  S.text(Left, Bottom + 36,
         "seconds since the last touch, in the second half of the run",
         "mut s");
  S.setHeight(Bottom + 48);
  return {S, Title + ": time since the last touch",
          recencyWords(R) + ". " + TouchesAre + "."};
}

CurvePicture scatterPicture(const Scatter &Points, const std::string &Title,
                            const std::string &Name) {
  constexpr double Names = 190, Tall = 480, Begin = Names + 6, Gap = 4;
  Svg S(Name, Width);
  S.text(0, 18, Title, "ink b");
  S.text(0, 36,
         "a point for each touched chunk, larger the more of it is touched; a "
         "colour for each source line",
         "mut s");
  const double Gaps = Gap * double(Points.Bands.size()),
               Span = Points.To - Points.From;
  const double Scale = Points.Bytes > 0 ? Tall / Points.Bytes : 0;
  double Shift = Top, LastLabel = -100;
  size_t Drawn = 0;
  for (const ScatterBand &B : Points.Bands) {
    const double Y0 = Shift + B.From * Scale, Y1 = Shift + B.To * Scale;
    const std::string Colour = colourOf(B.Rank);
    S.line(Names, Y0, Names, std::max(Y0 + 1, Y1), Colour.c_str());
    if ((Y0 + Y1) / 2 - LastLabel >= 13) {
      LastLabel = (Y0 + Y1) / 2;
      S.text(Names - 8, LastLabel + 4, fitting(B.Name, Names - 12), "ink s",
             Svg::Anchor::End);
    }
    std::vector<std::pair<double, double>> Sizes[3];
    for (const ScatterPoint &P : B.Points) {
      const double X =
          Begin + (Span > 0 ? (P.Seconds - Points.From) / Span : 0) *
                      (Width - Begin - 4);
      Sizes[P.Share > 2.0 / 3   ? 2
            : P.Share > 1.0 / 3 ? 1
                                : 0]
          .emplace_back(X, Shift + P.Byte * Scale);
    }
    Drawn += B.Points.size();
    for (size_t I = 0; I < 3; ++I)
      S.dots(Sizes[I], Colour + (I == 2 ? " dc" : I == 1 ? " db" : " da"));
    Shift += Gap;
  }
  const double Y = Top + Tall + Gaps;
  drawTime(S, Points.From, Points.To, Begin, Width - 4, Y,
           "seconds since the process was first watched");
  S.setHeight(Y + 48);
  std::string Says = std::to_string(Drawn) + " points of " +
                     std::to_string(Points.Bands.size()) + " objects over " +
                     secondsText(Span);
  for (size_t I = 0; I < std::min<size_t>(3, Points.Groups.size()); ++I)
    Says += (I ? ", " : "; most touched: ") + nameOf(Points.Groups[I]);
  return {S, Title + ": touched chunks by address and time",
          Says + ". " + TouchesAre + "."};
}

} // namespace evenkeel::cli
