//===- Unit.h - the state shared by all rules in one unit -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one unit's AST and files, the position of the walk (functions, OpenMP
// directives and statements around the current node), and the findings so far.
// All rules ask it for the place and identity of a node, and whether its text
// can be edited. The walk only gathers findings; finish() then assigns ids
// (ordinals in source order) and makes the edits, which contain the ids.
// Not here: what the rules look for; each rule is a class of its own.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_UNIT_H
#define EVENKEEL_REWRITER_UNIT_H

#include "CollectOptions.h"
#include "QuotedText.h"
#include "SystemHeaders.h"
#include "edits/Findings.h"
#include "edits/Paths.h"
#include "edits/TokenTable.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include <functional>
#include <memory>
#include <set>

namespace evenkeel {

class MacroText;

/// A finding whose id is not known yet.
struct Pending {
  Finding F;
  clang::SourceLocation Order;
  size_t Visited = 0;         // last criterion of the order
  uint64_t LiteralId = 0;     // id in code that is annotated already
  bool Included = false;      // in a function's body, from an included file
  clang::SourceLocation Text; // the edited place, spelled in a file
  /// Makes the edits of F once its id is known, or skips it. Called at the end
  /// of the walk if F is still Rewritten.
  std::function<void(Pending &)> MakeEdits;
  /// For findings in a macro's body: their tokens, and a function that edits
  /// them once the use is expanded (MacroUses.h) or returns false. Skipped
  /// findings are edited only if another finding expands the use.
  std::vector<clang::SourceLocation> MacroTokens;
  std::function<bool(Pending &, MacroText &, llvm::ArrayRef<size_t>)> EditMacro;
  size_t MacroDepth = 0; // number of enclosing expressions
  /// Skipped because the text is in a macro's body; expanding the use helps.
  bool IsInMacroBody = false;
  /// Equal places share the id, as in the IR: it has no ordinal.
  bool WithoutOrdinal = false;
};

void skip(Pending &P, const char *Reason);
/// Skips an entity whose text is in a macro's body.
void skipInMacroBody(Pending &P);
/// Takes back a skip, because the macro's use is expanded (MacroUses.h).
void unskip(Pending &P);
/// Skips an entity that the IR has no site for, or names differently.
void skipUnlisted(Pending &P, const char *Reason);

class Unit {
public:
  /// A function (null: file scope) and the directives open in it.
  struct Frame {
    const clang::FunctionDecl *Function;
    std::vector<const clang::OMPExecutableDirective *> Directives;
  };

  clang::ASTContext &Context;
  clang::SourceManager &SM;
  const clang::HeaderSearch &Headers;
  const clang::LangOptions &LO;
  const CollectOptions &Options;
  const QuotedText &Quoted;
  UnitResult &Result;

  //===--- Position of the walk -------------------------------------------===//
  std::vector<Frame> Frames;
  std::vector<const clang::Stmt *> Stack;
  unsigned InMemberInit = 0, InDefaultArgument = 0;
  unsigned InConstant = 0; // initialisers of constexpr variables
  /// Clang makes lambdas constexpr whenever possible; they do not count.
  bool inConstexprFunction() const;

  /// Where directives begin that are not # lines. The column is part of their
  /// identity, so edits before them must not change it.
  std::set<std::pair<clang::FileID, unsigned>> InlineDirectives;

  Unit(clang::ASTContext &Context, const clang::HeaderSearch &Headers,
       const CollectOptions &Options, const QuotedText &Quoted,
       UnitResult &Result);

  //===--- Findings -------------------------------------------------------===//

  void add(Pending P) { Found.push_back(std::move(P)); }
  const std::vector<Pending> &pending() const { return Found; }
  /// Adds ids, edits and includes of all findings to the result.
  /// \p WriteMacros adds the edits in the bodies of macros (MacroUses.h), when
  /// all others are made.
  void finish(llvm::function_ref<void(std::vector<Pending> &)> WriteMacros);

  //===--- Identity -------------------------------------------------------===//

  /// Sets place and key of an entity at \p Loc. False: it is in a system header
  /// or outside the root, so it has no identity; with \p Counts, it is counted.
  bool locate(Pending &P, clang::SourceLocation Loc, bool Counts = true);
  /// Whether the annotated form contains a share, from the plan or a pin.
  bool saysShare(const Pending &P) const {
    return Options.Percent || P.F.Pin >= 0;
  }
  /// The id as the source has it: a number, or a name (EK_SITE(...)).
  std::string idText(const Pending &P) const;
  /// The id and, if saysShare(), the share, as arguments of a call.
  std::string idArguments(const Pending &P) const;
  bool isInSystemHeader(clang::SourceLocation Loc) const {
    return evenkeel::isInSystemHeader(SM, Headers, SM.getExpansionLoc(Loc));
  }

  //===--- Text -----------------------------------------------------------===//

  /// Where the token at \p Loc is written in a file: its own place, or a
  /// macro's argument. Invalid if it comes from a macro's body.
  clang::SourceLocation spelledInFile(clang::SourceLocation Loc) const;
  /// Sets P.Text to the place for an edit of the expression that begins at \p
  /// Begin; skips \p P if there is none.
  void checkPlace(Pending &P, clang::SourceLocation Begin) const;
  /// Inserts \p Before and \p After around \p E. Skips \p P and returns false
  /// if the text of \p E is not complete. Edits at one place are ordered by \p
  /// Rank (>= 0), outermost first.
  bool putAround(Pending &P, const clang::Expr *E, const std::string &Before,
                 const std::string &After, int Rank);
  TokenTable &table(clang::FileID FID);
  /// Records that \p P edits the file; skips \p P outside the root.
  bool claimFile(Pending &P, clang::FileID FID);
  /// Records an edit of the file at \p Offset: the header has to be included
  /// before it.
  void noteEdit(clang::FileID FID, unsigned Offset);
  std::string absolutePath(clang::FileID FID);
  /// The name under which the compiler opened the file, regardless of #line.
  std::string ownName(clang::FileID FID) const;
  /// The directive that preserves the place of the text at \p Offset.
  std::string lineMarker(clang::FileID FID, unsigned Offset) const;

private:
  const std::string &relativePath(llvm::StringRef Presumed);
  void assignIds();
  void applyAnnotations();
  void refuseSharedText();
  void placeIncludes();
  void placeInclude(clang::FileID FID, unsigned Before);
  bool isEnclosed(clang::SourceLocation Include);
  void noteFiles();

  void useNames();
  void keepLibraryCalls();
  std::string variableAround() const;

  std::string Directory;
  std::vector<Pending> Found;
  std::map<std::string, std::string> PathCache;
  std::map<clang::FileID, std::unique_ptr<TokenTable>> Tables;
  std::map<clang::FileID, unsigned> FirstEdit;
  /// Begin and end of the program's own declarations at file scope.
  std::vector<std::pair<clang::SourceLocation, clang::SourceLocation>> Extents;
};

/// Whether \p FD is declared at file scope (or in namespace std) with a C name,
/// or has C linkage in any namespace.
bool isLibraryLevel(const clang::FunctionDecl *FD);
/// The function that \p Callee names; null if unknown. In templates, a call
/// with type-dependent arguments is unresolved; it counts as the library's
/// function if lookup found only library functions.
const clang::FunctionDecl *namedFunction(const clang::Expr *Callee);
/// Whether the program defines a function of that name itself.
bool isUserDefined(const Unit &U, const clang::FunctionDecl *FD);
/// The value of an integer literal or a named constant, else 0.
uint64_t literal(const clang::Expr *E);
/// \p Id as a literal in the source.
std::string idLiteral(uint64_t Id);

} // namespace evenkeel

#endif
