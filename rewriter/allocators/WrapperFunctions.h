//===- WrapperFunctions.h - allocation wrappers -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions of the program are allocation wrappers: by their
// bodies (WrapperBodies), by their declarations, by the user's --wrapper, or
// by the unit that defines them (rules/wrapper.md).
// Not here: calls of wrappers (WrapperCalls, MakerCalls); the order in which
// units are read.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WRAPPERFUNCTIONS_H
#define EVENKEEL_REWRITER_WRAPPERFUNCTIONS_H

#include "WrapperBodies.h"
#include "llvm/ADT/DenseMap.h"

namespace evenkeel {

class WrapperFunctions {
  Unit &U;
  /// The same functions judged by this unit alone: used for calls of functions
  /// without a link name. Null: this object is that view.
  std::unique_ptr<WrapperFunctions> Alone;
  mutable PointerTargets Targets;
  llvm::DenseMap<const clang::FunctionDecl *, Wrapper> Known; // final

  bool mayBe(const clang::FunctionDecl *FD) const;
  const clang::FunctionDecl *subject(const clang::FunctionDecl *FD) const;
  Wrapper look(const clang::FunctionDecl *FD) const;
  bool isStatedWrapper(const clang::FunctionDecl *FD) const;
  void settle(const clang::FunctionDecl *FD);
  const Wrapper &known(const clang::FunctionDecl *FD);
  std::string nameOf(const clang::FunctionDecl *FD) const;
  std::set<const clang::FunctionDecl *> Reported;

public:
  explicit WrapperFunctions(Unit &U, bool OfUnit = false);
  /// Whether \p FD is a wrapper. Requires that the whole unit is parsed.
  bool contains(const clang::FunctionDecl *FD);
  /// Whether the indirect or virtual call \p CE may reach a wrapper.
  bool mayReach(const clang::CallExpr *CE);
  /// Records for other units that \p FD, a definition, is a wrapper if it is
  /// one.
  void note(const clang::FunctionDecl *FD);
  /// The same for the explicit instantiations of \p T in this unit.
  void noteInstances(const clang::TemplateDecl *T);
  /// Records that \p FD, defined in another unit, matters for this one.
  void noteElsewhere(const clang::FunctionDecl *FD);
  /// Whether \p FD is not a wrapper by itself, but becomes one if functions of
  /// other units are wrappers.
  bool mayBecome(const clang::FunctionDecl *FD);
  /// The mark of \p FD as a wrapper (LinkedWrappers.h).
  std::string markOf(const clang::FunctionDecl *FD) const;
  /// The link names of \p FD.
  std::vector<std::string> namesOf(const clang::FunctionDecl *FD) const;
  /// Adds \p FD, and the functions that it depends on, to the unit's notes for
  /// the linker.
  void noteForLinker(const clang::FunctionDecl *FD);
  /// Whether \p FD may be a wrapper defined in another unit.
  static bool mayBeElsewhere(const clang::FunctionDecl *FD);
  /// Whether \p FD is a wrapper according to another unit that was read.
  static bool isElsewhere(const Unit &U, const clang::FunctionDecl *FD);
};

} // namespace evenkeel

#endif
