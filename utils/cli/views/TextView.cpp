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

constexpr size_t MostKinds = 5, MostRows = 16;

void addLine(std::string &To, std::string Line) {
  while (!Line.empty() && Line.back() == ' ')
    Line.pop_back();
  To += Line + "\n";
}

/// A headline of the page in lines of the terminal.
std::string sentence(const std::string &Html, const TextStyle &S) {
  std::string Text = plainText(Html);
  if (S.Ascii)
    Text = asciiText(Text);
  std::string Lines = brokenLines(Text, S.Width, 0), Out;
  for (const std::string &Line : splitList(Lines, '\n'))
    Out += painted(S, Paint::Bold, Line) + "\n";
  return Out;
}

std::string named(const std::string &Text, const TextStyle &S) {
  return S.Ascii ? asciiText(Text) : Text;
}

std::string counted(size_t N, const std::string &Thing) {
  return std::to_string(N) + " " + Thing + (N == 1 ? "" : "s");
}

/// The longest first.
void sortByTime(const ReportData &D, std::vector<size_t> &Groups) {
  std::sort(Groups.begin(), Groups.end(), [&](size_t A, size_t B) {
    const double X = D.FirstTouch.Groups[A].Seconds,
                 Y = D.FirstTouch.Groups[B].Seconds;
    return X != Y ? X > Y : A < B;
  });
}

// --- tasks ------------------------------------------------------------------

class Tasks {
  const ReportInput &In;
  const ReportData &D;
  const Headlines &Says;
  const TextStyle &S;
  const size_t Label, Figure = 8;
  size_t Bar = 0; // columns of a run's bars

  std::string bar(const LaidOutPhase &P, size_t From, size_t To, double Span,
                  Paint Colour) const;
  std::string laneText(const LaidOutPhase &P, size_t From, size_t To) const;
  std::string kind(size_t Group) const;

public:
  Tasks(const ReportInput &Its, const ReportData &Data,
        const Headlines &Sentences, const TextStyle &Style)
      : In(Its), D(Data), Says(Sentences), S(Style),
        Label(Style.Width < 60 ? 11 : 15) {
    const size_t Runs = In.P->KeepsFirstTouch ? 1 : 2;
    Bar = (S.Width - Label) / Runs - Figure - 1;
  }
  std::string text() const;
};

/// The lanes [From, To) of \p P as one: the busiest of them.
size_t busiest(const LaidOutPhase &P, size_t From, size_t To) {
  size_t Most = From;
  for (size_t L = From; L < To && L < P.Busy.size(); ++L)
    if (P.Busy[L] > P.Busy[Most])
      Most = L;
  return Most;
}

/// Columns of work and waiting; the bar of \p Span seconds has all columns.
std::string Tasks::bar(const LaidOutPhase &P, size_t From, size_t To,
                       double Span, Paint Colour) const {
  const std::string Works = S.Ascii ? "#" : "\u2588",
                    Waits = S.Ascii ? "." : "\u00b7";
  if (From >= P.Busy.size() || !(Span > 0))
    return std::string(Bar + Figure + 1, ' ');
  const size_t L = busiest(P, From, To);
  const double Column = Span / double(Bar);
  const auto All = std::min(Bar, size_t(std::lround(P.Seconds / Column)));
  std::vector<bool> Busy(All, false);
  const bool Drawn = !P.Bars.empty();
  const auto Its = std::min(All, size_t(std::lround(P.Busy[L] / Column)));
  if (!Drawn)
    std::fill(Busy.begin(), Busy.begin() + long(Its), true);
  for (const evenkeel::cli::Bar &B : P.Bars)
    if (B.Lane == L)
      for (size_t I = 0; I < All; ++I)
        if ((double(I) + 0.5) * Column >= B.From &&
            (double(I) + 0.5) * Column < B.From + B.Seconds)
          Busy[I] = true;
  const std::vector<uint32_t> Slow =
      P.Explicit ? std::vector<uint32_t>() : slowLanes(P);
  const bool IsSlow = std::count(Slow.begin(), Slow.end(), L) != 0;
  std::string Out;
  for (size_t I = 0; I < All;) {
    size_t End = I;
    while (End < All && Busy[End] == Busy[I])
      ++End;
    Out += painted(S,
                   !Busy[I] ? Paint::Dim
                   : IsSlow ? Paint::Orange
                            : Colour,
                   repeated(Busy[I] ? Works : Waits, End - I));
    I = End;
  }
  const std::string Number = threeDigits(Says.timeUnit().of(P.Busy[L]));
  return Out + std::string(Bar - All, ' ') + rightIn(Figure - 1, Number) +
         (IsSlow ? "* " : "  ");
}

std::string Tasks::laneText(const LaidOutPhase &P, size_t From,
                            size_t To) const {
  const std::string Kind = P.Explicit ? "worker" : Says.lane(false);
  auto Number = [&](size_t L) {
    return !P.Explicit && D.LanesPerBand == 1 && P.LastTask[L] != UINT32_MAX
               ? size_t(P.LastTask[L])
               : L * D.LanesPerBand;
  };
  if (To - From == 1 && D.LanesPerBand == 1)
    return Kind + " " + std::to_string(Number(From));
  return Kind + "s " + std::to_string(Number(From)) + "-" +
         std::to_string(To * D.LanesPerBand - 1);
}

/// A kind of phase: its name, and a row for each task.
std::string Tasks::kind(size_t Group) const {
  const LaidOutPhase &Touch = D.FirstTouch.Groups[Group],
                     &Plan = D.Plan.Groups[Group];
  const GroupData &G = D.Groups[Group];
  const size_t Times = G.Its.Phases.size();
  const bool Both = !In.P->KeepsFirstTouch;
  std::string Out;
  const std::string Head =
      std::to_string(Group + 1) + "  " + named(G.Named, S) +
      (Times > 1 && !G.Rest ? ", " + std::to_string(Times) + " runs" : "");
  addLine(Out, painted(S, Paint::Bold,
                       leftIn(std::min(S.Width, columnsOf(Head)), Head)));
  const std::string Unit = named(Says.timeUnit().Name, S);
  auto Column = [&](const char *Name, const LaidOutPhase &P) {
    return leftIn(Bar + Figure, threeDigits(Says.timeUnit().of(P.Seconds)) +
                                    " " + Unit + " " + Name) +
           " ";
  };
  addLine(Out, std::string(Label, ' ') + Column("first touch", Touch) +
                   (Both ? Column("plan", Plan) : ""));
  const double Span = std::max(Touch.Seconds, Plan.Seconds);
  const size_t Lanes = std::max(Touch.Busy.size(), Plan.Busy.size());
  const size_t Step = std::max<size_t>(1, (Lanes + MostRows - 1) / MostRows);
  for (size_t L = 0; L < Lanes; L += Step) {
    const size_t To = std::min(L + Step, Lanes);
    const auto HasWork = [&](size_t I) {
      return Touch.Explicit || Touch.LastTask[I] != UINT32_MAX;
    };
    bool Any = false;
    for (size_t I = L; I < To && I < Touch.Busy.size(); ++I)
      Any |= HasWork(I);
    if (!Any)
      continue;
    addLine(Out, leftIn(Label, "   " + laneText(Touch, L, To)) +
                     bar(Touch, L, To, Span, Paint::None) +
                     (Both ? bar(Plan, L, To, Span, Paint::Blue) : ""));
  }
  return Out;
}

std::string Tasks::text() const {
  std::vector<size_t> Order;
  for (size_t G = 0; G < D.Groups.size(); ++G)
    if (D.FirstTouch.Groups[G].Seconds > 0.01 * D.FirstTouch.Makespan)
      Order.push_back(G);
  sortByTime(D, Order);
  if (Order.size() > MostKinds)
    Order.resize(MostKinds);
  if (Order.empty())
    return "";
  std::string Out = sentence(Says.tasks(), S);
  for (const size_t G : Order)
    Out += kind(G);
  const std::string Key =
      (S.Ascii ? std::string("# works  . waits")
               : std::string("\u2588 works  \u00b7 waits")) +
      "  * holds up the others; each kind of phase has a scale of its own" +
      (Order.size() < D.Groups.size()
           ? "; not shown: " +
                 counted(D.Groups.size() - Order.size(), "shorter kind")
           : "");
  return Out + brokenLines(Key, S.Width, 0) + "\n";
}

// --- memory -----------------------------------------------------------------

class Memory {
  const ReportData &D;
  const Headlines &Says;
  const TextStyle &S;
  size_t Label = 26, Cell = 1;
  static constexpr size_t Size = 9, Fast = 7;
  std::vector<size_t> Columns; // groups that are shown
  AmountUnit Moved;

  void choose();
  std::string cell(const ObjectData &O, size_t Group) const;
  std::string label(const std::string &Name, const std::string &At) const;
  std::string row(const ObjectData &O) const;
  std::string names() const;
  std::string key() const;

public:
  Memory(const ReportData &Data, const Headlines &Sentences,
         const TextStyle &Style)
      : D(Data), Says(Sentences), S(Style) {}
  std::string text();
};

constexpr size_t CellWithNumber = 7, WidestCell = 9;

/// As many columns as fit: of too many phases, the longest ones.
void Memory::choose() {
  Label = S.Width < 70 ? 16 : S.Width < 100 ? 26 : 34;
  const size_t Room = S.Width - Label - Size - Fast;
  for (size_t G = 0; G < D.Groups.size(); ++G)
    Columns.push_back(G);
  const size_t Most = Room / 3;
  sortByTime(D, Columns);
  if (Columns.size() > Most)
    Columns.resize(Most);
  std::sort(Columns.begin(), Columns.end());
  Cell = std::min<size_t>(WidestCell, Room / Columns.size());
  double Largest = 0;
  for (const ObjectData &O : D.Objects)
    for (const HeatCell &C : O.Heat.Cells)
      Largest = std::max(Largest, C.Lines * LineBytes);
  Moved = sizeUnit(Largest);
}

std::string Memory::cell(const ObjectData &O, size_t Group) const {
  static const char *const Blocks[] = {"\u00b7", "\u2591", "\u2592",
                                       "\u2593", "\u2588", "\u2588"};
  static const char *const Letters[] = {".", ":", "-", "=", "#", "#"};
  const HeatCell &C = O.Heat.Cells[Group];
  if (!C.Live)
    return std::string(Cell, ' ');
  const double Bytes = C.Lines * LineBytes;
  const unsigned Level = heatLevel(O.Bytes > 0 ? Bytes / O.Bytes : 0);
  const std::string Shade = S.Ascii ? Letters[Level] : Blocks[Level];
  const Paint Colour = Level == 0 ? Paint::Dim : Paint::None;
  if (Cell < CellWithNumber)
    return " " + painted(S, Colour, repeated(Shade, Cell - 1));
  return " " + painted(S, Colour, repeated(Shade, Cell < 8 ? 1 : 2)) +
         rightIn(Cell - (Cell < 8 ? 2 : 3),
                 Level == 0 && Moved.of(Bytes) < 0.001
                     ? "0"
                     : threeDigits(Moved.of(Bytes)));
}

/// Name and place; of long ones, the beginning of the name and the end of the
/// place, where the line is.
std::string Memory::label(const std::string &Name,
                          const std::string &At) const {
  const size_t Room = Label - 1;
  const size_t Its =
      Name.empty()
          ? 0
          : std::min(
                columnsOf(Name),
                std::max(Room / 2, Room - std::min(Room, columnsOf(At) + 1)));
  const size_t Left = Room - Its - (Its ? 1 : 0);
  std::string Place = At;
  for (size_t Cut = columnsOf(At) > Left ? columnsOf(At) - Left + 2 : 0; Cut;
       --Cut) {
    Place.erase(0, leftIn(1, Place).size());
    if (Cut == 1)
      Place = ".." + Place;
  }
  return Its ? leftIn(Its, Name) + " " + Place : Place;
}

std::string Memory::row(const ObjectData &O) const {
  const std::string Text = label(named(O.Name, S), named(O.At, S));
  const std::string Share = fixedDigits(100 * O.FastShare, 0) + " %";
  std::string Out = leftIn(Label - 1, Text) + " " +
                    rightIn(Size - 1, bytesText(O.Bytes)) + " " +
                    painted(S, O.FastShare > 0 ? Paint::Blue : Paint::None,
                            rightIn(Fast - 1, Share)) +
                    " ";
  for (const size_t G : Columns)
    Out += cell(O, G);
  return Out;
}

/// Which phases the columns stand for.
std::string Memory::names() const {
  std::string Text = "phases:";
  for (const size_t G : Columns) {
    std::string Name = named(D.Groups[G].Named, S);
    if (columnsOf(Name) > S.Width - 13)
      Name = leftIn(S.Width - 13, Name);
    std::replace(Name.begin(), Name.end(), ' ', '\x01');
    Text += " " + std::to_string(G + 1) + "\x01" + Name +
            (G == Columns.back() ? "" : ",");
  }
  if (Columns.size() < D.Groups.size())
    Text += "; not shown: " +
            counted(D.Groups.size() - Columns.size(), "shorter phase");
  std::string Out = brokenLines(Text, S.Width, 8);
  std::replace(Out.begin(), Out.end(), '\x01', ' ');
  return Out + "\n";
}

std::string Memory::key() const {
  const std::string Shades =
      S.Ascii ? ". never, : 1/4, - 1/2, = once, # more"
              : "\u00b7 never, \u2591 \u00bc, \u2592 \u00bd, \u2593 once, "
                "\u2588 more";
  return brokenLines("shade: how often each line moves in one run of the "
                     "phase: " +
                         Shades +
                         (Cell < CellWithNumber
                              ? std::string()
                              : "; numbers: " + named(Moved.Name, S) +
                                    " moved from and to main memory") +
                         ", " + (D.Replayed ? "recorded" : "predicted"),
                     S.Width, 7) +
         "\n";
}

std::string Memory::text() {
  choose();
  std::string Out = sentence(Says.memory(), S);
  std::string Head = leftIn(Label, "object") + rightIn(Size - 1, "size") + " " +
                     rightIn(Fast - 1, "fast") + " ";
  for (const size_t G : Columns)
    Head += Cell < CellWithNumber
                ? " " + leftIn(Cell - 1, std::to_string(G + 1))
                : rightIn(Cell, std::to_string(G + 1));
  addLine(Out, Head);
  for (const ObjectData &O : D.Objects)
    addLine(Out, row(O));
  if (D.OtherObjects)
    Out += std::to_string(D.OtherObjects) + " others, " +
           bytesText(D.OtherBytes) + "\n";
  return Out + names() + key();
}

} // namespace

std::string tasksView(const ReportInput &In, const ReportData &D,
                      const Headlines &Says, const TextStyle &S) {
  return Tasks(In, D, Says, S).text();
}

std::string memoryView(const ReportData &D, const Headlines &Says,
                       const TextStyle &S) {
  return D.Objects.empty() || D.Groups.empty() ? "" : Memory(D, Says, S).text();
}

} // namespace evenkeel::cli
