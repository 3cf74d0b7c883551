//===- Edits.cpp - merging units' edits and applying them -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Edits.h. The diff is made from the edits, which give the changed lines
// exactly; no lines are compared.
//===----------------------------------------------------------------------===//
#include "Edits.h"
#include "LineName.h"
#include <algorithm>
#include <tuple>

namespace evenkeel {

static auto order(const Finding &F) {
  return std::tie(F.Key.Path, F.Line, F.Key.Column, F.Key.Kind, F.Key.Ordinal,
                  F.Key.Function, F.Id, F.Form, F.Offset, F.Anchor);
}

static void drop(Finding &F, const char *Reason) {
  F.What = Finding::State::Skipped;
  F.Reason = Reason;
  F.Edits.clear();
}

static Error differentEdits(const Finding &F) {
  return Error{"two units ask for different edits at " + F.at() + " (" +
               F.Form +
               "); leave one of them out, or pass --keep-going to skip it"};
}

/// An annotation in a header is valid if it applies to something in any unit.
static std::vector<std::string>
annotationWarnings(const std::vector<UnitResult> &Units) {
  decltype(UnitResult::Annotations) All;
  for (const UnitResult &U : Units)
    for (const auto &[Place, As] : U.Annotations) {
      auto [It, New] = All.emplace(Place, As);
      for (size_t I = 0; !New && I < It->second.size() && I < As.size(); ++I)
        It->second[I].Used |= As[I].Used;
    }
  std::vector<std::string> Lines;
  for (const auto &[Place, As] : All)
    for (const WrittenAnnotation &A : As) {
      std::string Text = A.Problem;
      if (Text.empty() && !A.Used)
        Text = "'" + A.Word + "' applies to nothing here" +
               (A.Word == "phase"     ? " (a place where tasks wait)"
                : A.Word == "task"    ? " (a parallel region or task)"
                : A.Word == "relaxed" ? " (a call of MPI_Allreduce)"
                                      : " (an allocation)");
      if (!Text.empty())
        Lines.push_back(std::get<0>(Place) + ":" +
                        std::to_string(std::get<1>(Place)) + ":" +
                        std::to_string(std::get<2>(Place)) + ": " + Text);
    }
  return Lines;
}

/// Calls that an annotation wants relaxed, and that stay as they are.
static void warnOfUnrelaxed(const std::vector<Finding> &All,
                            std::vector<std::string> &Lines) {
  for (const Finding &F : All)
    if (F.Relaxed && !F.isRelaxed() && F.What != Finding::State::Already)
      Lines.push_back(
          F.at() + ": " +
          (F.NotRelaxed.empty() ? "not relaxed: " + F.Reason : F.NotRelaxed) +
          "; the call stays MPI_Allreduce");
}

/// Reduces \p Points to the files in which the header is included, so that the
/// include precedes the edits of all files \p Edited. Returns the edited files
/// for which there is no such place.
static std::set<std::string>
chooseIncludes(std::map<std::string, IncludePoint> &Points,
               const std::set<std::string> &Edited) {
  std::set<std::string> Chosen, Unreachable;
  for (const std::string &File : Edited) {
    std::set<std::string> Seen{File};
    std::vector<std::string> Work{File};
    while (!Work.empty()) {
      std::string Path = std::move(Work.back());
      Work.pop_back();
      auto It = Points.find(Path);
      if (It == Points.end()) {
        Unreachable.insert(File);
      } else if (!It->second.Enclosed) {
        if (!It->second.Present)
          Chosen.insert(Path);
      } else {
        for (const std::string &By : It->second.Includers)
          if (Seen.insert(By).second)
            Work.push_back(By);
      }
    }
  }
  for (auto It = Points.begin(); It != Points.end();)
    It = Chosen.count(It->first) ? std::next(It) : Points.erase(It);
  return Unreachable;
}

/// Whether two findings with one id belong to different text: several files
/// include a directive that is followed by different statements.
static bool areApart(const Finding &A, const Finding &B) {
  return A.Key.Function == "file" && A.Anchor && B.Anchor &&
         A.Anchor != B.Anchor;
}

/// \p E, an edit of \p F, with the context and the name of \p F in its text.
static TextEdit filledIn(TextEdit E, const Finding &F) {
  const char *Name = F.Context == Reach::Team     ? "EK_TEAM"
                     : F.Context == Reach::Either ? "EK_EITHER"
                                                  : "EK_SERIAL";
  if (size_t At = E.Text.find(HookContext); At != std::string::npos)
    E.Text.replace(At, 1, Name);
  for (size_t At; (At = E.Text.find(NamePlace)) != std::string::npos;)
    E.Text.replace(At, 1, F.Tag);
  return E;
}

namespace {
/// Allocators that the program defines.
struct OwnAllocators {
  bool Malloc = false, New = false;
  std::set<std::string> Others;
};
} // namespace

/// Moves the units' results to \p M.
static OwnAllocators gather(std::vector<UnitResult> &Units, Merged &M) {
  OwnAllocators Own;
  for (UnitResult &U : Units) {
    Own.Malloc |= U.DefinesMalloc;
    Own.Others.insert(U.OwnAllocators.begin(), U.OwnAllocators.end());
    Own.New |= U.DefinesNew;
    for (const auto &[File, Places] : U.OutsideRoot)
      M.OutsideRoot[File] += Places;
    M.Files.insert(U.Files.begin(), U.Files.end());
    for (auto &[Path, Point] : U.Includes)
      M.Includes[Path].add(Point);
    std::move(U.Findings.begin(), U.Findings.end(),
              std::back_inserter(M.Findings));
  }
  return Own;
}

/// Clauses that name less than their tasks access.
static void addShortfalls(Merged &M) {
  for (const Finding &F : M.Findings)
    for (const ClauseShortfall &S : F.Data.Shortfalls)
      M.Warnings.push_back(F.Key.Path + ":" + std::to_string(S.Line) + ":" +
                           std::to_string(S.Column) + ": " + S.Text + " (" +
                           S.Reason + ")");
}

static std::vector<Finding *> sorted(std::vector<Finding> &All) {
  std::vector<Finding *> Sorted;
  for (Finding &F : All)
    Sorted.push_back(&F);
  std::sort(Sorted.begin(), Sorted.end(), [](Finding *A, Finding *B) {
    if (order(*A) != order(*B))
      return order(*A) < order(*B);
    return A < B; // same vector: in the order of the units
  });
  return Sorted;
}

/// Joins the findings of one entity in two units into \p Kept. False: they have
/// different edits.
static bool joinTwo(Finding &Kept, Finding &F, bool KeepGoing) {
  if (Kept.Context != F.Context)
    Kept.Context = F.Context = Reach::Either;
  bool Same = Kept.What == F.What && Kept.Edits == F.Edits;
  if (Same || Kept.What == Finding::State::Skipped)
    return true;
  if (F.What == Finding::State::Skipped) {
    Kept = std::move(F);
    return true;
  }
  // A static array in a header that one of the units does not use.
  if (Kept.What == Finding::State::Left || F.What == Finding::State::Left) {
    if (Kept.What == Finding::State::Left)
      Kept = std::move(F);
    return true;
  }
  if (Kept.Key.Function == "file") { // one text of several functions
    drop(Kept, "repeated-text");
    return true;
  }
  if (!KeepGoing)
    return false;
  drop(Kept, "conflict");
  return true;
}

/// One finding per entity; if any unit skips it, it is skipped.
static MaybeError uniteFindings(std::vector<Finding> &All, bool KeepGoing) {
  std::vector<Finding> Unique;
  for (Finding *Next : sorted(All)) {
    if (Unique.empty() || !Unique.back().sameAs(*Next) ||
        areApart(Unique.back(), *Next))
      Unique.push_back(std::move(*Next));
    else if (!joinTwo(Unique.back(), *Next, KeepGoing))
      return differentEdits(Unique.back());
  }
  All = std::move(Unique);
  return std::nullopt;
}

/// A macro that expands to different allocations in different units.
static MaybeError refuseOtherForms(std::vector<Finding> &All, bool KeepGoing) {
  for (size_t I = 0; I < All.size(); ++I)
    for (size_t J = I + 1; J < All.size() && All[J].sameEntity(All[I]); ++J) {
      Finding &A = All[I], &B = All[J];
      if (A.Form == B.Form || !A.touches(B))
        continue;
      if (!KeepGoing)
        return differentEdits(A);
      drop(A, "conflict");
      drop(B, "conflict");
    }
  return std::nullopt;
}

/// Blocks of the program's own allocators belong to them.
static void refuseOwn(std::vector<Finding> &All, const OwnAllocators &Own) {
  // All findings in one use of a macro share one edit.
  std::set<std::pair<std::string, TextEdit>> Dropped;
  for (Finding &F : All) {
    if (F.What != Finding::State::Rewritten ||
        F.Class == Finding::Group::Sync || F.Class == Finding::Group::Region)
      continue;
    if (!Own.Others.count(F.Form) &&
        (F.Outside || !(F.FromHeap ? Own.Malloc : Own.New)))
      continue;
    for (const TextEdit &E : F.Edits)
      if (E.Length)
        Dropped.insert({F.File, E});
    drop(F, "user-allocator");
  }
  if (!Dropped.empty())
    for (Finding &F : All)
      if (std::any_of(F.Edits.begin(), F.Edits.end(), [&](const TextEdit &E) {
            return Dropped.count({F.File, E}) > 0;
          }))
        drop(F, "user-allocator");
}

/// One piece of text cannot have two ids, which happens if a file is included
/// in several functions.
static void refuseSharedPlaces(std::vector<Finding> &All) {
  std::map<std::tuple<std::string, unsigned, Finding::Group>,
           std::vector<Finding *>>
      ByPlace;
  for (Finding &F : All)
    if (!F.Edits.empty() && F.Class != Finding::Group::Free)
      ByPlace[{F.File, F.Anchor, F.Class}].push_back(&F);
  for (auto &[Place, Fs] : ByPlace)
    for (Finding *F : Fs)
      if (Fs.size() > 1)
        drop(*F, "repeated-text");
}

/// The edits of each file, including its include line.
static void makeEdits(Merged &M, const std::vector<UnitResult> &Units) {
  std::set<std::string> Edited;
  for (const Finding &F : M.Findings)
    if (!F.Edits.empty())
      Edited.insert(F.File);
  std::set<std::string> Unreachable = chooseIncludes(M.Includes, Edited);
  for (Finding &F : M.Findings)
    if (Unreachable.count(F.File) && !F.Edits.empty())
      drop(F, "no-header-place");
  for (const auto &[Path, Point] : M.Includes)
    M.Edits[Path];
  for (const Finding &F : M.Findings)
    for (const TextEdit &E : F.Edits)
      M.Edits[F.File].push_back(filledIn(E, F));
  for (auto &[Path, Edits] : M.Edits) {
    std::string Name = commonName(Path, Units);
    for (TextEdit &E : Edits)
      nameLines(E.Text, Name);
    if (auto It = M.Includes.find(Path); It != M.Includes.end())
      nameLines(It->second.Marker, Name);
    std::sort(Edits.begin(), Edits.end());
    Edits.erase(std::unique(Edits.begin(), Edits.end()), Edits.end());
  }
}

Expected<Merged> mergeUnits(std::vector<UnitResult> Units, bool KeepGoing,
                            NameFunction Name) {
  Merged M;
  M.Warnings = annotationWarnings(Units);
  const OwnAllocators Own = gather(Units, M);
  if (MaybeError E = uniteFindings(M.Findings, KeepGoing))
    return *E;
  if (MaybeError E = refuseOtherForms(M.Findings, KeepGoing))
    return *E;
  refuseOwn(M.Findings, Own);
  refuseSharedPlaces(M.Findings);
  addShortfalls(M);
  if (Name)
    Name(M.Findings);
  makeEdits(M, Units);
  warnOfUnrelaxed(M.Findings, M.Warnings);
  return M;
}

/// All edits of a file, including the header's include line.
static std::vector<TextEdit> withInclude(const std::string &Text,
                                         std::vector<TextEdit> Edits,
                                         const IncludePoint *Include) {
  if (Include) {
    size_t NL = Text.find('\n');
    std::string End = NL != std::string::npos && NL > 0 && Text[NL - 1] == '\r'
                          ? "\r\n"
                          : "\n";
    TextEdit E;
    E.Offset = Include->Offset;
    E.Rank = -1000000; // before all other edits at that line
    E.Text = "#include <evenkeel/ek.h>" + End + Include->Marker + End;
    Edits.insert(std::upper_bound(Edits.begin(), Edits.end(), E), E);
  }
  return Edits;
}

/// Appends \p New, the text of an edit that begins with a line, to \p Out. If
/// the line is already at the start of a line, blanks before it are moved
/// after it.
static void append(std::string &Out, const std::string &New) {
  size_t From = 0;
  if (!New.empty() && New[0] == FreshLine) {
    size_t Line = Out.rfind('\n') + 1; // 0 where there is none
    bool Blank = Out.find_first_not_of(" \t", Line) == std::string::npos;
    From = Blank ? New.find('\n') + 1 : 1;
    if (Blank)
      Out.resize(Line);
  }
  Out.append(New, From, std::string::npos);
}

static std::string splice(const std::string &Text, size_t From, size_t To,
                          const TextEdit *Begin, const TextEdit *End) {
  std::string Out;
  size_t Position = From;
  for (const TextEdit *E = Begin; E != End; ++E) {
    Out.append(Text, Position, E->Offset - Position);
    append(Out, E->Text);
    Position = E->Offset + E->Length;
  }
  Out.append(Text, Position, To - Position);
  return Out;
}

std::string applyEdits(const std::string &Text,
                       const std::vector<TextEdit> &Edits,
                       const IncludePoint *Include) {
  std::vector<TextEdit> All = withInclude(Text, Edits, Include);
  return splice(Text, 0, Text.size(), All.data(), All.data() + All.size());
}

unsigned editedColumn(llvm::StringRef Text, const std::vector<TextEdit> &Edits,
                      unsigned Offset) {
  const size_t Line = Text.take_front(Offset).rfind('\n') + 1; // 0: the first
  const std::string Before = Text.slice(Line, Offset).str();
  std::vector<TextEdit> Here;
  for (TextEdit E : Edits) {
    if (E.Offset > Offset || (E.Offset == Offset && E.Length))
      break;
    if (E.Offset + E.Length > Offset ||
        (E.Offset < Line && E.Length > 0 && E.Offset + E.Length > Line))
      return 0;
    if (E.Offset < Line)
      continue;
    E.Offset -= Line;
    Here.push_back(std::move(E));
  }
  const std::string New = applyEdits(Before, Here, nullptr);
  return New.size() - (New.rfind('\n') + 1) + 1;
}

namespace {
/// Old lines [From, To) are replaced by New; 0-based.
struct Change {
  size_t From, To;
  std::string New;
};
} // namespace

static size_t countLines(const std::string &S) {
  size_t N = std::count(S.begin(), S.end(), '\n');
  return N + (!S.empty() && S.back() != '\n');
}

static void appendLines(std::string &Out, char Mark, const std::string &S) {
  size_t P = 0;
  while (P < S.size()) {
    size_t NL = S.find('\n', P);
    Out += Mark;
    if (NL == std::string::npos) {
      Out.append(S, P, std::string::npos);
      Out += "\n\\ No newline at end of file\n";
      return;
    }
    Out.append(S, P, NL + 1 - P);
    P = NL + 1;
  }
}

std::string unifiedDiff(const std::string &Path, const std::string &Old,
                        const std::vector<TextEdit> &Edits,
                        const IncludePoint *Include) {
  std::vector<TextEdit> All = withInclude(Old, Edits, Include);
  if (All.empty())
    return "";
  if (Old.empty()) {
    const std::string New =
        splice(Old, 0, 0, All.data(), All.data() + All.size());
    std::string Out = "--- /dev/null\n+++ b/" + Path + "\n@@ -0,0 +1," +
                      std::to_string(countLines(New)) + " @@\n";
    appendLines(Out, '+', New);
    return Out;
  }
  std::vector<size_t> Starts{0};
  for (size_t I = 0; I < Old.size(); ++I)
    if (Old[I] == '\n' && I + 1 < Old.size())
      Starts.push_back(I + 1);
  size_t Lines = Starts.size();
  Starts.push_back(Old.size());
  auto LineOf = [&](size_t Offset) {
    return size_t(
        std::upper_bound(Starts.begin(), Starts.begin() + Lines, Offset) -
        Starts.begin() - 1);
  };

  // Edits on adjacent lines form one change. Whole lines that are inserted
  // between two old lines touch neither.
  std::vector<Change> Changes;
  for (size_t I = 0; I < All.size();) {
    size_t J = I, From = LineOf(All[I].Offset), To = From;
    for (; J < All.size(); ++J) {
      size_t First = LineOf(All[J].Offset);
      if (J != I && First > To)
        break;
      bool Between = All[J].Length == 0 && All[J].Offset == Starts[First] &&
                     !All[J].Text.empty() && All[J].Text.back() == '\n';
      size_t Last = All[J].Length
                        ? LineOf(All[J].Offset + All[J].Length - 1) + 1
                        : First + !Between;
      To = std::max(To, Last);
    }
    Changes.push_back({From, To,
                       splice(Old, Starts[From], Starts[To], All.data() + I,
                              All.data() + J)});
    I = J;
  }

  const size_t Context = 3;
  std::string Out = "--- a/" + Path + "\n+++ b/" + Path + "\n";
  long Shift = 0;
  for (size_t I = 0; I < Changes.size();) {
    size_t J = I + 1;
    while (J < Changes.size() &&
           Changes[J].From <= Changes[J - 1].To + 2 * Context)
      ++J;
    size_t From = Changes[I].From > Context ? Changes[I].From - Context : 0;
    size_t To = std::min(Lines, Changes[J - 1].To + Context);
    std::string Body;
    size_t At = From, NewCount = 0;
    for (size_t K = I; K < J; ++K) {
      std::string Before =
          Old.substr(Starts[At], Starts[Changes[K].From] - Starts[At]);
      appendLines(Body, ' ', Before);
      appendLines(Body, '-',
                  Old.substr(Starts[Changes[K].From],
                             Starts[Changes[K].To] - Starts[Changes[K].From]));
      appendLines(Body, '+', Changes[K].New);
      NewCount += Changes[K].From - At + countLines(Changes[K].New);
      At = Changes[K].To;
    }
    appendLines(Body, ' ', Old.substr(Starts[At], Starts[To] - Starts[At]));
    NewCount += To - At;
    size_t OldCount = To - From;
    Out += "@@ -" + std::to_string(OldCount ? From + 1 : From) + "," +
           std::to_string(OldCount) + " +" +
           std::to_string(long(NewCount ? From + 1 : From) + Shift) + "," +
           std::to_string(NewCount) + " @@\n" + Body;
    Shift += long(NewCount) - long(OldCount);
    I = J;
  }
  return Out;
}

} // namespace evenkeel
