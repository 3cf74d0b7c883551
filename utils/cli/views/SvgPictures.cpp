//===- SvgPictures.cpp - the charts of a report as files ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SvgPictures.h.
//===----------------------------------------------------------------------===//
#include "SvgPictures.h"
#include "Svg.h"
#include "cli/report/AltTexts.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::cli {
namespace {

using Anchor = Svg::Anchor;

constexpr double PictureWidth = 960, Left = 56, Right = 16;

class Pictures {
  const ReportInput &In;
  const ReportData &D;
  const Headlines &Says;
  const AltTexts Alt;

  double drawRun(Svg &S, const RunData &R, double Top, double Lane,
                 double Scale, const char *Class) const;
  void drawLane(Svg &S, const LaidOutPhase &P, size_t L, double X, double Y,
                double Width, double Height, bool IsSlow,
                const char *Class) const;
  void drawAxis(Svg &S, double Y, double Longest, double Scale) const;
  void drawCurves(Svg &S, double Low, double Top, double Bottom,
                  double Y) const;

public:
  Pictures(const ReportInput &Its, const ReportData &Data,
           const Headlines &Sentences)
      : In(Its), D(Data), Says(Sentences), Alt(Its, Data, Sentences) {}
  std::string tasks() const;
  std::string occupancy() const;
  std::string amounts() const;
};

std::string headline(const std::string &Html) {
  return fitting(plainText(Html), PictureWidth);
}

} // namespace

// --- tasks over time --------------------------------------------------------

/// A lane in a group: its work, and the rest of the group as waiting.
void Pictures::drawLane(Svg &S, const LaidOutPhase &P, size_t L, double X,
                        double Y, double Width, double Height, bool IsSlow,
                        const char *Class) const {
  if (!P.Bars.empty()) {
    S.rect(X, Y, Width, Height, "wait");
    for (const Bar &B : P.Bars)
      if (B.Lane == L)
        S.rect(X + B.From / P.Seconds * Width, Y,
               std::max(0.4, B.Seconds / P.Seconds * Width), Height, Class);
    return;
  }
  const double Busy =
      L < P.Busy.size() ? std::min(1.0, P.Busy[L] / P.Seconds) * Width : 0;
  S.rect(X, Y, Busy, Height, IsSlow ? "hot" : Class);
  if (Width - Busy > 0.3)
    S.rect(X + Busy, Y, Width - Busy, Height, "wait");
}

/// All groups of \p R one after the other; returns where the last one ends.
double Pictures::drawRun(Svg &S, const RunData &R, double Top, double Lane,
                         double Scale, const char *Class) const {
  size_t Lanes = 0;
  for (const LaidOutPhase &P : R.Groups)
    Lanes = std::max(Lanes, P.Busy.size());
  double X = Left;
  for (size_t G = 0; G < R.Groups.size(); ++G) {
    const LaidOutPhase &P = R.Groups[G];
    const double Width = P.Seconds * Scale;
    if (!(P.Seconds > 0))
      continue;
    const std::vector<uint32_t> Slow =
        P.Explicit ? std::vector<uint32_t>() : slowLanes(P);
    for (size_t L = 0; L < Lanes; ++L)
      drawLane(S, P, L, X, Top + double(L) * Lane, Width,
               Lane - (Lane > 6 ? 2 : 1),
               std::count(Slow.begin(), Slow.end(), L) != 0, Class);
    if (G)
      S.line(X, Top - 4, X, Top + double(Lanes) * Lane, "cut");
    const GroupData &Its = D.Groups[G];
    const std::string Number = std::to_string(G + 1);
    const size_t Times = Its.Its.Phases.size();
    const std::string Long =
        Number + "  " + Its.Named +
        (Times > 1 && !Its.Rest ? " \u00d7" + std::to_string(Times) : "");
    const std::string Fits = fitting(Long, Width);
    S.text(X + Width / 2, Top - 7,
           Width > 12 ? (Fits.empty() ? Number : Fits) : "", "mut s",
           Anchor::Middle);
    X += Width;
  }
  S.text(Left - 8, Top + std::min(Lane - 2, 10.0), "0", "mut s", Anchor::End);
  if (Lanes > 1)
    S.text(Left - 8, Top + double(Lanes) * Lane - 2,
           std::to_string(Lanes * D.LanesPerBand - 1), "mut s", Anchor::End);
  return X;
}

void Pictures::drawAxis(Svg &S, double Y, double Longest, double Scale) const {
  const AmountUnit &T = Says.timeUnit();
  S.line(Left, Y, PictureWidth - Right, Y, "axis");
  for (const double V : roundSteps(0, T.of(Longest), 8)) {
    const double X = Left + V / T.Factor * Scale;
    S.line(X, Y, X, Y + 4, "axis");
    S.text(X, Y + 17, stepText(V), "mut s",
           V > 0 ? Anchor::Middle : Anchor::Start);
  }
  S.text(0, Y + 17, T.Name, "mut s");
}

std::string Pictures::tasks() const {
  const double Longest = std::max(D.FirstTouch.Makespan, D.Plan.Makespan);
  if (D.Groups.empty() || !(Longest > 0))
    return "";
  size_t Lanes = 1;
  for (const RunData *R : {&D.FirstTouch, &D.Plan})
    for (const LaidOutPhase &P : R->Groups)
      Lanes = std::max(Lanes, P.Busy.size());
  const double Lane = Lanes > 32 ? 5 : Lanes > 16 ? 8 : 12;
  const double Tall = double(Lanes) * Lane;
  const double Scale = (PictureWidth - Left - Right) / Longest;
  Svg S("ek-tasks", PictureWidth);
  S.text(0, 18, headline(Says.tasks()), "b");
  auto Waits = [&](const RunData &R) {
    return D.Lanes > 1
               ? "; " +
                     (D.Explicit ? std::string("workers") : Says.lane(true)) +
                     " wait " + Says.time(R.Waited / double(D.Lanes)) +
                     " each on average"
               : "";
  };
  double Y = 84;
  S.text(Left, Y - 30,
         "First touch: " + Says.time(D.FirstTouch.Makespan) +
             Waits(D.FirstTouch),
         "b");
  drawRun(S, D.FirstTouch, Y, Lane, Scale, "touch");
  Y += Tall;
  if (!In.P->KeepsFirstTouch) {
    Y += 64;
    S.text(Left, Y - 30, "Plan: " + Says.time(D.Plan.Makespan) + Waits(D.Plan),
           "b blue");
    const double End = drawRun(S, D.Plan, Y, Lane, Scale, "fast");
    if (PictureWidth - Right - End > 70)
      S.text(End + 8, Y + Tall / 2 + 4,
             signedDigits(
                 Says.timeUnit().of(D.Plan.Makespan - D.FirstTouch.Makespan)) +
                 "\u00a0" + Says.timeUnit().Name,
             "b blue");
    Y += Tall;
  }
  drawAxis(S, Y + 14, Longest, Scale);
  S.text(Left, Y + 52, plainText(Says.tasksNote()), "mut s");
  S.setHeight(Y + 64);
  return S.document(plainText(Says.tasks()), Alt.tasks());
}

// --- how full fast memory is ------------------------------------------------

std::string Pictures::occupancy() const {
  if (D.Occupancy.empty())
    return "";
  double Most = D.FastBytes;
  for (const OccupancyData &O : D.Occupancy)
    Most = std::max(Most, O.Allocated);
  if (!(Most > 0))
    return "";
  const double Top = 64, Bottom = 304,
               Column =
                   (PictureWidth - Left - Right) / double(D.Occupancy.size());
  const AmountUnit &B = Says.sizeUnit();
  auto Y = [&](double Bytes) { return Bottom - Bytes / Most * (Bottom - Top); };
  Svg S("ek-occupancy", PictureWidth);
  S.text(0, 18, headline(Says.occupancy()), "b");
  S.text(0, Top - 14, B.Name, "mut");
  for (const double V : roundSteps(0, B.of(Most), 5)) {
    S.line(Left, Y(V / B.Factor), PictureWidth - Right, Y(V / B.Factor),
           V > 0 ? "line" : "axis");
    S.text(Left - 8, Y(V / B.Factor) + 4, stepText(V), "mut", Anchor::End);
  }
  for (size_t G = 0; G < D.Occupancy.size(); ++G) {
    const OccupancyData &O = D.Occupancy[G];
    const double X = Left + double(G) * Column, Gap = Column > 12 ? 2 : 0.5;
    S.rect(X + Gap, Y(O.Allocated), Column - 2 * Gap, Bottom - Y(O.Allocated),
           "live");
    const double Shown = In.P->KeepsFirstTouch ? O.FirstTouch : O.Plan;
    S.rect(X + Gap, Y(Shown), Column - 2 * Gap, Bottom - Y(Shown),
           In.P->KeepsFirstTouch ? "touch" : "fast");
    if (!In.P->KeepsFirstTouch)
      S.line(X + Gap, Y(O.FirstTouch), X + Column - Gap, Y(O.FirstTouch),
             "mark");
    const std::string Number = std::to_string(G + 1);
    const std::string Fits = fitting(Number + "  " + D.Groups[G].Named, Column);
    if (Column > 14 || G % 5 == 4)
      S.text(X + Column / 2, Bottom + 18, Fits.empty() ? Number : Fits, "mut s",
             Anchor::Middle);
  }
  S.line(Left, Y(D.FastBytes), PictureWidth - Right, Y(D.FastBytes), "fast",
         "5 4");
  S.text(PictureWidth - Right, Y(D.FastBytes) - 7,
         "fast memory: " + Says.size(D.FastBytes), "b blue halo", Anchor::End);
  const double Key = Bottom + 44;
  S.rect(Left, Key - 10, 18, 11, "live");
  S.text(Left + 25, Key, "allocated", "mut s");
  S.rect(Left + 110, Key - 10, 18, 11,
         In.P->KeepsFirstTouch ? "touch" : "fast");
  S.text(Left + 135, Key,
         In.P->KeepsFirstTouch ? "in fast memory under first touch"
                               : "in fast memory with the plan",
         "mut s");
  if (!In.P->KeepsFirstTouch) {
    S.line(Left + 330, Key - 5, Left + 350, Key - 5, "mark");
    S.text(Left + 357, Key, "under first touch", "mut s");
  }
  S.text(PictureWidth - Right, Key, "at most, in each phase", "mut s",
         Anchor::End);
  S.setHeight(Key + 14);
  return S.document(plainText(Says.occupancy()), Alt.occupancy());
}

// --- time over the amount of fast memory ------------------------------------

/// From \p Low to \p Top seconds; \p Y: where \p Low lies.
void Pictures::drawCurves(Svg &S, double Low, double Top, double Bottom,
                          double Y0) const {
  const double Last = D.Amounts.back().Bytes;
  auto X = [&](double Bytes) {
    return Left + (Last > 0 ? Bytes / Last : 0) * (PictureWidth - Left - Right);
  };
  auto Y = [&](double Seconds) {
    return Bottom - (Seconds - Low) / (Top - Low) * (Bottom - Y0);
  };
  std::vector<std::pair<double, double>> Touch, Plan, Limit;
  for (const AmountPoint &P : D.Amounts) {
    Touch.emplace_back(X(P.Bytes), Y(P.FirstTouch));
    Plan.emplace_back(X(P.Bytes), Y(P.Plan));
    if (P.Limit)
      Limit.emplace_back(X(P.Bytes), Y(*P.Limit));
  }
  if (Limit.size() > 1)
    S.path(Limit, "mark", "2 3");
  S.path(Touch, "touch");
  S.path(Plan, "fast");
  for (const auto &[PX, PY] : Touch)
    S.circle(PX, PY, 2.6, "touch");
  for (const auto &[PX, PY] : Plan)
    S.circle(PX, PY, 2.8, "fast");
  const double Asked = X(std::min(D.FastBytes, Last));
  const bool Late = Asked > PictureWidth / 2;
  if (D.FastBytes <= Last) {
    S.line(Asked, Bottom, Asked, Y(std::max(D.Times.Plan, D.Times.FirstTouch)),
           "mark", "1 3");
    S.circle(Asked, Y(D.Times.Plan), 4.5, "ring");
    S.text(Asked + (Late ? -8 : 8), Bottom - 8,
           "asked for: " + Says.size(D.FastBytes), "mut halo",
           Late ? Anchor::End : Anchor::Start);
  }
  if (D.Knee && std::fabs(X(D.Amounts[*D.Knee].Bytes) - Asked) > 40) {
    const AmountPoint &K = D.Amounts[*D.Knee];
    const bool Below = Y(K.Plan) < Bottom - 60;
    S.circle(X(K.Bytes), Y(K.Plan), 4.5, "ring");
    S.text(X(K.Bytes), Y(K.Plan) + (Below ? 22 : -12),
           "knee: " + Says.size(K.Bytes), "b halo", Anchor::Middle);
  }
  if (D.FirstTouchNeeds && D.FastBytes <= Last) {
    S.line(Asked, Y(D.Times.Plan), X(*D.FirstTouchNeeds), Y(D.Times.Plan),
           "mark", "5 4");
    if (X(*D.FirstTouchNeeds) - Asked > 90)
      S.text((Asked + X(*D.FirstTouchNeeds)) / 2, Y(D.Times.Plan) - 6,
             "worth " + Says.size(*D.FirstTouchNeeds - D.FastBytes),
             "b blue halo", Anchor::Middle);
  }
}

std::string Pictures::amounts() const {
  if (D.Amounts.size() < 2)
    return "";
  const AmountUnit &T = Says.timeUnit(), &B = Says.sizeUnit();
  double Most = 0, Least = INFINITY;
  for (const AmountPoint &P : D.Amounts)
    for (const double V : {P.FirstTouch, P.Plan, P.Limit.value_or(P.Plan)}) {
      Most = std::max(Most, V);
      Least = std::min(Least, V);
    }
  const double Low = Least < 0.5 * Most
                         ? 0
                         : Least - std::max(Most - Least, Least * 0.02) * 0.15;
  const double Top = 64, Bottom = 344, Last = D.Amounts.back().Bytes;
  Svg S("ek-amounts", PictureWidth);
  S.text(0, 18, headline(Says.amount()), "b");
  S.text(0, Top - 16, "time, " + T.Name + (Low > 0 ? " (not from zero)" : ""),
         "mut");
  for (const double V : roundSteps(T.of(Low), T.of(Most), 5)) {
    const double Y =
        Bottom - (V / T.Factor - Low) / (Most - Low) * (Bottom - Top);
    S.line(Left, Y, PictureWidth - Right, Y, "line");
    S.text(Left - 8, Y + 4, stepText(V), "mut", Anchor::End);
  }
  S.line(Left, Bottom, PictureWidth - Right, Bottom, "axis");
  for (const double V : roundSteps(0, B.of(Last), 8)) {
    const double X = Left + V / B.of(Last) * (PictureWidth - Left - Right);
    S.line(X, Bottom, X, Bottom + 4, "axis");
    S.text(X, Bottom + 18, stepText(V), "mut", Anchor::Middle);
  }
  S.text(PictureWidth - Right, Bottom + 36, "fast memory, " + B.Name, "mut",
         Anchor::End);
  drawCurves(S, Low, Most, Bottom, Top);
  const bool Limits =
      std::any_of(D.Amounts.begin(), D.Amounts.end(),
                  [](const AmountPoint &P) { return P.Limit.has_value(); });
  double X = PictureWidth - Right;
  auto Key = [&](const char *Name, const char *Text, const char *Line,
                 const char *Dash = "") {
    S.text(X, Top - 16, Name, Text, Anchor::End);
    X -= 7 * double(std::char_traits<char>::length(Name)) + 6;
    S.line(X - 18, Top - 20, X, Top - 20, Line, Dash);
    X -= 32;
  };
  Key("plan", "b blue", "fast");
  Key("first touch", "b mut", "touch");
  if (Limits)
    Key("proven limit", "mut", "mark", "2 3");
  S.setHeight(Bottom + 50);
  return S.document(plainText(Says.amount()), Alt.amounts());
}

std::array<const char *, 3> pictureNames() {
  return {"tasks", "occupancy", "amounts"};
}

std::vector<Picture> svgPictures(const ReportInput &In, const ReportData &D,
                                 const Headlines &Says) {
  const Pictures All(In, D, Says);
  const auto Names = pictureNames();
  std::vector<Picture> Out{{Names[0], All.tasks()},
                           {Names[1], All.occupancy()},
                           {Names[2], All.amounts()}};
  Out.erase(std::remove_if(Out.begin(), Out.end(),
                           [](const Picture &P) { return P.Svg.empty(); }),
            Out.end());
  return Out;
}

} // namespace evenkeel::cli
