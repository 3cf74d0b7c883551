//===- HookEdits.cpp - text of a directive's hook -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HookEdits.h. Rule: rules/sync-hook.md.
//===----------------------------------------------------------------------===//
#include "HookEdits.h"
#include "ConstructText.h"
#include "edits/StatementArms.h"
#include "unit/HandedVariables.h"
#include "unit/OpenMPKinds.h"
#include "unit/OwnLines.h"

namespace evenkeel {
using namespace clang;

namespace {

/// The edits of one construct.
class HookEdits : ConstructText {
  const Stmt *Parent; // of the directive; null: top level
  bool ParentIsSections = false;
  std::vector<HandedVariable> Variables; // see there

public:
  HookEdits(Unit &U, SourceLocation Begin, SourceLocation End,
            const OMPExecutableDirective *D, const Stmt *S)
      : ConstructText(U, Begin, End, D, S) {
    if (D)
      Variables = handedVariables(U, D);
    // For a directive, the top of the stack is the directive itself.
    size_t I = U.Stack.size() - (D ? 1 : 0);
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

  /// Inserts \p Text before token \p Next of the directive's file, or at its
  /// end.
  void insertAfter(Pending &P, const SpelledDirective &D, size_t Next,
                   const std::string &Text) {
    if (Next == TokenTable::None)
      insertAtEnd(P, U.table(D.File), Text);
    else
      insertBefore(P, D.File, D, Next, Text);
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

} // namespace evenkeel
