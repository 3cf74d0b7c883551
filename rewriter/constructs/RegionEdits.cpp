//===- RegionEdits.cpp - text around what tasks execute -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RegionEdits.h. Rules: rules/region.md, rules/acquire.md.
//===----------------------------------------------------------------------===//
#include "RegionEdits.h"
#include "ConstructText.h"
#include "unit/OpenMPKinds.h"
#include "unit/OwnLines.h"

namespace evenkeel {
using namespace clang;

namespace {

class RegionEdits : ConstructText {
  const std::vector<std::string> Needs; // empty: nothing is acquired

public:
  RegionEdits(Unit &U, const OMPExecutableDirective *D,
              std::vector<std::string> Needs)
      : ConstructText(U, D->getBeginLoc(), D->getEndLoc(), D,
                      D->hasAssociatedStmt() ? D->getRawStmt() : nullptr),
        Needs(std::move(Needs)) {}

  void make(Pending &P) {
    if (brackets(P))
      return;
    P.F.What = Finding::State::Left;
    P.F.Reason = "no-task-time";
    P.F.Edits.clear();
    if (!Needs.empty() && P.F.Data.Reason.empty())
      P.F.Data.Reason = "task-text";
  }

  void makeAround(Pending &P) {
    const SpelledDirective D = spelledDirective(U, Begin, End);
    const SpelledEnd E = spelledEnd(U, innerStatement());
    P.F.Data.Reason = "task-text";
    if (D.Refused || !D.isLine() || E.Refused || E.File != D.File || E.InMacro)
      return skip(P, "device-directive");
    TokenTable &T = U.table(D.File);
    if (T.armsOf(D.First) != T.armsOf(E.Last))
      return skip(P, "device-directive");
    P.F.Anchor = T[D.First].Offset;
    const size_t Before = T.previousPlain(D.First);
    if (Before != TokenTable::None && isAcquired(T, Before)) {
      P.F.What = Finding::State::Already;
      P.F.Data.Reason = "annotated";
      return;
    }
    if (!U.claimFile(P, D.File))
      return;
    P.F.Data.Reason.clear();
    P.F.Data.Ranges = static_cast<unsigned>(Needs.size());
    putNeeds(P, D, " " + call(P, "ek_acquire_all"));
    putAfterStatement(P, D, E, Guard(), call(P, "ek_release_all") + " }");
  }

private:
  const Stmt *innerStatement() const {
    const Stmt *S = Statement;
    while (const auto *C = dyn_cast<CapturedStmt>(S))
      S = C->getCapturedStmt();
    return S;
  }

  /// The first token, in the directive's file, of what its tasks execute.
  size_t firstOf(const Stmt *S, const SpelledDirective &D) {
    if (const auto *Inner = dyn_cast<OMPExecutableDirective>(S)) {
      SpelledDirective I =
          spelledDirective(U, Inner->getBeginLoc(), Inner->getEndLoc());
      bool Apart = !I.Refused && I.Starts && I.File == D.File &&
                   !I.InArgument && I.First > D.First;
      return Apart ? I.First : TokenTable::None;
    }
    SourceLocation L = S->getBeginLoc();
    if (L.isMacroID() || U.SM.getFileID(L) != D.File)
      return TokenTable::None;
    return U.table(D.File).at(U.SM.getFileOffset(L));
  }

  bool brackets(Pending &P) {
    const Stmt *S = innerStatement();
    SpelledDirective D = spelledDirective(U, Begin, End);
    SpelledEnd E = spelledEnd(U, S);
    const bool Early = leavesEarly(Directive, S);
    if (D.Refused || E.Refused || E.File != D.File || E.InMacro ||
        D.InArgument || (Early && Needs.empty()))
      return false;
    TokenTable &T = U.table(D.File);
    size_t First = firstOf(S, D);
    if (First == TokenTable::None || First + 1 >= T.size() || First > E.Last)
      return false;
    Guard Front, Back;
    if (T.armsOf(First) != T.armsOf(E.Last) ||
        !T.sameConfigurations(D.First, E.Last)) {
      std::optional<Guard> F = guard(T, {D.First, E.Last}, First, true);
      std::optional<Guard> B = guard(T, {D.First, First}, E.Last, true);
      if (!F || !B)
        return false;
      Front = *F;
      Back = *B;
    }
    P.F.Anchor = U.SM.getFileOffset(U.SM.getExpansionLoc(Begin));
    if (isAlready(P, T, First, Early))
      return true;
    if (!U.claimFile(P, D.File))
      return false;
    if (U.Options.Kept)
      return Front.empty() && Back.empty() && isa<CompoundStmt>(S) &&
             bracketsInside(P, D.File, First, E.Last);
    const bool Acquires = !Needs.empty() && Front.empty() && Back.empty() &&
                          acquires(P, D, Early);
    if (Early && !Acquires)
      return false;
    if (!Needs.empty() && !Acquires)
      P.F.Data.Reason = "task-text";
    put(P, D, E, First, Front, Back, Acquires, !Early);
    if (Early)
      P.F.Reason = "no-task-time";
    return true;
  }

  /// Whether the statement is annotated; then says so in \p P.
  bool isAlready(Pending &P, const TokenTable &T, size_t First, bool Early) {
    if (T.text(First) != "{")
      return false;
    const bool Acquired =
        T.text(First + 1) == "ek_acquire_all" || T.text(First + 1) == "EK_HOLD";
    if (!Acquired && T.text(First + 1) != "ek_region_begin")
      return false;
    P.F.What = Finding::State::Already;
    P.F.Tag = nameIn(T, First, nameMacro(P.F.Class));
    if (Early)
      P.F.Reason = "no-task-time";
    if (!Needs.empty())
      P.F.Data.Reason = Acquired ? "annotated" : "timed-before";
    return true;
  }

  /// The calls around the statement, on a line of its own before it, so that
  /// the statement keeps its columns.
  void put(Pending &P, const SpelledDirective &D, const SpelledEnd &E,
           size_t First, const Guard &Front, const Guard &Back, bool Acquires,
           bool Timed) {
    TokenTable &T = U.table(D.File);
    const std::string Id = U.idText(P);
    std::string Text, Ends;
    if (Acquires) {
      Text = "{ " + call(P, Timed ? "ek_acquire_all" : "EK_HOLD");
      Ends = Timed ? call(P, "ek_release_all") + " } }" : "} }";
    }
    if (Timed) {
      Text +=
          std::string(Acquires ? " " : "") + "{ ek_region_begin(" + Id + ");";
      Ends = "ek_region_end(" + Id + "); }" + (Acquires ? " " : "") + Ends;
    }
    unsigned At =
        T[First].LineStart ? T.lineStart(T[First].Offset) : T[First].Offset;
    std::string Indent = T[First].LineStart ? T.indentation(At).str() : "";
    insertOwnLine(P, D.File, At, 2 * static_cast<int>(Depth) + 1, Front,
                  Indent + Text);
    U.noteEdit(D.File, At);
    RankAfter = -2 * static_cast<int>(Depth) - 1; // before the construct's hook
    putAfterStatement(P, D, E, Back, Ends);
  }

  bool bracketsInside(Pending &P, FileID File, size_t Open, size_t Close) {
    TokenTable &T = U.table(File);
    U.noteEdit(File, T[Open].Offset);
    const std::string Id = U.idText(P);
    return putInBlock(P, T, Open, Close, 2 * static_cast<int>(Depth) + 1,
                      "ek_region_begin(" + Id + ");",
                      "ek_region_end(" + Id + ");");
  }

  //===--- Data -----------------------------------------------------------===//

  std::string call(const Pending &P, const char *Function) const {
    return std::string(Function) + "(" + U.idText(P) + ", ek_needs_, " +
           std::to_string(Needs.size()) + ");";
  }

  /// Whether the statement that ends with token \p Last, right before the
  /// directive, acquires what the statement before it names.
  static bool isAcquired(const TokenTable &T, size_t Last) {
    const size_t Tokens = 9; // ek_acquire_all ( ID , ek_needs_ , COUNT ) ;
    return Last >= Tokens && T.text(Last - Tokens + 1) == "ek_acquire_all" &&
           T.text(Last - Tokens) == ";";
  }

  /// Opens a block before the directive, on a line of its own, with what the
  /// task needs.
  void putNeeds(Pending &P, const SpelledDirective &D,
                const std::string &Then) {
    TokenTable &T = U.table(D.File);
    const unsigned At = T.lineStart(T[D.First].Offset);
    std::string Text = "{ ek_need ek_needs_[] = {";
    for (const std::string &N : Needs)
      Text += (&N == &Needs.front() ? "" : ", ") + N;
    insertOwnLine(P, D.File, At, 2 * static_cast<int>(Depth), Guard(),
                  T.indentation(At).str() + Text + "};" + Then);
    U.noteEdit(D.File, At);
  }

  /// What the task needs, before the directive, and its private copy for the
  /// task. A task that may be cancelled before it starts (\p Early) is not
  /// announced. False: there is no text for that.
  bool acquires(Pending &P, const SpelledDirective &D, bool Early) {
    SourceLocation Last;
    for (const OMPClause *C : Directive->clauses())
      if (C->getBeginLoc().isValid() && C->getEndLoc().isValid() &&
          !C->isImplicit())
        Last = Last.isInvalid() ||
                       U.SM.isBeforeInTranslationUnit(Last, C->getEndLoc())
                   ? C->getEndLoc()
                   : Last;
    if (!D.isLine() || Last.isInvalid() || Last.isMacroID() ||
        U.SM.getFileID(Last) != D.File)
      return false;
    TokenTable &T = U.table(D.File);
    const size_t End = T.at(U.SM.getFileOffset(Last));
    if (End == TokenTable::None)
      return false;
    putNeeds(P, D, Early ? "" : " " + call(P, "ek_announce"));
    P.F.Edits.push_back({T[End].end(), 0, 1, " firstprivate(ek_needs_)"});
    P.F.Data.Ranges = static_cast<unsigned>(Needs.size());
    return true;
  }
};

} // namespace

std::function<void(Pending &)> regionEdits(Unit &U,
                                           const OMPExecutableDirective *D,
                                           std::vector<std::string> Needs) {
  return [Edits = RegionEdits(U, D, std::move(Needs))](Pending &P) mutable {
    Edits.make(P);
  };
}

std::function<void(Pending &)> acquireAround(Unit &U,
                                             const OMPExecutableDirective *D,
                                             std::vector<std::string> Needs) {
  return [Edits = RegionEdits(U, D, std::move(Needs))](Pending &P) mutable {
    Edits.makeAround(P);
  };
}

} // namespace evenkeel
