//===- Source.h - from debug locations to source coordinates ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: project-relative paths, the source function an outlined OpenMP helper
// was written in, and the `ident_t` strings of OpenMP runtime calls.
// Makes: Places, from which entity ids are formed (format/Identity.h).
// Leaves out: what the places mean (Inventory).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_SOURCE_H
#define EVENKEEL_PASSES_UNIT_SOURCE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include <string>

namespace evenkeel {

/// A coordinate with the function it lies in.
struct Place {
  std::string Path;     // relative to the project root; empty: unknown
  std::string Function; // as spelled; "file" outside functions
  unsigned Line = 0, Column = 0;
  int LineOffset = 0; // from the function's name; absolute for "file"
  bool System = false;
  /// In a function's body, from another file: one entity, however often that
  /// text is included.
  bool Included = false;

  bool known() const { return !Path.empty() && Line != 0; }
  /// "path:line:col"
  std::string at() const;
};

/// Id of an entity of kind \p Kind at \p P.
uint64_t idAt(llvm::StringRef Kind, const Place &P, unsigned Ordinal = 0);

/// Names of the helper functions Clang makes for OpenMP bodies, tasks, maps.
bool isOutlinedHelper(const llvm::Function &F);

/// The static `ident_t` that an OpenMP runtime call gets as first argument.
struct Ident {
  std::string File;
  unsigned Line = 0, Column = 0, Flags = 0;
};
std::optional<Ident> identOf(const llvm::CallBase &CB);

/// \p File below \p Directory without links, where it or its folder exists.
std::string realPath(llvm::StringRef Directory, llvm::StringRef File);

class SourceMap {
  llvm::Module &M;
  std::vector<std::string> Roots; // the first is of what has no unit
  bool Named = false; // by EVENKEEL_ROOT: nothing beside it is the project's
  llvm::MapVector<const llvm::DISubprogram *, const llvm::DISubprogram *> Outer;
  llvm::DenseMap<const llvm::DICompileUnit *, unsigned> RootOf; // if several
  llvm::DenseMap<const llvm::DIGlobalVariable *, const llvm::DICompileUnit *>
      UnitOf; // if several
  mutable llvm::DenseMap<std::pair<const llvm::DIFile *, unsigned>,
                         std::pair<std::string, bool>>
      Paths;

  void findRoots();
  std::pair<std::string, bool> relative(llvm::StringRef Directory,
                                        llvm::StringRef File,
                                        unsigned InRoot) const;
  const std::pair<std::string, bool> &
  pathFor(const llvm::DISubprogram *SP) const {
    return path(SP->getFile(), SP->getUnit());
  }

public:
  /// The root is EVENKEEL_ROOT, else that of each unit as setRoot said, else
  /// EVENKEEL_UNIT_ROOT (what a wrapper derives from one command line; a link
  /// of several units knows better), else the deepest directory that holds the
  /// main files of all units.
  explicit SourceMap(llvm::Module &M);
  /// For the SourceMaps of \p M and its clones to come.
  static void setRoot(llvm::Module &M, llvm::DICompileUnit &Unit,
                      llvm::StringRef Root);

  /// Path of \p F relative to the root of \p Unit, which may be null, and
  /// whether it is none of the project's: those beside the root are as
  /// ProjectFiles says.
  const std::pair<std::string, bool> &
  path(const llvm::DIFile *F, const llvm::DICompileUnit *Unit) const;
  /// The function written in the source: not an outlined helper.
  const llvm::DISubprogram *source(const llvm::DISubprogram *SP) const;
  /// What tells functions of one place in the source apart, the same in every
  /// unit: instances of templates, and what each unit has of its own of a
  /// header. Overloads, too. Empty: there is one.
  std::string instance(const llvm::DISubprogram *SP) const;
  /// Is \p SP in a file that other units may hold, too?
  bool isIncluded(const llvm::DISubprogram *SP) const;
  /// Place of \p L's own frame (not of the callers it was inlined into).
  Place locate(const llvm::DILocation *L) const;
  /// Like locate, but of the innermost frame outside system headers.
  Place locateUser(const llvm::DILocation *L) const;
  /// Place of the directive behind an OpenMP runtime call.
  Place locateDirective(const llvm::CallBase &CB) const;
  /// Place of the function's name, column 0.
  Place locateFunction(const llvm::DISubprogram *SP) const;
  Place locateGlobal(const llvm::DIGlobalVariable *G) const;
  Place locateVariable(const llvm::DILocalVariable *V) const;
  /// Writes which helper belongs to which function, so that later passes know
  /// when helpers have been inlined and their users are gone.
  void remember();
};

} // namespace evenkeel

#endif
