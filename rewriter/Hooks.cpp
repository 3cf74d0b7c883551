//===- Hooks.cpp - sync points: where tasks wait --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header. Rule: rules/sync-hook.md.
//===----------------------------------------------------------------------===//
#include "Hooks.h"
#include "LineName.h"
#include "OpenMPKinds.h"
#include "Spelling.h"
#include "clang/AST/Attr.h"
#include <algorithm>
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
  case OMPD_scope:
    return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "scope";
  case OMPD_cancel:
  case OMPD_cancellation_point:
    return "cancel";
  case OMPD_sections:
    return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "sections";
  case OMPD_single:
    return D->hasClausesOfKind<OMPNowaitClause>() ? nullptr : "single";
  default:
    return nullptr;
  }
}

/// What runs elsewhere has no run time of ours.
bool isForDevice(const Unit &U, const OMPExecutableDirective *D) {
  const Unit::Frame &F = U.Frames.back();
  if (F.Function && F.Function->hasAttr<OMPDeclareTargetDeclAttr>())
    return true;
  return isDeviceDirective(D->getDirectiveKind()) ||
         std::any_of(F.Directives.begin(), F.Directives.end(), [](auto *O) {
           return isDeviceDirective(O->getDirectiveKind());
         });
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

bool isHook(TokenTable &T, size_t I) {
  // Also behind lines that we put in.
  while (I != TokenTable::None && I + 1 < T.size() && T[I].InDirective &&
         T[I].LineStart && T.text(I + 1) == "line")
    I = T.afterDirective(I);
  return I != TokenTable::None && I < T.size() && T.text(I) == "ek_sync";
}

/// The edits of one sync point.
class HookEdits {
  Unit &U;
  const OMPExecutableDirective *Directive;
  const Stmt *Parent; // of the directive; null at top level
  bool ParentIsSections;
  unsigned Depth; // nesting, orders edits at one offset
  int Behind;     // rank of what goes behind the construct

public:
  HookEdits(Unit &U, const OMPExecutableDirective *D) : U(U), Directive(D) {
    Depth = U.Stack.size();
    Behind = -2 * static_cast<int>(Depth);
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
    SpelledDirective D = spelledDirective(U, Directive);
    if (D.Refused)
      return skip(P, D.Refused);
    char Hook[64];
    std::snprintf(Hook, sizeof Hook, "ek_sync(0x%016llxULL, %s);",
                  static_cast<unsigned long long>(P.F.Id),
                  P.F.Context == "team" ? "EK_TEAM" : "EK_SERIAL");
    P.F.Anchor = U.table(D.File)[D.First].Offset;
    bool Wrap = !isa_and_nonnull<CompoundStmt>(Parent) || ParentIsSections;
    if (Wrap && !D.Starts)
      return skip(P, "macro-directive");
    if (Directive->hasAssociatedStmt())
      hookAfterStatement(P, D, Hook, Wrap);
    else
      hookAfterDirective(P, D, Hook, Wrap);
  }

  /// Calls around the directive's statement, inside what its tasks execute.
  /// Only where nothing leaves that statement but by its end.
  void makeRegion(Pending &P) {
    if (!brackets(P)) {
      P.F.What = Finding::State::Left;
      P.F.Reason = "no-task-time";
      P.F.Edits.clear();
    }
  }

private:
  bool brackets(Pending &P) {
    const Stmt *S = Directive->getRawStmt();
    while (const auto *C = dyn_cast<CapturedStmt>(S))
      S = C->getCapturedStmt();
    SpelledDirective D = spelledDirective(U, Directive);
    SpelledEnd E = spelledEnd(U, S);
    if (D.Refused || E.Refused || E.File != D.File || E.InMacro ||
        D.InArgument || leavesEarly(Directive, S))
      return false;
    TokenTable &T = U.table(D.File);
    size_t First;
    if (const auto *Inner = dyn_cast<OMPExecutableDirective>(S)) {
      SpelledDirective I = spelledDirective(U, Inner);
      if (I.Refused || !I.Starts || I.File != D.File || I.InArgument)
        return false;
      First = I.First;
    } else {
      SourceLocation Begin = S->getBeginLoc();
      if (Begin.isMacroID() || U.SM.getFileID(Begin) != D.File)
        return false;
      First = T.at(U.SM.getFileOffset(Begin));
    }
    if (First == TokenTable::None || First + 1 >= T.size() || First > E.Last ||
        !T.sameConfigurations(First, E.Last))
      return false;
    P.F.Anchor = T[D.First].Offset;
    if (T.text(First) == "{" && T.text(First + 1) == "ek_region_begin") {
      P.F.What = Finding::State::Already;
      return true;
    }
    if (!U.claimFile(P, D.File))
      return false;
    char Id[32];
    std::snprintf(Id, sizeof Id, "0x%016llxULL",
                  static_cast<unsigned long long>(P.F.Id));
    // A line of its own: what the statement begins with keeps its column.
    std::string Text = std::string("{ ek_region_begin(") + Id + ");";
    unsigned At = T[First].Offset;
    int Rank = 2 * static_cast<int>(Depth) + 1;
    if (T[First].LineStart) {
      At = T.lineStart(At);
      P.F.Edits.push_back({At, 0, Rank,
                           T.indentation(At).str() + Text + T.newline().str() +
                               U.lineMarker(D.File, At) + T.newline().str()});
    } else {
      P.F.Edits.push_back({At, 0, Rank, Text + resumeLine(D.File, At)});
    }
    U.noteEdit(D.File, At);
    Behind = -2 * static_cast<int>(Depth) - 1; // before the construct's hook
    putBehind(P, D, E, std::string("ek_region_end(") + Id + "); }");
    return true;
  }

  /// Whether \p S, the statement of \p D, may end by cancellation, or by
  /// another thread than began it.
  static bool leavesEarly(const OMPExecutableDirective *D, const Stmt *S) {
    if (D->hasClausesOfKind<OMPUntiedClause>())
      return true;
    OpenMPDirectiveKind Region = llvm::omp::OMPD_unknown;
    if (const auto *C = dyn_cast<OMPCancelDirective>(S))
      Region = C->getCancelRegion();
    else if (const auto *C = dyn_cast<OMPCancellationPointDirective>(S))
      Region = C->getCancelRegion();
    if (Region == llvm::omp::OMPD_parallel ||
        Region == llvm::omp::OMPD_taskgroup)
      return true;
    for (const Stmt *Child : S->children())
      if (Child && leavesEarly(D, Child))
        return true;
    return false;
  }

  /// Opens the braces around a directive that is somebody's only statement;
  /// false when that cannot be done.
  bool openBraces(Pending &P, const SpelledDirective &D, size_t Last) {
    TokenTable &T = U.table(D.File);
    int Rank = 2 * static_cast<int>(Depth);
    bool Nested = isa_and_nonnull<OMPExecutableDirective>(Parent);
    if (Nested && D.isLine()) {
      // The line above is another pragma's: a line of our own.
      unsigned At = T.lineStart(T[D.First].Offset);
      P.F.Edits.push_back({At, 0, Rank,
                           T.indentation(At).str() + "{" + T.newline().str() +
                               U.lineMarker(D.File, At) + T.newline().str()});
      U.noteEdit(D.File, At);
      return true;
    }
    size_t Before = T.previousPlain(D.First);
    if (!D.isLine() && (Nested || !T[D.First].LineStart)) {
      unsigned At = T[D.First].Offset;
      P.F.Edits.push_back(
          {At, 0, Rank, (D.InArgument ? "{ " : "{" + resumeLine(D.File, At))});
      U.noteEdit(D.File, At);
      return true;
    }
    if (Before == TokenTable::None || !T.sameConfigurations(Before, Last))
      return false;
    P.F.Edits.push_back({T[Before].end(), 0, Rank, " {"});
    U.noteEdit(D.File, T[Before].Offset);
    return true;
  }

  /// Ends a line that was put in before offset \p At, such that what stands
  /// there keeps line and column.
  std::string resumeLine(FileID File, unsigned At) {
    TokenTable &T = U.table(File);
    return T.newline().str() + U.lineMarker(File, At) + T.newline().str() +
           std::string(At - T.lineStart(At), ' ');
  }

  /// What follows text inserted at \p At in the middle of a line.
  std::string afterText(FileID File, unsigned At) {
    auto It = U.InlineDirectives.lower_bound({File, At});
    return It != U.InlineDirectives.end() && It->first == File &&
                   U.table(File).lineStart(It->second) ==
                       U.table(File).lineStart(At)
               ? resumeLine(File, At)
               : "";
  }

  /// Whether what stands at \p D and token \p Last of \p File is there in the
  /// same configurations, also when one of the files includes the other.
  bool sameConfigurations(const SpelledDirective &D, FileID File, size_t Last) {
    if (D.File == File)
      return U.table(File).sameConfigurations(D.First, Last);
    auto Include = [&](FileID Included, FileID By) {
      auto [FID, Offset] = U.SM.getDecomposedLoc(U.SM.getIncludeLoc(Included));
      return FID == By ? U.table(By).at(Offset) : TokenTable::None;
    };
    if (size_t I = Include(D.File, File); I != TokenTable::None)
      return U.table(D.File)[D.First].Arm == 0 &&
             U.table(File).sameConfigurations(I, Last);
    if (size_t I = Include(File, D.File); I != TokenTable::None)
      return U.table(File)[Last].Arm == 0 &&
             U.table(D.File).sameConfigurations(D.First, I);
    return false;
  }

  void hookAfterStatement(Pending &P, const SpelledDirective &D,
                          const std::string &Hook, bool Wrap) {
    SpelledEnd E = spelledEnd(U, Directive->getRawStmt());
    if (E.Refused)
      return skip(P, E.Refused);
    if (E.File != D.File && Wrap)
      return skip(P, "split-file");
    TokenTable &T = U.table(E.File);
    if (E.File != D.File)
      P.F.Anchor = T[E.Last].Offset;
    if (isHook(T, E.Last + 1)) {
      P.F.What = Finding::State::Already;
      return;
    }
    if (!U.claimFile(P, E.File))
      return;
    if (!sameConfigurations(D, E.File, E.Last) ||
        (Wrap && !openBraces(P, D, E.Last)))
      return skip(P, "conditional-directive");
    std::string Text = Hook + (Wrap ? " }" : "");
    U.noteEdit(E.File, E.File == D.File ? T[D.First].Offset : T[E.Last].Offset);
    putBehind(P, D, E, Text);
  }

  /// Behind a block on its line. Behind a statement without braces, compilers
  /// would warn of misleading indentation there.
  void putBehind(Pending &P, const SpelledDirective &D, const SpelledEnd &E,
                 const std::string &Text) {
    TokenTable &T = U.table(E.File);
    size_t Next = E.Last + 1;
    if (endsWithOwnBraces(Directive->getRawStmt()) || E.InMacro ||
        Next >= T.size())
      P.F.Edits.push_back(
          {T[E.Last].end(), 0, Behind,
           " " + Text + (E.InMacro ? "" : afterText(E.File, T[E.Last].end()))});
    else if (T[Next].LineStart)
      insertBefore(P, E.File, D, Next, Text);
    else
      insertLine(P, E.File, D, T[E.Last].end(), Text);
  }

  void hookAfterDirective(Pending &P, const SpelledDirective &D,
                          const std::string &Hook, bool Wrap) {
    TokenTable &T = U.table(D.File);
    if (!D.Ends)
      return skip(P, "macro-directive");
    size_t Next = D.isLine() ? T.afterDirective(D.First) : D.Last + 1;
    if (isHook(T, Next)) {
      P.F.What = Finding::State::Already;
      return;
    }
    if (!U.claimFile(P, D.File))
      return;
    if (Wrap && !openBraces(P, D, D.First))
      return skip(P, "conditional-directive");
    U.noteEdit(D.File, T[D.First].Offset);
    std::string Text = Hook + (Wrap ? " }" : "");
    if (!D.isLine())
      P.F.Edits.push_back(
          {T[D.Last].end(), 0, Behind,
           " " + Text +
               (D.InArgument ? "" : afterText(D.File, T[D.Last].end()))});
    else if (Next == TokenTable::None)
      insertAtEnd(P, T, Text);
    else
      insertBefore(P, D.File, D, Next, Text);
  }

  /// Whether \p S is a block or one loop around a block: braces behind which
  /// nobody expects the line to be part of a statement above.
  static bool endsWithOwnBraces(const Stmt *S) {
    for (bool InLoop = false;;)
      if (const auto *C = dyn_cast<CapturedStmt>(S))
        S = C->getCapturedStmt();
      else if (const auto *L = dyn_cast<OMPCanonicalLoop>(S))
        S = L->getLoopStmt();
      else if (const auto *D = dyn_cast<OMPExecutableDirective>(S);
               D && !InLoop && D->hasAssociatedStmt())
        S = D->getRawStmt();
      else if (const auto *F = dyn_cast<ForStmt>(S); F && !InLoop)
        InLoop = true, S = F->getBody();
      else if (const auto *F = dyn_cast<CXXForRangeStmt>(S); F && !InLoop)
        InLoop = true, S = F->getBody();
      else
        return isa<CompoundStmt>(S);
  }

  /// Puts \p Text before token \p Next, which starts a line.
  void insertBefore(Pending &P, FileID File, const SpelledDirective &D,
                    size_t Next, const std::string &Text) {
    TokenTable &T = U.table(File);
    if (!T[Next].InDirective) {
      std::string After = afterText(File, T[Next].Offset);
      P.F.Edits.push_back(
          {T[Next].Offset, 0, Behind, Text + (After.empty() ? " " : After)});
      return;
    }
    // Another directive follows; behind it the hook would be too late, or in
    // another configuration. A line of its own, and the numbers go on as
    // before.
    unsigned At = T.lineStart(T[Next].Offset);
    P.F.Edits.push_back({At, 0, Behind,
                         indentation(File, D) + Text + T.newline().str() +
                             U.lineMarker(File, At) + T.newline().str()});
  }

  /// Puts \p Text on a line of its own in the middle of one.
  void insertLine(Pending &P, FileID File, const SpelledDirective &D,
                  unsigned At, const std::string &Text) {
    TokenTable &T = U.table(File);
    P.F.Edits.push_back({At, 0, Behind,
                         T.newline().str() + indentation(File, D) + Text +
                             resumeLine(File, At)});
  }

  std::string indentation(FileID File, const SpelledDirective &D) {
    TokenTable &T = U.table(File);
    return File == D.File ? T.indentation(T[D.First].Offset).str() : "";
  }

  /// Behind the last line of a file that others include.
  void insertAtEnd(Pending &P, TokenTable &T, const std::string &Text) {
    bool Ended = T.buffer().ends_with("\n");
    P.F.Edits.push_back(
        {static_cast<unsigned>(T.buffer().size()), 0, Behind,
         (Ended ? "" : T.newline().str()) + Text + T.newline().str()});
  }
};

} // namespace

std::function<void(Pending &)> regionEdits(Unit &U,
                                           const OMPExecutableDirective *D) {
  return [Edits = HookEdits(U, D)](Pending &P) mutable { Edits.makeRegion(P); };
}

void Hooks::noteInline(const OMPExecutableDirective *D) {
  auto At = U.SM.getDecomposedExpansionLoc(D->getBeginLoc());
  TokenTable &T = U.table(At.first);
  size_t I = T.at(At.second);
  if (I == TokenTable::None || T[I].Kind != tok::hash)
    U.InlineDirectives.insert(At);
}

void Hooks::directive(const OMPExecutableDirective *D) {
  noteInline(D);
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
  if (isForDevice(U, D))
    skip(P, "device-directive");
  U.add(std::move(P));
}

} // namespace evenkeel
