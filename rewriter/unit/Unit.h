//===- Unit.h - what all rules share while one unit is walked ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one unit's AST and files, where the walk stands (functions, OpenMP
// directives and statements around the current node), and what was found so
// far. Gives every rule the same answers to: where is this, which identity has
// it, and can this piece of text be edited or which named reason says no.
// Findings are only gathered during the walk; finish() then gives ids
// (ordinals among equals in source order) and makes the edits, which contain
// them.
// Not here: what is looked for; that is one class per concept, beside this.
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
  size_t Visited = 0;         // last resort of the order
  uint64_t LiteralId = 0;     // of code that is annotated already
  bool Included = false;      // in a function's body, from another file
  clang::SourceLocation Text; // spelled in a file: what gets edited
  /// Makes F's edits, once its id is known, or skips it. Called at the end of
  /// the walk for findings that are still Rewritten.
  std::function<void(Pending &)> MakeEdits;
  /// Of what the body of a macro supplies: tokens of it, and the edits there
  /// once the macro's use is written out (MacroUses.h), or false. What is
  /// skipped by then is edited only where others write that use out.
  std::vector<clang::SourceLocation> MacroTokens;
  std::function<bool(Pending &, MacroText &, llvm::ArrayRef<size_t>)> EditMacro;
  size_t MacroDepth = 0; // of expressions around
};

void skip(Pending &P, const char *Reason);
/// For what the IR names otherwise or has no site for.
void skipUnlisted(Pending &P, const char *Reason);

class Unit {
public:
  /// A function (or null: file scope) and the directives open in it.
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

  //===--- Where the walk stands ------------------------------------------===//
  std::vector<Frame> Frames;
  std::vector<const clang::Stmt *> Stack;
  unsigned InMemberInit = 0, InDefaultArgument = 0;
  unsigned InConstant = 0; // initialisers of constexpr variables
  /// Lambdas are constexpr whenever they can be, which says nothing.
  bool inConstexprFunction() const;

  /// Files and offsets where directives that are no # lines begin. Their
  /// identity has the column, which edits before them must not change.
  std::set<std::pair<clang::FileID, unsigned>> InlineDirectives;

  Unit(clang::ASTContext &Context, const clang::HeaderSearch &Headers,
       const CollectOptions &Options, const QuotedText &Quoted,
       UnitResult &Result);

  //===--- Findings -------------------------------------------------------===//

  void add(Pending P) { Found.push_back(std::move(P)); }
  const std::vector<Pending> &pending() const { return Found; }
  /// Ids, edits and includes of everything that was added, into the result.
  /// \p WriteMacros adds the edits in the bodies of macros (MacroUses.h), when
  /// all others are made.
  void finish(llvm::function_ref<void(std::vector<Pending> &)> WriteMacros);

  //===--- Identity -------------------------------------------------------===//

  /// Fills in coordinate and key of an entity at \p Loc; false when it lies in
  /// a system header or outside the root and therefore has no identity.
  /// With \p Counts, such an entity is counted.
  bool locate(Pending &P, clang::SourceLocation Loc, bool Counts = true);
  /// Whether the annotated form says a share: the plan's, or a pin's.
  bool saysShare(const Pending &P) const {
    return Options.Percent || P.F.Pin >= 0;
  }
  /// The id, and where saysShare() the share, as arguments of a call.
  std::string idArguments(const Pending &P) const;
  bool isInSystemHeader(clang::SourceLocation Loc) const {
    return evenkeel::isInSystemHeader(SM, Headers, SM.getExpansionLoc(Loc));
  }

  //===--- Text -----------------------------------------------------------===//

  /// Where the token at \p Loc is written in a file: itself, or the argument of
  /// a macro; invalid when a macro's body supplies it.
  clang::SourceLocation spelledInFile(clang::SourceLocation Loc) const;
  /// Sets P.Text for an edit of the expression that begins at \p Begin, or
  /// skips \p P where none is possible.
  void checkPlace(Pending &P, clang::SourceLocation Begin) const;
  /// Puts \p Before and \p After around \p E; skips \p P and returns false
  /// where its text is not whole. Of edits at one place, \p Rank (>= 0) rises
  /// from the outside to the inside.
  bool putAround(Pending &P, const clang::Expr *E, const std::string &Before,
                 const std::string &After, int Rank);
  TokenTable &table(clang::FileID FID);
  /// Records the file that \p P edits; refuses files outside the root.
  bool claimFile(Pending &P, clang::FileID FID);
  /// Notes that the file gets an edit at \p Offset, before which the header
  /// has to be included.
  void noteEdit(clang::FileID FID, unsigned Offset);
  std::string absolutePath(clang::FileID FID);
  /// What the compiler calls the file, whatever line directives in it say.
  std::string ownName(clang::FileID FID) const;
  /// The directive with which the text at \p Offset keeps its coordinate.
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

  std::string Directory;
  std::vector<Pending> Found;
  std::map<std::string, std::string> PathCache;
  std::map<clang::FileID, std::unique_ptr<TokenTable>> Tables;
  std::map<clang::FileID, unsigned> FirstEdit;
  /// Beginnings and ends of the program's own declarations at file scope.
  std::vector<std::pair<clang::SourceLocation, clang::SourceLocation>> Extents;
};

/// A function declared at file scope (or in namespace std) under a C name, or
/// with C linkage in any namespace.
bool isLibraryLevel(const clang::FunctionDecl *FD);
/// The function that \p Callee names. In templates, arguments of dependent
/// types leave a call open: it is taken for the library's function when lookup
/// found functions of that kind alone. Null: none, or not known.
const clang::FunctionDecl *namedFunction(const clang::Expr *Callee);
/// The program brings its own function under that name.
bool isUserDefined(const Unit &U, const clang::FunctionDecl *FD);
/// The value of an integer literal or a named constant, else 0.
uint64_t literal(const clang::Expr *E);
/// \p Id as the source says it.
std::string idLiteral(uint64_t Id);

} // namespace evenkeel

#endif
