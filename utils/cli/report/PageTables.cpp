//===- PageTables.cpp - the tables of a report ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PageTables.h.
//===----------------------------------------------------------------------===//
#include "PageTables.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::cli {

/// The digits behind the point that show three of the column's largest value.
static int digitsFor(double Most) {
  return Most >= 99.95 ? 0 : Most >= 9.995 ? 1 : Most >= 0.9995 ? 2 : 3;
}

static std::string cell(const std::string &Html, const char *Class = "r") {
  return std::string("<td class=\"") + Class + "\">" + Html + "</td>";
}

/// \p Head: titles; '>' in front: right, '-': no title.
static std::string tableHead(const char *Label,
                             const std::vector<std::string> &Head,
                             const char *Class = "") {
  std::string Out = std::string("<table") +
                    (*Class ? std::string(" class=\"") + Class + "\"" : "") +
                    "><caption class=\"alt\">" + Label +
                    "</caption><thead><tr>";
  for (const std::string &H : Head)
    Out += H == "-" ? "<td></td>"
           : H[0] == '>'
               ? "<th scope=\"col\" class=\"r\">" + H.substr(1) + "</th>"
               : "<th scope=\"col\">" + H + "</th>";
  return Out + "</tr></thead><tbody>\n";
}

std::string PageTables::notes() const {
  std::string Out;
  for (const std::string &N : In.Notes)
    Out += "<p class=\"note\">Note: " + escaped(N) + ".</p>\n";
  return Out;
}

std::string PageTables::amounts() const {
  const std::vector<AmountPoint> &P = D.Amounts;
  double Most = 0;
  size_t Asked = 0;
  for (size_t I = 0; I < P.size(); ++I) {
    Most = std::max({Most, P[I].FirstTouch, P[I].Plan});
    if (std::fabs(P[I].Bytes - D.FastBytes) <
        std::fabs(P[Asked].Bytes - D.FastBytes))
      Asked = I;
  }
  const AmountUnit &T = Says.timeUnit(), &S = Says.sizeUnit();
  const int Digits = digitsFor(T.of(Most));
  const int Sizes = digitsFor(S.of(P.back().Bytes));
  std::string Out = tableHead(
      "Time for amounts of fast memory",
      {">fast<br>" + S.Name, "-", ">first touch<br>" + T.Name,
       ">plan<br>" + T.Name, ">each " + S.Name + "<br>more, " + T.Name});
  for (size_t I = 0; I < P.size(); ++I) {
    const bool Here = std::fabs(P[I].Bytes - D.FastBytes) < 1;
    std::string Note = Here                        ? "asked for"
                       : D.Knee && I == *D.Knee    ? "knee"
                       : P[I].Bytes >= D.PeakBytes ? "all"
                                                   : "";
    Out += Here ? "<tr class=\"hi\">" : "<tr>";
    Out +=
        cell(fixedDigits(S.of(P[I].Bytes), Sizes)) + cell(Note, "nt") +
        cell(fixedDigits(T.of(P[I].FirstTouch), Digits)) +
        cell(fixedDigits(T.of(P[I].Plan), Digits)) +
        cell(I + 1 < P.size()
                 ? fixedDigits(std::max(0.0, T.of(P[I].Plan - P[I + 1].Plan)) /
                                   S.of(P[I + 1].Bytes - P[I].Bytes),
                               2)
                 : "\u2013") +
        "</tr>\n";
  }
  return Out + "</tbody></table>";
}

std::string PageTables::whoIsSlow(const LaidOutPhase &P) const {
  if (P.Explicit)
    return std::to_string(P.Busy.size()) + " workers";
  const size_t Used =
      size_t(std::count_if(P.LastTask.begin(), P.LastTask.end(),
                           [](uint32_t T) { return T != UINT32_MAX; }));
  if (Used < 2)
    return "serial";
  const std::vector<uint32_t> Slow = slowLanes(P);
  return Slow.empty() ? "all alike"
                      : "<em class=\"c\">" + Says.lanes(P, Slow) + "</em>";
}

std::string PageTables::objectRow(size_t I, double MostPer) const {
  const ObjectData &O = D.Objects[I];
  const AmountUnit &T = Says.timeUnit(), &S = Says.sizeUnit();
  const double Placed = O.PlacedBytes;
  const bool Zero = !(Placed > 0);
  const double Per = Zero ? 0 : T.of(O.GainSeconds) / S.of(Placed);
  std::string Gain = "\u2013", PerText = "\u2013", Where, Bar;
  if (!Zero) {
    Gain = fixedDigits(T.of(O.GainSeconds), digitsFor(T.of(D.Gain)));
    const double Width = MostPer > 0 ? std::max(0.0, Per / MostPer * 100) : 0;
    Bar = "<svg class=\"bars\" viewBox=\"0 0 100 10\" "
          "preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect x=\"" +
          std::to_string(int(100 - Width)) + "\" width=\"" +
          std::to_string(int(Width)) +
          "\" height=\"10\" fill=\"var(--fill)\"></rect></svg>";
    PerText = threeDigits(Per);
  } else if (O.WouldGain && *O.WouldGain > 0.001 * D.Times.Plan) {
    Gain = "(" + fixedDigits(T.of(*O.WouldGain), digitsFor(T.of(D.Gain))) + ")";
  }
  if (O.Group) {
    const GroupData &G = D.Groups[*O.Group];
    Where = G.Function.empty() ? escaped(G.Named)
                               : escaped(G.Function) + " <span class=\"at\">" +
                                     escaped(G.At) + "</span>";
    const LaidOutPhase &P = D.FirstTouch.Groups[*O.Group];
    if (O.Task && !P.Explicit && !slowLanes(P).empty())
      Where += ", <em class=\"c\">" + Says.lane(false) + " " +
               std::to_string(*O.Task) + "</em>";
    else if (!O.Task && !O.Bound.empty())
      Where += ", bound by " + escaped(O.Bound);
  }
  return std::string("<tr role=\"row\"") + (Zero ? " class=\"zero\"" : "") +
         "><th scope=\"row\" role=\"rowheader\"><b>" +
         escaped(O.Name.empty() ? O.At : O.Name) + "</b>" +
         (O.Name.empty() ? ""
                         : " <span class=\"at\">" + escaped(O.At) + "</span>") +
         "</th>\n<td role=\"cell\" class=\"r\" data-l=\"" + S.Name + "\">" +
         fixedDigits(S.of(O.Bytes), 1) +
         "</td>\n<td role=\"cell\" class=\"st\"><svg class=\"strip\" "
         "aria-hidden=\"true\" data-strip=\"" +
         std::to_string(I) + "\"></svg><span class=\"sh\">" +
         fixedDigits(100 * O.FastShare, 0) +
         "\u00a0%</span></td>\n<td role=\"cell\" class=\"r left\" data-l=\"" +
         T.Name + " saved\">" + Gain +
         "</td>\n<td role=\"cell\" class=\"r\" data-l=\"" + T.Name + " per " +
         S.Name + "\">" + Bar + PerText +
         "</td>\n<td role=\"cell\" class=\"w acc\">" + escaped(O.Classes) +
         "</td>\n<td role=\"cell\" class=\"w wh\">" + Where + "</td></tr>\n";
}

std::string PageTables::otherRow() const {
  if (!D.OtherObjects)
    return "";
  const AmountUnit &T = Says.timeUnit(), &S = Says.sizeUnit();
  return "<tr role=\"row\" class=\"zero\"><th scope=\"row\" "
         "role=\"rowheader\"><b>" +
         std::to_string(D.OtherObjects) +
         " others</b></th><td role=\"cell\" class=\"r\" data-l=\"" + S.Name +
         "\">" + fixedDigits(S.of(D.OtherBytes), 1) +
         "</td><td role=\"cell\" class=\"st\">" + Says.size(D.OtherPlaced) +
         "</td><td role=\"cell\" class=\"r left\" data-l=\"" + T.Name +
         " saved\">" + fixedDigits(T.of(D.OtherGain), digitsFor(T.of(D.Gain))) +
         "</td><td role=\"cell\" class=\"r\"></td><td role=\"cell\" "
         "class=\"w\"></td><td role=\"cell\" class=\"w\"></td></tr>\n";
}

std::string PageTables::objects() const {
  const AmountUnit &T = Says.timeUnit(), &S = Says.sizeUnit();
  auto Head = [](const std::string &Text, const char *More = "") {
    return "<th role=\"columnheader\" scope=\"col\"" + std::string(More) + ">" +
           Text + "</th>";
  };
  std::string Out =
      "<table class=\"obj\" role=\"table\"><caption class=\"alt\">Objects by "
      "time "
      "saved per size</caption><thead role=\"rowgroup\"><tr role=\"row\">" +
      Head("variable, allocated at") +
      Head("size<br>" + S.Name, " class=\"r\"") +
      Head("in fast memory,<br>first to last byte") +
      Head("saved<br>" + T.Name, " class=\"r\"") +
      Head("saved per " + S.Name + "<br>\u25be " + T.Name,
           " class=\"r\" aria-sort=\"descending\"") +
      Head("access") + Head("matters most in,<br>slowest there") +
      "</tr></thead><tbody role=\"rowgroup\">\n";
  double MostPer = 0, Bytes = D.OtherBytes;
  for (const ObjectData &O : D.Objects) {
    Bytes += O.Bytes;
    if (O.PlacedBytes > 0)
      MostPer = std::max(MostPer, T.of(O.GainSeconds) / S.of(O.PlacedBytes));
  }
  for (size_t I = 0; I < D.Objects.size(); ++I)
    Out += objectRow(I, MostPer);
  return Out + otherRow() +
         "<tr class=\"sum\" role=\"row\"><th scope=\"row\" "
         "role=\"rowheader\">" +
         std::to_string(D.PlacedObjects) + " of " +
         std::to_string(D.AllObjects) +
         " objects</th><td role=\"cell\" class=\"r\" data-l=\"" + S.Name +
         "\">" + fixedDigits(S.of(Bytes), 1) +
         "</td><td role=\"cell\" class=\"st\">" + Says.size(D.PlacedBytes) +
         " over the run</td><td role=\"cell\" class=\"r left\" data-l=\"" +
         T.Name + " saved\">" +
         fixedDigits(T.of(D.Gain), digitsFor(T.of(D.Gain))) +
         "</td><td role=\"cell\" class=\"r\"></td><td role=\"cell\" "
         "class=\"w\"></td><td role=\"cell\" "
         "class=\"w\"></td></tr></tbody></table>";
}

std::string PageTables::phases() const {
  const AmountUnit &T = Says.timeUnit();
  double Touch = 0, Plan = 0;
  size_t Runs = 0;
  for (size_t G = 0; G < D.Groups.size(); ++G) {
    Touch += D.FirstTouch.Groups[G].Seconds;
    Plan += D.Plan.Groups[G].Seconds;
    Runs += D.Groups[G].Its.Phases.size();
  }
  const int Digits = std::min(2, digitsFor(T.of(Touch)) + 1);
  auto Figures = [&](double Was, double Is) {
    const double Change = Is - Was;
    const std::string Text =
        (Change > 0 && T.of(Change) >= 0.5 * std::pow(10, -Digits) ? "+" : "") +
        fixedDigits(T.of(Change), Digits);
    const bool Big = std::fabs(Change) >= 0.01 * Touch;
    return cell(fixedDigits(T.of(Was), Digits)) +
           cell(fixedDigits(T.of(Is), Digits)) +
           cell(Big ? "<b>" + Text + "</b>" : Text);
  };
  std::string Out =
      tableHead("Phases",
                {">phase", "code", ">runs", ">first touch<br>" + T.Name,
                 ">plan<br>" + T.Name, ">change<br>" + T.Name},
                "phs");
  Out.replace(Out.rfind("</tr></thead>"), 0,
              "<th scope=\"col\" class=\"opt\">slowest</th>");
  for (size_t I = 0; I < D.Groups.size(); ++I) {
    const GroupData &G = D.Groups[I];
    Out += "<tr>" + cell(std::to_string(I + 1)) + "<th scope=\"row\">" +
           (G.Function.empty() ? escaped(G.Named)
                               : escaped(G.Function) + " <span class=\"at\">" +
                                     escaped(G.At) + "</span>") +
           "</th>" + cell(std::to_string(G.Its.Phases.size())) +
           Figures(D.FirstTouch.Groups[I].Seconds, D.Plan.Groups[I].Seconds) +
           cell(whoIsSlow(D.FirstTouch.Groups[I]), "opt") + "</tr>\n";
  }
  return Out + "<tr class=\"sum\"><td></td><th scope=\"row\">all phases" +
         (D.ShortPhases ? " shown" : "") + "</th>" +
         cell(std::to_string(Runs)) + Figures(Touch, Plan) +
         "<td class=\"opt\"></td></tr></tbody></table>";
}

std::string PageTables::moves() const {
  if (D.Moves.empty())
    return "";
  std::string Out =
      "<div class=\"fig\">" +
      tableHead("Moves of the plan",
                {">before phase", ">objects", ">" + Says.sizeUnit().Name});
  constexpr size_t Most = 12;
  for (size_t I = 0; I < D.Moves.size() && I < Most; ++I)
    Out += "<tr>" + cell(std::to_string(D.Moves[I].Phase)) +
           cell(std::to_string(D.Moves[I].Objects)) +
           cell(threeDigits(Says.sizeUnit().of(D.Moves[I].Bytes))) + "</tr>\n";
  Out += "</tbody></table>";
  if (D.Moves.size() > Most)
    Out += "<p class=\"note\">And before " +
           std::to_string(D.Moves.size() - Most) + " more phases.</p>";
  return Out + "</div>\n";
}

std::string PageTables::inputs() const {
  std::string Out;
  if (!In.For.empty()) {
    std::string Values;
    constexpr size_t Most = 6;
    for (size_t I = 0; I < In.For.size() && I < Most; ++I) {
      char Value[32];
      std::snprintf(Value, sizeof Value, "%.15g", In.For[I].Value);
      Values += (I ? ", " : "") +
                codeText(In.For[I].Name +
                         (In.For[I].Task ? "@" + std::to_string(*In.For[I].Task)
                                         : "") +
                         " = " + Value);
    }
    if (In.For.size() > Most)
      Values += " and " + std::to_string(In.For.size() - Most) + " more";
    Out += "<p class=\"note\">Given: " + Values + ".</p>\n";
  }
  Out += tableHead("How figures were estimated",
                   {"what", "comes from", ">figures", ">share"});
  std::string Before;
  for (const EvidenceRow &R : evidenceOf(*In.Pr)) {
    Out += "<tr>";
    Out += R.Kind == Before ? "<td></td>"
                            : "<th scope=\"row\">" + escaped(R.Kind) + "</th>";
    Out += "<td>" + escaped(R.Way) + "</td>" + cell(std::to_string(R.Figures)) +
           cell(fixedDigits(100 * R.Share, 0) + "\u00a0%") + "</tr>\n";
    Before = R.Kind;
  }
  Out += "</tbody></table>";
  if (In.Ungiven.empty() || In.For.empty())
    return Out;
  std::string Names;
  constexpr size_t Most = 6;
  for (size_t I = 0; I < In.Ungiven.size() && I < Most; ++I)
    Names += (I ? ", " : "") + codeText(In.Ungiven[I].Name) +
             (In.Ungiven[I].Kept ? " (kept)" : "");
  if (In.Ungiven.size() > Most)
    Names += " and " + std::to_string(In.Ungiven.size() - Most) + " more";
  return Out +
         "\n<p class=\"note\">Not given, so estimated from the base run: " +
         Names + ".</p>";
}

std::string PageTables::machine() const {
  if (In.M->Assumed.empty())
    return "<p class=\"note\">Every figure of the machine file has a "
           "source.</p>";
  std::string Out = "<ul>";
  for (const std::string &Text : In.M->Assumed) {
    const size_t Colon = Text.find(": ");
    std::string Figure = Text.substr(0, Colon);
    for (size_t I = 0; I < In.M->Tiers.size(); ++I) {
      const std::string Tier = "tiers[" + std::to_string(I) + "].";
      if (Figure.compare(0, Tier.size(), Tier) == 0)
        Figure = In.M->Tiers[I].Name + " " + Figure.substr(Tier.size());
    }
    std::replace(Figure.begin(), Figure.end(), '_', ' ');
    Out += "<li><b>" + escaped(Figure) + "</b>" +
           (Colon == std::string::npos
                ? ""
                : "<br><span class=\"note\">" +
                      escaped(Text.substr(Colon + 2)) + "</span>") +
           "</li>\n";
  }
  return Out + "</ul>";
}

} // namespace evenkeel::cli
