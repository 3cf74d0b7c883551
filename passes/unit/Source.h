//===- Source.h - from debug locations to source coordinates ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: project-relative paths, the source function in which an outlined
// OpenMP helper was written, and the `ident_t` strings of OpenMP runtime calls.
// Makes: Places, from which entity ids are formed (format/Identity.h).
// Not here: the meaning of places (Inventory).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_SOURCE_H
#define EVENKEEL_PASSES_UNIT_SOURCE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include <string>

namespace evenkeel {

/// A coordinate and the function that contains it.
struct Place {
  std::string Path;     // relative to the project root; empty: unknown
  std::string Function; // as spelled; "file" outside functions
  unsigned Line = 0, Column = 0;
  int LineOffset = 0; // from the function's name; absolute for "file"
  bool System = false;
  /// In a function's body, but from another file: one entity, however often
  /// that text is included.
  bool Included = false;

  bool known() const { return !Path.empty() && Line != 0; }
  /// "path:line:col"
  std::string at() const;
};

/// The id of an entity of kind \p Kind at \p P.
uint64_t idAt(llvm::StringRef Kind, const Place &P, unsigned Ordinal = 0);

/// Whether \p F is a helper that Clang made for an OpenMP body, task or map.
bool isOutlinedHelper(const llvm::Function &F);

/// The static `ident_t` that is the first argument of OpenMP runtime calls.
struct Ident {
  std::string File;
  unsigned Line = 0, Column = 0, Flags = 0;
};
std::optional<Ident> identOf(const llvm::CallBase &CB);

/// The path of \p File below \p Directory, with links resolved if the file or
/// its folder exists.
std::string realPath(llvm::StringRef Directory, llvm::StringRef File);

class SourceMap {
  llvm::Module &M;
  std::vector<std::string> Roots; // the first is for code without a unit
  bool Named = false; // by EVENKEEL_ROOT: nothing outside belongs to the
                      // project
  llvm::MapVector<const llvm::DISubprogram *, const llvm::DISubprogram *> Outer;
  llvm::DenseMap<const llvm::DICompileUnit *, unsigned>
      RootOf; // if there are several
  llvm::DenseMap<const llvm::DIGlobalVariable *, const llvm::DICompileUnit *>
      UnitOf; // if there are several
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
  /// The root is EVENKEEL_ROOT, else each unit's root as set by setRoot, else
  /// EVENKEEL_UNIT_ROOT (which a wrapper derives from one command line; a link
  /// of several units knows better), else the deepest directory that contains
  /// the main files of all units.
  explicit SourceMap(llvm::Module &M);
  /// Sets the root for SourceMaps of \p M and of later clones.
  static void setRoot(llvm::Module &M, llvm::DICompileUnit &Unit,
                      llvm::StringRef Root);

  /// The path of \p F relative to the root of \p Unit, which may be null, and
  /// whether \p F is outside the project; ProjectFiles decides for files
  /// outside the root.
  const std::pair<std::string, bool> &
  path(const llvm::DIFile *F, const llvm::DICompileUnit *Unit) const;
  /// The function as written in the source, never an outlined helper.
  const llvm::DISubprogram *source(const llvm::DISubprogram *SP) const;
  /// Distinguishes functions at one place in the source, identically in every
  /// unit: template instances, overloads, and each unit's own versions of a
  /// header's functions. Empty: there is only one.
  std::string instance(const llvm::DISubprogram *SP) const;
  /// Whether other units may include the file of \p SP.
  bool isIncluded(const llvm::DISubprogram *SP) const;
  /// The place of \p L in its own frame (not in the callers it was inlined
  /// into).
  Place locate(const llvm::DILocation *L) const;
  /// Like locate, but in the innermost frame outside system headers.
  Place locateUser(const llvm::DILocation *L) const;
  /// The place of the directive that an OpenMP runtime call stands for.
  Place locateDirective(const llvm::CallBase &CB) const;
  /// The place of the function's name, column 0.
  Place locateFunction(const llvm::DISubprogram *SP) const;
  Place locateGlobal(const llvm::DIGlobalVariable *G) const;
  Place locateVariable(const llvm::DILocalVariable *V) const;
  /// Stores which helper belongs to which function, so that later passes know
  /// it after helpers have been inlined and their users removed.
  void remember();
};

} // namespace evenkeel

#endif
