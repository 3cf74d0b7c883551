//===- HookEdits.cpp - text of a directive's hook and brackets ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HookEdits.h. Rules: rules/sync-hook.md, rules/region.md.
//===----------------------------------------------------------------------===//
#include "HookEdits.h"
#include "edits/Guards.h"
#include "edits/LineName.h"
#include "edits/StatementArms.h"
#include "unit/HandedVariables.h"
#include "unit/OpenMPKinds.h"
#include "unit/OwnLines.h"
#include "unit/Spelling.h"
#include <algorithm>
#include <cstdio>

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

namespace {

/// The edits of one construct.
class HookEdits {
  Unit &U;
  SourceLocation Begin, End;               // of the directive
  const OMPExecutableDirective *Directive; // null: not in the AST
  const Stmt *Statement;                   // null: none
  const Stmt *Parent;                      // of the directive; null: top level
  bool ParentIsSections = false;
  unsigned Depth; // nesting depth: orders edits at one offset
  int RankAfter;  // of edits after the construct
  std::vector<HandedVariable> Variables; // see there

public:
  HookEdits(Unit &U, SourceLocation Begin, SourceLocation End,
            const OMPExecutableDirective *D, const Stmt *S)
      : U(U), Begin(Begin), End(End), Directive(D), Statement(S) {
    if (D)
      Variables = handedVariables(U, D);
    // For a directive, the top of the stack is the directive itself.
    size_t I = U.Stack.size() - (D ? 1 : 0);
    Depth = 1 + depthInFile(U, Begin, I);
    RankAfter = -2 * static_cast<int>(Depth);
    auto Up = [&]() -> const Stmt * {
      while (I-- > 0)
        if (!isa<CapturedStmt>(U.Stack[I]) &&
            !isa<OMPCanonicalLoop>(U.Stack[I]))
          return U.Stack[I];
      return nullptr;
    };
    Parent = Up();
    if (isa_and_nonnull<CompoundStmt>(Parent)) {
      const auto *Outer = dyn_cast_or_null<OMPExecutableDirective>(Up());
      ParentIsSections =
          Outer &&
          (Outer->getDirectiveKind() == llvm::omp::OMPD_sections ||
           Outer->getDirectiveKind() == llvm::omp::OMPD_parallel_sections);
    }
  }

  void make(Pending &P) {
    SpelledDirective D = spelledDirective(U, Begin, End);
    if (D.Refused)
      return skip(P, D.Refused);
    const std::string Hook =
        "ek_sync(" + U.idText(P) + ", " + HookContext + ");";
    P.F.Anchor = U.SM.getFileOffset(U.SM.getExpansionLoc(Begin));
    if (!D.Attribute)
      P.F.Anchor = U.table(D.File)[D.First].Offset;
    else if (isInSequence(D))
      return skip(P, "attribute-sequence");
    bool Wrap = !isa_and_nonnull<CompoundStmt>(Parent) || ParentIsSections ||
                isAllOfInclusion(D) ||
                (Statement && D.Starts && !D.InArgument &&
                 mayBeOnlyStatement(U.table(D.File), D.First));
    if (Wrap && !D.Starts)
      return skip(P, "macro-directive");
    // Braces between two directives would indent all lines below.
    if (U.Options.Kept && Wrap &&
        isa_and_nonnull<OMPExecutableDirective>(Parent))
      return skip(P, "kept-style");
    if (Statement) {
      hookAfterStatement(P, D, Hook, Wrap);
      handOver(P, D);
    } else
      hookAfterDirective(P, D, Hook, Wrap);
  }

  /// Puts calls around the directive's statement, inside its tasks, if the
  /// statement can only be left at its end.
  void makeRegion(Pending &P) {
    if (!brackets(P)) {
      P.F.What = Finding::State::Left;
      P.F.Reason = "no-task-time";
      P.F.Edits.clear();
    }
  }

private:
  /// Whether the included file consists of this construct only. Elsewhere it
  /// may be included as the only statement of an `if` or loop.
  bool isAllOfInclusion(const SpelledDirective &D) {
    return isa_and_nonnull<CompoundStmt>(Parent) &&
           !isSameFile(U, Parent->getBeginLoc(), Begin) &&
           (!Statement || spelledEnd(U, Statement).File == D.File);
  }

  //===--- Attributes -----------------------------------------------------===//

  /// Whether the attribute contains several directives and this is not the
  /// outermost one with a statement: there is no text between them.
  bool isInSequence(const SpelledDirective &D) {
    TokenTable &T = U.table(D.File);
    bool Sequence = false;
    for (size_t I = D.First; I < D.Last; ++I)
      Sequence |= T.text(I) == "sequence";
    if (!Sequence || !Statement)
      return Sequence;
    const auto *Outer = dyn_cast_or_null<OMPExecutableDirective>(Parent);
    if (!Outer)
      return false;
    SpelledDirective O =
        spelledDirective(U, Outer->getBeginLoc(), Outer->getEndLoc());
    return !O.Refused && O.File == D.File && O.First == D.First;
  }

  //===--- Conditions -----------------------------------------------------===//

  /// The guard for text at token \p At that must exist where all tokens \p Of
  /// exist; nullopt if the conditions cannot be repeated there.
  std::optional<Guard> guard(TokenTable &T, const std::vector<size_t> &Of,
                             size_t At, bool Braces) {
    std::optional<Guard> G = guardFor(T, Of, At, Braces);
    if (U.Options.OneConfiguration)
      return Guard();
    return G;
  }

  /// The #include directive of \p Included in file \p By, or None.
  size_t includeOf(FileID Included, FileID By) {
    auto [FID, Offset] = U.SM.getDecomposedLoc(U.SM.getIncludeLoc(Included));
    return FID == By ? U.table(By).at(Offset) : TokenTable::None;
  }

  /// Whether \p D and token \p Last of \p File, which the file of \p D
  /// includes, exist in the same configurations.
  bool sameConfigurations(const SpelledDirective &D, FileID File, size_t Last) {
    size_t I = includeOf(File, D.File);
    return U.Options.OneConfiguration ||
           (I != TokenTable::None && U.table(File)[Last].Arm == 0 &&
            U.table(D.File).sameConfigurations(D.First, I));
  }

  /// Whether a hook after token \p Last, and braces before token \p First of
  /// the directive, need no condition: only `#ifdef _OPENMP` separates them,
  /// and without OpenMP both do nothing.
  bool needsNoGuard(TokenTable &T, size_t First, size_t Last, bool Wrap) {
    size_t Before = T.previousPlain(First);
    bool Equal = T.armsOf(First) == T.armsOf(Last);
    if (Wrap &&
        (Before == TokenTable::None || T.armsOf(Before) != T.armsOf(Last)))
      return false;
    if (Equal || !T.sameConfigurations(First, Last))
      return Equal;
    if (Wrap)
      return onlyDirectivesBefore(T, Before);
    return Before == TokenTable::None || endsStatement(T[Before].Kind);
  }

  /// Whether only directives lie between token \p From and the statement, so
  /// that the statement follows \p From in every configuration.
  bool onlyDirectivesBefore(TokenTable &T, size_t From) {
    unsigned Offset =
        U.SM.getFileOffset(U.SM.getExpansionLoc(Statement->getBeginLoc()));
    for (size_t I = From + 1; I < T.size() && T[I].Offset < Offset; ++I)
      if (!T[I].InDirective)
        return false;
    return true;
  }

  //===--- Brackets of regions --------------------------------------------===//

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
    const Stmt *S = Statement;
    while (const auto *C = dyn_cast<CapturedStmt>(S))
      S = C->getCapturedStmt();
    SpelledDirective D = spelledDirective(U, Begin, End);
    SpelledEnd E = spelledEnd(U, S);
    if (D.Refused || E.Refused || E.File != D.File || E.InMacro ||
        D.InArgument || leavesEarly(Directive, S))
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
    if (T.text(First) == "{" && T.text(First + 1) == "ek_region_begin") {
      P.F.What = Finding::State::Already;
      P.F.Tag = nameIn(T, First, nameMacro(P.F.Class));
      return true;
    }
    if (!U.claimFile(P, D.File))
      return false;
    const std::string Id = U.idText(P);
    if (U.Options.Kept)
      return Front.empty() && Back.empty() && isa<CompoundStmt>(S) &&
             bracketsInside(P, D.File, First, E.Last);
    // On a line of its own, so that the statement keeps its columns.
    std::string Text = std::string("{ ek_region_begin(") + Id + ");";
    unsigned At =
        T[First].LineStart ? T.lineStart(T[First].Offset) : T[First].Offset;
    std::string Indent = T[First].LineStart ? T.indentation(At).str() : "";
    insertOwnLine(P, D.File, At, 2 * static_cast<int>(Depth) + 1, Front,
                  Indent + Text);
    U.noteEdit(D.File, At);
    RankAfter = -2 * static_cast<int>(Depth) - 1; // before the construct's hook
    putAfterStatement(P, D, E, Back,
                      std::string("ek_region_end(") + Id + "); }");
    return true;
  }

  bool bracketsInside(Pending &P, FileID File, size_t Open, size_t Close) {
    TokenTable &T = U.table(File);
    U.noteEdit(File, T[Open].Offset);
    const std::string Id = U.idText(P);
    return putInBlock(P, T, Open, Close, 2 * static_cast<int>(Depth) + 1,
                      "ek_region_begin(" + Id + ");",
                      "ek_region_end(" + Id + ");");
  }

  //===--- Values ---------------------------------------------------------===//

  /// On a line of its own before the directive, inside the braces around it,
  /// hands over what the region finds in variables.
  void handOver(Pending &P, const SpelledDirective &D) {
    TokenTable &T = U.table(D.File);
    P.F.Handed = Variables;
    if (P.F.What != Finding::State::Rewritten || Variables.empty() ||
        P.F.File != U.absolutePath(D.File) || !(D.isLine() || D.Attribute) ||
        D.InArgument || !T[D.First].LineStart)
      return;
    EntityKey Region = P.F.Key;
    Region.Kind = "region";
    const unsigned At = T.lineStart(T[D.First].Offset);
    insertOwnLine(P, D.File, At, 2 * static_cast<int>(Depth) + 1, Guard(),
                  T.indentation(At).str() +
                      (U.Options.Kept
                           ? handingOver(Variables)
                           : handingOver(entityId(Region), Variables)));
    P.F.Values = static_cast<unsigned>(Variables.size());
  }

  //===--- Hooks ----------------------------------------------------------===//

  /// Opens braces around a directive that is the only statement of an `if` or
  /// loop. Under conditions, they go right before the directive.
  void openBraces(Pending &P, const SpelledDirective &D, const Guard *Under) {
    TokenTable &T = U.table(D.File);
    int Rank = 2 * static_cast<int>(Depth);
    bool Nested = isa_and_nonnull<OMPExecutableDirective>(Parent);
    size_t Before = T.previousPlain(D.First);
    unsigned At = T[D.First].Offset;
    if (D.InArgument) {
      P.F.Edits.push_back({At, 0, Rank, "{ "});
    } else if (!D.isLine() && (Nested || Under || !T[D.First].LineStart)) {
      insertOwnLine(P, D.File, At, Rank, Under ? *Under : Guard(), "{");
    } else if (Nested || Under || Before == TokenTable::None) {
      // The line above is a pragma or belongs to another configuration, so the
      // brace gets its own line.
      insertOwnLine(P, D.File, T.lineStart(At), Rank, Under ? *Under : Guard(),
                    T.indentation(At).str() + "{");
    } else {
      P.F.Edits.push_back({T[Before].end(), 0, Rank, " {"});
      At = T[Before].Offset;
    }
    U.noteEdit(D.File, At);
  }

  /// If the directive's statement is an `#if` group that is one statement in
  /// every configuration, puts the hook after the `#endif` and returns true.
  bool hookAfterArms(Pending &P, const SpelledDirective &D, const SpelledEnd &E,
                     const std::string &Hook, bool Wrap) {
    TokenTable &T = U.table(D.File);
    if (U.Options.OneConfiguration || E.InMacro)
      return false;
    std::optional<StatementArms> S = statementArms(T, E.Last);
    if (!S || S->If < D.First || T.armsOf(S->If) != T.armsOf(D.First))
      return false;
    size_t Before = T.previousPlain(D.First);
    if (Wrap &&
        (Before == TokenTable::None || T.armsOf(Before) != T.armsOf(D.First)))
      return false;
    size_t Next = T.afterDirective(S->Endif);
    std::set<std::string> Conditions = conditionsOf(T, D.First);
    if (isHook(T, Next, Conditions, Conditions)) {
      isAlready(P, T, Next);
      return true;
    }
    if (!U.claimFile(P, D.File))
      return true;
    if (Wrap)
      openBraces(P, D, nullptr);
    U.noteEdit(D.File, T[D.First].Offset);
    if (U.Options.Kept) {
      putKept(P, D, D.File, std::min(Next, T.size()) - 1, Guard(), Hook, Wrap);
      return true;
    }
    std::string Text = Hook + (Wrap ? " }" : "");
    insertAfter(P, D, Next, Text);
    return true;
  }

  void hookAfterStatement(Pending &P, const SpelledDirective &D,
                          const std::string &Hook, bool Wrap) {
    SpelledEnd E = spelledEnd(U, Statement);
    if (E.Refused)
      return skip(P, E.Refused);
    if (E.File != D.File && Wrap)
      return skip(P, "split-file");
    TokenTable &T = U.table(E.File);
    if (E.File == D.File && hookAfterArms(P, D, E, Hook, Wrap))
      return;
    std::set<std::string> Needed, Allowed = conditionsOf(T, E.Last);
    if (E.File != D.File)
      P.F.Anchor = T[E.Last].Offset;
    // The directive, or the #include that contains it.
    size_t Brings = E.File == D.File ? D.First : includeOf(D.File, E.File);
    if (E.File != D.File && U.table(D.File)[D.First].Arm != 0)
      Brings = TokenTable::None;
    if (Brings != TokenTable::None) {
      Needed = conditionsOf(T, Brings);
      Allowed.insert(Needed.begin(), Needed.end());
    }
    if (isHook(T, E.Last + 1, Needed, Allowed))
      return isAlready(P, T, E.Last + 1);
    if (!U.claimFile(P, E.File))
      return;
    Guard Front, Back;
    bool Guarded = false;
    if (E.File != D.File) {
      std::optional<Guard> B = Guard();
      if (Brings != TokenTable::None && !T.sameConfigurations(Brings, E.Last))
        B = guard(T, {Brings}, E.Last, false);
      if (!B || (!B->empty() && E.InMacro) ||
          (Brings == TokenTable::None &&
           !sameConfigurations(D, E.File, E.Last)))
        return skip(P, "conditional-directive");
      Back = *B;
    } else if (!needsNoGuard(T, D.First, E.Last, Wrap)) {
      std::optional<Guard> F = guard(T, {E.Last}, D.First, Wrap);
      std::optional<Guard> B = guard(T, {D.First}, E.Last, Wrap);
      if (!F || !B || (!B->empty() && E.InMacro) ||
          (!F->empty() && D.InArgument))
        return skip(P, "conditional-directive");
      Guarded = true;
      Front = *F;
      Back = *B;
    }
    if (Wrap)
      openBraces(P, D, Guarded ? &Front : nullptr);
    std::string Text = Hook + (Wrap ? " }" : "");
    U.noteEdit(E.File, E.File == D.File ? T[D.First].Offset : T[E.Last].Offset);
    if (U.Options.Kept)
      return putKept(P, D, E.File, E.Last, Back, Hook, Wrap);
    putAfterStatement(P, D, E, Back, Text);
  }

  /// Puts \p Text after a block on the same line. After a statement without
  /// braces, compilers would warn of misleading indentation.
  void putAfterStatement(Pending &P, const SpelledDirective &D,
                         const SpelledEnd &E, const Guard &Under,
                         const std::string &Text) {
    TokenTable &T = U.table(E.File);
    size_t Next = E.Last + 1;
    unsigned At = T[E.Last].end();
    bool OnItsLine = endsWithOwnBraces(Statement) || E.InMacro;
    if (!OnItsLine && Next < T.size() && T[Next].LineStart) {
      if (Under.empty())
        return insertBefore(P, E.File, D, Next, Text);
      // The place that it would have without conditions, to preserve the order
      // of edits here.
      At = T[Next].InDirective ? T.lineStart(T[Next].Offset) : T[Next].Offset;
    }
    if (!OnItsLine || !Under.empty())
      insertOwnLine(P, E.File, At, RankAfter, Under,
                    indentation(E.File, D) + Text,
                    /*Fresh=*/true);
    else
      P.F.Edits.push_back(
          {At, 0, RankAfter,
           " " + Text + (E.InMacro ? "" : afterText(E.File, At))});
  }

  void hookAfterDirective(Pending &P, const SpelledDirective &D,
                          const std::string &Hook, bool Wrap) {
    TokenTable &T = U.table(D.File);
    if (!D.Ends)
      return skip(P, "macro-directive");
    size_t Last = D.Last;
    if (D.Attribute && Last + 1 < T.size() && T[Last + 1].Kind == tok::semi)
      ++Last; // the attribute belongs to an empty statement
    size_t Next = D.isLine() ? T.afterDirective(D.First) : Last + 1;
    std::set<std::string> Conditions = conditionsOf(T, D.First);
    if (isHook(T, Next, Conditions, Conditions))
      return isAlready(P, T, Next);
    if (!U.claimFile(P, D.File))
      return;
    if (Wrap) {
      // The hook is in the directive's branch, as are braces right before it.
      size_t Before = T.previousPlain(D.First);
      Guard None;
      bool Same =
          Before != TokenTable::None && T.armsOf(Before) == T.armsOf(D.First);
      openBraces(P, D, Same ? nullptr : &None);
    }
    U.noteEdit(D.File, T[D.First].Offset);
    if (U.Options.Kept)
      return putKept(P, D, D.File,
                     D.isLine() ? std::min(Next, T.size()) - 1 : Last, Guard(),
                     Hook, Wrap);
    std::string Text = Hook + (Wrap ? " }" : "");
    if (!D.isLine())
      P.F.Edits.push_back(
          {T[Last].end(), 0, RankAfter,
           " " + Text +
               (D.InArgument ? "" : afterText(D.File, T[Last].end()))});
    else
      insertAfter(P, D, Next, Text);
  }

  //===--- Text -----------------------------------------------------------===//

  void isAlready(Pending &P, const TokenTable &T, size_t Hook) const {
    P.F.What = Finding::State::Already;
    if (U.Options.Kept)
      P.F.Tag = nameIn(T, Hook, nameMacro(P.F.Class));
  }

  /// In sources that are kept: the hook, and the brace that closes what
  /// openBraces opened, on lines of their own after token \p Last.
  void putKept(Pending &P, const SpelledDirective &D, FileID File, size_t Last,
               const Guard &Under, const std::string &Hook, bool Wrap) {
    TokenTable &T = U.table(File);
    if (D.InArgument) {
      P.F.Edits.push_back(
          {T[Last].end(), 0, RankAfter, " " + Hook + (Wrap ? " }" : "")});
      return;
    }
    const std::string NL = T.newline().str();
    std::string Indent, Outer;
    if (File == D.File) {
      Indent = indentationAround(T, D.First);
      const size_t Before = T.previousPlain(D.First);
      Outer = isa_and_nonnull<OMPExecutableDirective>(Parent) ||
                      Before == TokenTable::None
                  ? Indent
                  : T.indentation(T[Before].Offset).str();
    }
    putLinesAfter(
        P, T, Last, RankAfter,
        Under.around(Indent + Hook + NL + (Wrap ? Outer + "}" + NL : ""), NL));
  }

  /// Inserts \p Text at \p At, under conditions, and ends the line. The text
  /// there keeps its line and column. Conditions begin on a new line, as \p
  /// Fresh requires.
  void insertOwnLine(Pending &P, FileID File, unsigned At, int Rank,
                     const Guard &Under, const std::string &Text,
                     bool Fresh = false) {
    TokenTable &T = U.table(File);
    std::string NL = T.newline().str();
    if (U.Options.Kept) {
      const size_t I = T.at(T.buffer().find_first_not_of(" \t", At));
      return putLinesBefore(
          P, T, At, Rank,
          Under.around((I == TokenTable::None ? T.indentation(At).str()
                                              : indentationAround(T, I)) +
                           StringRef(Text).ltrim().str() + NL,
                       NL));
    }
    std::string Start = Fresh || !Under.empty() ? FreshLine + NL : "";
    P.F.Edits.push_back({At, 0, Rank,
                         Start + Under.around(Text + NL, NL) +
                             U.lineMarker(File, At) + NL + padding(T, At)});
  }

  /// Blanks that preserve the column of the text at \p At; empty at a line end.
  static std::string padding(const TokenTable &T, unsigned At) {
    StringRef Rest = T.buffer().substr(At).take_until(
        [](char C) { return C == '\n' || C == '\r'; });
    return Rest.trim().empty() ? "" : std::string(At - T.lineStart(At), ' ');
  }

  /// What follows \p Text inserted at \p At in the middle of a line.
  std::string afterText(FileID File, unsigned At) {
    auto It = U.InlineDirectives.lower_bound({File, At});
    TokenTable &T = U.table(File);
    if (It == U.InlineDirectives.end() || It->first != File ||
        T.lineStart(It->second) != T.lineStart(At))
      return "";
    return T.newline().str() + U.lineMarker(File, At) + T.newline().str() +
           std::string(At - T.lineStart(At), ' ');
  }

  /// Inserts \p Text before token \p Next, which begins a line.
  void insertBefore(Pending &P, FileID File, const SpelledDirective &D,
                    size_t Next, const std::string &Text) {
    TokenTable &T = U.table(File);
    if (!T[Next].InDirective) {
      std::string After = afterText(File, T[Next].Offset);
      P.F.Edits.push_back(
          {T[Next].Offset, 0, RankAfter, Text + (After.empty() ? " " : After)});
      return;
    }
    // Another directive follows: after it, the hook would be too late or in
    // another configuration. So it gets its own line, and line numbers are
    // preserved.
    unsigned At = T.lineStart(T[Next].Offset);
    P.F.Edits.push_back({At, 0, RankAfter,
                         indentation(File, D) + Text + T.newline().str() +
                             U.lineMarker(File, At) + T.newline().str()});
  }

  /// Inserts \p Text before token \p Next of the directive's file, or at its
  /// end.
  void insertAfter(Pending &P, const SpelledDirective &D, size_t Next,
                   const std::string &Text) {
    if (Next == TokenTable::None)
      insertAtEnd(P, U.table(D.File), Text);
    else
      insertBefore(P, D.File, D, Next, Text);
  }

  std::string indentation(FileID File, const SpelledDirective &D) {
    TokenTable &T = U.table(File);
    return File == D.File ? T.indentation(T[D.First].Offset).str() : "";
  }

  /// Inserts \p Text after the last line of an included file.
  void insertAtEnd(Pending &P, TokenTable &T, const std::string &Text) {
    bool Ended = T.buffer().ends_with("\n");
    P.F.Edits.push_back(
        {static_cast<unsigned>(T.buffer().size()), 0, RankAfter,
         (Ended ? "" : T.newline().str()) + Text + T.newline().str()});
  }
};

HookEdits editsOf(Unit &U, const OMPExecutableDirective *D) {
  return HookEdits(U, D->getBeginLoc(), D->getEndLoc(), D,
                   D->hasAssociatedStmt() ? D->getRawStmt() : nullptr);
}

} // namespace

std::function<void(Pending &)> hookEdits(Unit &U,
                                         const OMPExecutableDirective *D) {
  return [Edits = editsOf(U, D)](Pending &P) mutable { Edits.make(P); };
}

std::function<void(Pending &)> hookEdits(Unit &U, SourceLocation Begin,
                                         const Stmt *S) {
  return [Edits = HookEdits(U, Begin, Begin, nullptr, S)](Pending &P) mutable {
    Edits.make(P);
  };
}

std::function<void(Pending &)> regionEdits(Unit &U,
                                           const OMPExecutableDirective *D) {
  return [Edits = editsOf(U, D)](Pending &P) mutable { Edits.makeRegion(P); };
}

} // namespace evenkeel
