//===- Metadirectives.cpp - directives chosen at run time -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Metadirectives.h. Rule: rules/sync-hook.md.
//===----------------------------------------------------------------------===//
#include "Metadirectives.h"
#include "constructs/HookEdits.h"
#include "unit/OpenMPKinds.h"
#include <set>

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

/// The wait at the end of the variant with the words \p Words, if any.
static std::optional<SyncKind> waitOf(const std::set<StringRef> &Words) {
  if (Words.count("target") || Words.count("teams"))
    return std::nullopt; // not on the host
  if (Words.count("parallel"))
    return SyncKind::Parallel;
  if (Words.count("taskloop"))
    return Words.count("nogroup") ? std::nullopt
                                  : std::optional(SyncKind::Taskloop);
  if (Words.count("nowait"))
    return std::nullopt;
  if (Words.count("for") || Words.count("loop"))
    return SyncKind::For;
  for (SyncKind Kind : {SyncKind::Sections, SyncKind::Single, SyncKind::Scope,
                        SyncKind::Taskgroup})
    if (Words.count(syncKindName(Kind)))
      return Kind;
  return std::nullopt;
}

/// The wait of the metadirective at the tokens [\p I, \p End), if any.
static std::optional<SyncKind> waitOfLine(const TokenTable &T, size_t I,
                                          size_t End) {
  std::optional<SyncKind> Wait;
  std::set<StringRef> Words;
  unsigned Depth = 0;
  bool Selector = false;
  for (; I < End; ++I) {
    StringRef Text = T.text(I);
    if (Text == "(" && Depth++ == 0) {
      Selector = T.text(I - 1) == "when";
      Words.clear();
    } else if (Text == ")" && --Depth == 0) {
      std::optional<SyncKind> This = waitOf(Words);
      if (!Wait || Wait == SyncKind::For)
        Wait = This ? This : Wait;
    } else if (Text == ":" && Depth == 1 && Selector) {
      Selector = false;
    } else if (Depth == 1 && !Selector && T[I].Kind == tok::raw_identifier) {
      Words.insert(Text);
    }
  }
  return Wait;
}

std::map<unsigned, Metadirectives::Line> &Metadirectives::linesOf(FileID File) {
  auto [It, New] = Lines.try_emplace(File);
  if (!New || !U.SM.getBufferData(File).contains("metadirective"))
    return It->second;
  TokenTable &T = U.table(File);
  for (size_t I = 0; I + 3 < T.size(); ++I) {
    if (!T[I].LineStart || T[I].Kind != tok::hash ||
        T.text(I + 1) != "pragma" || T.text(I + 2) != "omp" ||
        T.text(I + 3) != "metadirective")
      continue;
    size_t End = T.afterDirective(I), Next = End;
    while (Next < T.size() && T[Next].InDirective)
      ++Next;
    if (Next < T.size())
      It->second[T[Next].Offset] = {I, waitOfLine(T, I + 4, End)};
  }
  return It->second;
}

void Metadirectives::noteDirective(const OMPExecutableDirective *D) {
  auto [File, Offset] = U.SM.getDecomposedExpansionLoc(D->getBeginLoc());
  std::map<unsigned, Line> &Of = linesOf(File);
  if (Of.empty())
    return;
  TokenTable &T = U.table(File);
  size_t I = T.at(Offset);
  for (auto It = Of.begin(); I != TokenTable::None && It != Of.end(); ++It)
    if (I > It->second.Hash && I < T.afterDirective(It->second.Hash)) {
      Of.erase(It);
      return;
    }
}

void Metadirectives::statement(const Stmt *S) {
  if (auto *D = dyn_cast<OMPExecutableDirective>(S))
    return noteDirective(D);
  if (!U.LO.OpenMP || !S->getBeginLoc().isFileID())
    return;
  auto [File, Offset] = U.SM.getDecomposedLoc(S->getBeginLoc());
  std::map<unsigned, Line> &Of = linesOf(File);
  auto It = Of.find(Offset);
  if (It == Of.end())
    return;
  Line Found = It->second;
  Of.erase(It); // other directives that begin there are parts of it
  if (!Found.Wait)
    return;
  const Unit::Frame &F = U.Frames.back();
  Reach Inside = reachInside(F.Directives);
  if (Inside == Reach::Unknown)
    Inside =
        Found.Wait == SyncKind::Parallel || (F.Function && F.Function->isMain())
            ? Reach::Serial
            : Reach::Team;
  SourceLocation Begin = U.SM.getLocForStartOfFile(File).getLocWithOffset(
      U.table(File)[Found.Hash].Offset);
  Pending P;
  P.F.Class = Finding::Group::Sync;
  P.F.Key.Kind = syncKey(*Found.Wait);
  P.F.Form = "metadirective";
  P.F.Context = Inside;
  P.MakeEdits = hookEdits(U, Begin, S);
  if (U.locate(P, Begin))
    U.add(std::move(P));
}

} // namespace evenkeel

EK_REWRITE_RULE(Metadirectives, 130)
