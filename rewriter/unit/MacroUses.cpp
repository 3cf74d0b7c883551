//===- MacroUses.cpp - expanding macro uses that need edits ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MacroUses.h. Uses in arguments of other uses come first; a use is not
// expanded if an edit lies in its arguments.
//===----------------------------------------------------------------------===//
#include "MacroUses.h"
#include "MacroText.h"

namespace evenkeel {
using namespace clang;

namespace {
/// The edits of one finding in a macro use.
struct Part {
  Pending *P;
  std::vector<MacroPath> Paths; // of its tokens
  std::vector<size_t> At = {};
  bool IsRepeated = false; // another finding has the same tokens

  bool isActive() const { return P->F.What == Finding::State::Rewritten; }
};
using Parts = std::vector<Part>;
} // namespace

/// A path out of the macro; null if there is none.
static const MacroPath *suppliedBy(const Part &X) {
  auto It = llvm::find_if(
      X.Paths, [](const MacroPath &Path) { return !Path.Steps.empty(); });
  return It == X.Paths.end() ? nullptr : &*It;
}

static std::optional<Part> partOf(Unit &U, Pending &P) {
  Part Out{&P, {}};
  for (SourceLocation L : P.MacroTokens) {
    std::optional<MacroPath> Path = pathOf(U, L);
    if (!Path)
      return std::nullopt;
    Out.Paths.push_back(std::move(*Path));
  }
  const MacroPath *First = suppliedBy(Out);
  if (!First || llvm::any_of(Out.Paths, [&](const MacroPath &Path) {
        return !Path.Steps.empty() && Path.Use != First->Use;
      }))
    return std::nullopt;
  return Out;
}

static bool isEdited(Unit &U, const std::vector<Pending> &Found,
                     const MacroText &M) {
  const std::string Path = U.absolutePath(M.File);
  for (const Pending &P : Found)
    if (P.F.File == Path)
      for (const TextEdit &E : P.F.Edits)
        if (E.Offset < M.Offset + M.Length && M.Offset < E.Offset + E.Length)
          return true;
  return false;
}

/// Joins findings at the same tokens, such as arguments that a macro repeats.
/// False if they have different ids.
static bool joinEquals(Parts &All) {
  for (size_t I = 0; I < All.size(); ++I)
    for (size_t J = 0; J < I; ++J)
      if (All[I].At == All[J].At) {
        if (All[I].P->F.Id != All[J].P->F.Id)
          return false;
        All[I].IsRepeated = true;
      }
  return true;
}

/// Expands the use. Returns null, or the reason why that is impossible.
static const char *writeOut(Unit &U, const std::vector<Pending> &Found,
                            Parts &All,
                            bool (*NamesAllocation)(llvm::StringRef)) {
  MacroText M(U);
  if (!M.start(*suppliedBy(All[0])) || isEdited(U, Found, M))
    return "macro-body";
  for (const Part &X : All)
    for (const MacroPath &Path : X.Paths)
      if (!Path.Steps.empty() && !M.expand(Path))
        return "macro-body";
  for (Part &X : All)
    for (const MacroPath &Path : X.Paths) {
      std::optional<size_t> At = M.find(Path);
      if (!At)
        return "macro-body";
      X.At.push_back(*At);
    }
  if (!joinEquals(All))
    return "repeated-text";
  // Inner findings come first.
  llvm::sort(All, [](const Part &A, const Part &B) {
    return std::tie(B.P->MacroDepth, A.At) < std::tie(A.P->MacroDepth, B.At);
  });
  std::set<size_t> Edited;
  for (Part &X : All) {
    if (!X.IsRepeated && !X.P->EditMacro(*X.P, M, X.At))
      return "macro-body";
    Edited.insert(X.At[0]);
  }
  for (size_t I = 0; I < M.Tokens.size(); ++I)
    if (!Edited.count(I) &&
        (NamesAllocation(M.Tokens[I].Text) || M.Tokens[I].Text == "new"))
      return "macro-body";
  if (M.namesItself())
    return "macro-body";
  // One edit for all of them, each at its own place in the use.
  llvm::sort(All, [](const Part &A, const Part &B) { return A.At < B.At; });
  unsigned Anchor = M.Offset;
  const std::string Text = M.str();
  for (size_t I = 0; I < All.size(); ++I) {
    Finding &F = All[I].P->F;
    if (!U.claimFile(*All[I].P, M.File))
      return "outside-root";
    unskip(*All[I].P);
    if (F.Class == Finding::Group::Free)
      continue;
    if (I > 0 && All[I].At != All[I - 1].At && Anchor + 1 < M.Offset + M.Length)
      ++Anchor;
    F.Anchor = Anchor;
    F.Edits.push_back({M.Offset, M.Length, 0, Text});
  }
  U.noteEdit(M.File, M.Offset);
  return nullptr;
}

void writeMacrosOut(Unit &U, std::vector<Pending> &Found,
                    bool (*NamesAllocation)(llvm::StringRef)) {
  std::map<FilePlace, Parts> Uses;
  for (Pending &P : Found) {
    const bool Active = P.F.What == Finding::State::Rewritten;
    if (!P.EditMacro || (!Active && !P.IsInMacroBody))
      continue;
    if (std::optional<Part> X = partOf(U, P))
      Uses[suppliedBy(*X)->Use].push_back(std::move(*X));
    else if (Active)
      skipInMacroBody(P);
  }
  for (auto It = Uses.rbegin(); It != Uses.rend(); ++It) {
    Parts &All = It->second;
    if (llvm::none_of(All, [](const Part &X) { return X.isActive(); }))
      continue;
    Parts Tried = All;
    const char *Why = writeOut(U, Found, Tried, NamesAllocation);
    for (Part &X : All)
      if (Why) {
        if (X.isActive())
          skip(*X.P, Why);
        X.P->F.Edits.clear();
      }
  }
}

void editInMacro(Pending &P, SourceLocation Name,
                 std::vector<MacroRange> Ranges, size_t Depth) {
  unskip(P);
  P.MacroDepth = Depth;
  P.MacroTokens = {Name};
  for (const MacroRange &R : Ranges)
    P.MacroTokens.insert(P.MacroTokens.end(), {R.Begin, R.End});
  P.EditMacro = [Ranges](Pending &, MacroText &M, llvm::ArrayRef<size_t> At) {
    for (size_t I = Ranges.size(); I-- > 0;) {
      const size_t Begin = At[1 + 2 * I], End = At[2 + 2 * I];
      if (End < Begin)
        return false;
      MacroToken &First = M.Tokens[Begin], &Last = M.Tokens[End];
      First.Before = Ranges[I].Before + First.Before;
      Last.After += Ranges[I].After;
    }
    return true;
  };
}

} // namespace evenkeel
