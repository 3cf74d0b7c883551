//===- TextView.cpp - a report in the terminal ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TextView.h.
//===----------------------------------------------------------------------===//
#include "TextView.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::cli {
namespace {

constexpr size_t Margin = 8, MostRows = 16;

/// \p Text in \p Width columns, flush right or cut; ASCII as names mostly are.
std::string inColumns(std::string Text, size_t Width, bool Right = false) {
  if (Text.size() > Width)
    Text.resize(Width);
  return Right ? std::string(Width - Text.size(), ' ') + Text
               : Text + std::string(Width - Text.size(), ' ');
}

std::string repeated(const char *Character, size_t N) {
  std::string Out;
  while (N--)
    Out += Character;
  return Out;
}

void trim(std::string &Line) {
  while (!Line.empty() && Line.back() == ' ')
    Line.pop_back();
}

/// The columns of each group, so that their borders lie where their times are.
std::vector<size_t> widthsOf(const RunData &R, double Span, size_t Width) {
  std::vector<size_t> Out;
  double Now = 0;
  size_t Begin = 0;
  for (const LaidOutPhase &P : R.Groups) {
    Now += P.Seconds;
    const auto End = size_t(std::lround(Now / Span * double(Width)));
    Out.push_back(End - Begin);
    Begin = End;
  }
  return Out;
}

std::string ganttOf(const ReportData &D, const RunData &R, double Span,
                    size_t Width) {
  const std::vector<size_t> Widths = widthsOf(R, Span, Width);
  std::string Out(Margin, ' ');
  for (size_t G = 0; G < R.Groups.size(); ++G) {
    const std::string Number = std::to_string(G + 1),
                      Long = Number + " " + D.Groups[G].Named;
    Out += inColumns(Long.size() < Widths[G]     ? Long
                     : Number.size() < Widths[G] ? Number
                                                 : "",
                     Widths[G]);
  }
  trim(Out);
  Out += "\n";
  size_t Lanes = 0;
  for (const LaidOutPhase &P : R.Groups)
    Lanes = std::max(Lanes, P.Busy.size());
  // Of many lanes, some are shown.
  const size_t Step = std::max<size_t>(1, (Lanes + MostRows - 1) / MostRows);
  for (size_t L = 0; L < Lanes; L += Step) {
    std::string Line =
        inColumns(std::to_string(L * D.LanesPerBand) + " ", Margin, true);
    for (size_t G = 0; G < R.Groups.size(); ++G) {
      const LaidOutPhase &P = R.Groups[G];
      const double Busy = L < P.Busy.size() && P.Seconds > 0
                              ? std::min(1.0, P.Busy[L] / P.Seconds)
                              : 0;
      const auto Full = size_t(std::lround(Busy * double(Widths[G])));
      Line += repeated("\u2588", Full) + repeated("\u00b7", Widths[G] - Full);
    }
    Out += Line + "\n";
  }
  return Out;
}

std::string tasksOf(const ReportInput &In, const ReportData &D,
                    const Headlines &Says, size_t Width) {
  const double Span = std::max(D.FirstTouch.Makespan, D.Plan.Makespan);
  if (D.Groups.empty() || !(Span > 0))
    return "";
  std::string Out = plainText(Says.tasks()) + "\n\nfirst touch, " +
                    plainText(Says.time(D.FirstTouch.Makespan)) + "\n" +
                    ganttOf(D, D.FirstTouch, Span, Width - Margin);
  if (!In.P->KeepsFirstTouch)
    Out += "plan, " + plainText(Says.time(D.Plan.Makespan)) + "\n" +
           ganttOf(D, D.Plan, Span, Width - Margin);
  return Out + std::string(Margin, ' ') + "\u2588 works  \u00b7 waits" +
         (D.Explicit ? "; in phases of explicit tasks, rows are workers" : "") +
         "\n";
}

/// Objects by rows of some parts each, phases by columns.
std::string heatOf(const ReportData &D, const Headlines &Says, size_t Width) {
  static const char *const Shade[] = {"\u00b7", "\u2591", "\u2592",
                                      "\u2593", "\u2588", "\u2588"};
  const size_t Names = 26;
  if (D.Objects.empty() || D.Groups.empty() || Width < Names + 10)
    return "";
  const size_t Cell = std::max<size_t>(
      1, std::min<size_t>(12, (Width - Names) / D.Groups.size()));
  double Largest = 0;
  for (const ObjectData &O : D.Objects)
    Largest = std::max(Largest, O.Bytes);
  std::string Out =
      "\n" + plainText(Says.memory()) + "\n\n" + std::string(Names, ' ');
  for (size_t G = 0; G < D.Groups.size(); ++G)
    Out += inColumns(std::to_string(G + 1), Cell);
  trim(Out);
  Out += "\n";
  for (const ObjectData &O : D.Objects) {
    const size_t Rows = std::max<size_t>(
        1, size_t(std::lround(8 * O.Bytes / std::max(1.0, Largest))));
    for (size_t Row = 0; Row < Rows; ++Row) {
      const size_t From = Row * EK_CHUNKS / Rows,
                   To = (Row + 1) * EK_CHUNKS / Rows;
      double Fast = 0;
      for (size_t Part = From; Part < To; ++Part)
        Fast += O.Heat.FastShare[Part] / double(To - From);
      std::string Line =
          inColumns(Row == 0   ? (O.Name.empty() ? O.At : O.Name)
                    : Row == 1 ? "  " + plainText(Says.size(O.Bytes))
                               : "",
                    Names - 3);
      Line += Fast > 0.5 ? "F " : Fast > 0.05 ? "f " : "  ";
      for (const HeatCell &C : O.Heat.Cells) {
        unsigned Level = 0;
        size_t At = 0;
        for (const HeatRun &R : C.Runs) {
          if (At < To && At + R.Parts > From)
            Level = std::max(Level, R.Level);
          At += R.Parts;
        }
        Line += !C.Live ? std::string(Cell, ' ')
                        : repeated(Shade[Level], Cell > 1 ? Cell - 1 : 1) +
                              (Cell > 1 ? " " : "");
      }
      trim(Line);
      Out += Line + "\n";
    }
  }
  return Out + std::string(Margin, ' ') +
         "each line moves: \u00b7 never  \u2591 \u00bc  \u2592 \u00bd  \u2593 "
         "once  \u2588 more\n" +
         std::string(Margin, ' ') + "F: in fast memory, f: in part\n";
}

} // namespace

std::string textView(const ReportInput &In, const ReportData &D,
                     const Headlines &Says, size_t Width) {
  Width = std::clamp<size_t>(Width, 60, 200);
  return plainText(Says.gain()) + "\n\n" + tasksOf(In, D, Says, Width) +
         heatOf(D, Says, Width);
}

} // namespace evenkeel::cli
