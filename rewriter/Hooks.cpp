//===- Hooks.cpp - sync points: where tasks wait --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header. Rule: rules/sync-hook.md.
//===----------------------------------------------------------------------===//
#include "Hooks.h"
#include "LineName.h"
#include "OpenMPKinds.h"
#include "clang/Lex/Lexer.h"
#include <cstdio>

namespace evenkeel {
using namespace clang;

namespace {

/// The kind of wait at the end of \p D, or null.
const char *waitKind(const OMPExecutableDirective *D) {
  using namespace llvm::omp;
  OpenMPDirectiveKind K = D->getDirectiveKind();
  if (isOpenMPParallelDirective(K))
    return "parallel";
  if (isOpenMPTaskLoopDirective(K))
    return D->hasClausesOfKind<OMPNogroupClause>() ? nullptr : "taskloop";
  switch (K) {
  case OMPD_barrier:
    return "barrier";
  case OMPD_taskwait:
    return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "taskwait";
  case OMPD_taskgroup:
    return "taskgroup";
  case OMPD_for:
  case OMPD_for_simd:
  case OMPD_loop:
    return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "for";
  case OMPD_sections:
    return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "sections";
  case OMPD_single:
    return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "single";
  default:
    return nullptr;
  }
}

/// Who reaches the statement after \p D. One thread: after a parallel region
/// that no other surrounds, in main outside all of them, and inside a
/// construct that one thread executes (single, master, critical, section,
/// task). Otherwise a team, also in functions that only their callers know to
/// be parallel.
const char *contextOf(const Unit &U, const OMPExecutableDirective *D) {
  const Unit::Frame &F = U.Frames.back();
  for (auto It = F.Directives.rbegin(); It != F.Directives.rend(); ++It) {
    OpenMPDirectiveKind K = (*It)->getDirectiveKind();
    if (isOneThread(K))
      return "serial";
    if (isOpenMPParallelDirective(K))
      return "team";
  }
  if (isOpenMPParallelDirective(D->getDirectiveKind()) ||
      (F.Function && F.Function->isMain()))
    return "serial";
  return "team";
}

/// Last spelled part of \p S; NeedsSemicolon when the AST leaves its `;` out.
SourceLocation statementEnd(const Stmt *S, bool &NeedsSemicolon) {
  NeedsSemicolon = false;
  for (;;) {
    if (const auto *D = dyn_cast<OMPExecutableDirective>(S)) {
      if (!D->hasAssociatedStmt())
        return {};
      S = D->getRawStmt();
    } else if (const auto *C = dyn_cast<CapturedStmt>(S)) {
      S = C->getCapturedStmt();
    } else if (const auto *L = dyn_cast<OMPCanonicalLoop>(S)) {
      S = L->getLoopStmt();
    } else if (const auto *F = dyn_cast<ForStmt>(S)) {
      S = F->getBody();
    } else if (const auto *F = dyn_cast<CXXForRangeStmt>(S)) {
      S = F->getBody();
    } else if (const auto *W = dyn_cast<WhileStmt>(S)) {
      S = W->getBody();
    } else if (const auto *I = dyn_cast<IfStmt>(S)) {
      S = I->getElse() ? I->getElse() : I->getThen();
    } else if (const auto *W = dyn_cast<SwitchStmt>(S)) {
      S = W->getBody();
    } else if (const auto *L = dyn_cast<LabelStmt>(S)) {
      S = L->getSubStmt();
    } else if (const auto *C = dyn_cast<SwitchCase>(S)) {
      S = C->getSubStmt();
    } else if (const auto *A = dyn_cast<AttributedStmt>(S)) {
      S = A->getSubStmt();
    } else if (const auto *T = dyn_cast<CXXTryStmt>(S)) {
      S = T->getHandler(T->getNumHandlers() - 1)->getHandlerBlock();
    } else {
      break;
    }
    if (!S)
      return {};
  }
  // Declarations and empty statements end with their semicolon, blocks with
  // their brace.
  NeedsSemicolon =
      !isa<CompoundStmt>(S) && !isa<NullStmt>(S) && !isa<DeclStmt>(S);
  return S->getEndLoc();
}

bool isHook(TokenTable &T, size_t I) {
  return I != TokenTable::None && I < T.size() && T.text(I) == "ek_sync";
}

/// The edits of one sync point.
class HookEdits {
  Unit &U;
  const OMPExecutableDirective *Directive;
  const Stmt *Parent; // of the directive; null at top level
  bool ParentIsSections;
  unsigned Depth; // nesting, orders edits at one offset

public:
  HookEdits(Unit &U, const OMPExecutableDirective *D) : U(U), Directive(D) {
    Depth = U.Stack.size();
    ParentIsSections = false;
    // The directive itself is on top of the stack.
    size_t I = U.Stack.size() - 1;
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
    auto [FID, Offset] = U.SM.getDecomposedLoc(Directive->getBeginLoc());
    P.F.Anchor = Offset;
    TokenTable &T = U.table(FID);
    size_t Hash = T.at(Offset);
    if (Hash == TokenTable::None || T[Hash].Kind != tok::hash)
      return skip(P, "macro-directive");
    if (!U.claimFile(P, FID))
      return;
    char Hook[64];
    std::snprintf(Hook, sizeof Hook, "ek_sync(0x%016llxULL, %s);",
                  static_cast<unsigned long long>(P.F.Id),
                  P.F.Context == "team" ? "EK_TEAM" : "EK_SERIAL");
    bool Wrap = !isa_and_nonnull<CompoundStmt>(Parent) || ParentIsSections;
    if (Directive->hasAssociatedStmt())
      hookAfterStatement(P, FID, T, Hash, Hook, Wrap);
    else
      hookAfterPragma(P, FID, T, Hash, Hook, Wrap);
  }

private:
  /// Opens the braces around a directive that is somebody's only statement;
  /// false when that cannot be done.
  bool openBraces(Pending &P, FileID FID, TokenTable &T, size_t Hash,
                  size_t Last) {
    int Rank = static_cast<int>(Depth);
    if (isa_and_nonnull<OMPExecutableDirective>(Parent)) {
      // The line above is another pragma's: a line of our own.
      unsigned At = T.lineStart(T[Hash].Offset);
      P.F.Edits.push_back({At, 0, Rank,
                           T.indentation(At).str() + "{" + T.newline().str() +
                               U.lineMarker(FID, At) + T.newline().str()});
      U.noteEdit(FID, At);
      return true;
    }
    size_t Before = T.previousPlain(Hash);
    if (Before == TokenTable::None || !T.sameConfigurations(Before, Last))
      return false;
    P.F.Edits.push_back({T[Before].end(), 0, Rank, " {"});
    U.noteEdit(FID, T[Before].Offset);
    return true;
  }

  void hookAfterStatement(Pending &P, FileID FID, TokenTable &T, size_t Hash,
                          const std::string &Hook, bool Wrap) {
    bool NeedsSemicolon;
    SourceLocation End = statementEnd(Directive->getRawStmt(), NeedsSemicolon);
    if (End.isMacroID()) {
      SourceLocation Outer;
      End = Lexer::isAtEndOfMacroExpansion(End, U.SM, U.LO, &Outer)
                ? Outer
                : SourceLocation();
    }
    if (End.isInvalid())
      return skip(P, "macro-body");
    auto [EndFID, EndOffset] = U.SM.getDecomposedLoc(End);
    if (EndFID != FID)
      return skip(P, "split-file");
    size_t Last = T.at(EndOffset);
    if (Last != TokenTable::None && NeedsSemicolon) {
      ++Last;
      if (Last >= T.size() || T[Last].Kind != tok::semi)
        Last = TokenTable::None;
    }
    if (Last == TokenTable::None || T[Last].InDirective)
      return skip(P, "macro-body");
    if (isHook(T, Last + 1)) {
      P.F.What = Finding::State::Already;
      return;
    }
    if (!T.sameConfigurations(Hash, Last) ||
        (Wrap && !openBraces(P, FID, T, Hash, Last)))
      return skip(P, "conditional-directive");
    std::string Text = Hook + (Wrap ? " }" : "");
    U.noteEdit(FID, T[Hash].Offset);
    // Behind a block on its line. Behind a single statement, compilers would
    // warn of misleading indentation there.
    if (T[Last].Kind == tok::semi && Last + 1 < T.size() &&
        T[Last + 1].LineStart)
      insertBefore(P, FID, T, Hash, Last + 1, Text);
    else
      P.F.Edits.push_back(
          {T[Last].end(), 0, -static_cast<int>(Depth), " " + Text});
  }

  void hookAfterPragma(Pending &P, FileID FID, TokenTable &T, size_t Hash,
                       const std::string &Hook, bool Wrap) {
    size_t Next = T.afterDirective(Hash);
    if (Next == TokenTable::None)
      return skip(P, "split-file");
    if (isHook(T, Next)) {
      P.F.What = Finding::State::Already;
      return;
    }
    if (Wrap && !openBraces(P, FID, T, Hash, Hash))
      return skip(P, "conditional-directive");
    U.noteEdit(FID, T[Hash].Offset);
    insertBefore(P, FID, T, Hash, Next, Hook + (Wrap ? " }" : ""));
  }

  /// Puts \p Text before token \p Next, which starts a line.
  void insertBefore(Pending &P, FileID FID, TokenTable &T, size_t Hash,
                    size_t Next, const std::string &Text) {
    int Rank = -static_cast<int>(Depth);
    if (!T[Next].InDirective) {
      P.F.Edits.push_back({T[Next].Offset, 0, Rank, Text + " "});
      return;
    }
    // Another directive follows; behind it the hook would be too late, or in
    // another configuration. A line of its own, and the numbers go on as
    // before.
    unsigned At = T.lineStart(T[Next].Offset);
    P.F.Edits.push_back({At, 0, Rank,
                         T.indentation(T[Hash].Offset).str() + Text +
                             T.newline().str() + U.lineMarker(FID, At) +
                             T.newline().str()});
  }
};

} // namespace

void Hooks::directive(const OMPExecutableDirective *D) {
  const char *Wait = waitKind(D);
  if (!Wait)
    return;
  Pending P;
  P.F.Class = Finding::Group::Sync;
  P.F.Key.Kind = std::string("sync-") + Wait;
  P.F.Form = Wait;
  P.F.Context = contextOf(U, D);
  P.MakeEdits = [Edits = HookEdits(U, D)](Pending &P) mutable {
    Edits.make(P);
  };
  if (!U.locate(P, D->getBeginLoc()))
    return;
  if (isDeviceDirective(D->getDirectiveKind()))
    skip(P, "device-directive");
  else if (D->getBeginLoc().isMacroID() || D->getEndLoc().isMacroID())
    skip(P, "macro-directive");
  U.add(std::move(P));
}

} // namespace evenkeel
