//===- WrapperFunctions.h - functions that allocate for others --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions of the program are allocation wrappers: their bodies
// give their callers blocks (WrapperBodies), or they are said to: by their
// declaration, by people, by the unit that defines them (rules/wrapper.md).
// Not here: their calls (WrapperCalls, MakerCalls); when which unit is looked
// at.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WRAPPERFUNCTIONS_H
#define EVENKEEL_REWRITER_WRAPPERFUNCTIONS_H

#include "WrapperBodies.h"
#include "llvm/ADT/DenseMap.h"

namespace evenkeel {

class WrapperFunctions {
  Unit &U;
  /// The same by what the unit alone shows, which counts for functions whose
  /// calls have no name for linkers. Null: this is it.
  std::unique_ptr<WrapperFunctions> Alone;
  mutable PointerTargets Targets;
  llvm::DenseMap<const clang::FunctionDecl *, Wrapper> Known; // final

  bool mayBe(const clang::FunctionDecl *FD) const;
  const clang::FunctionDecl *subject(const clang::FunctionDecl *FD) const;
  Wrapper look(const clang::FunctionDecl *FD) const;
  bool isSaid(const clang::FunctionDecl *FD) const;
  void settle(const clang::FunctionDecl *FD);
  const Wrapper &known(const clang::FunctionDecl *FD);
  std::string nameOf(const clang::FunctionDecl *FD) const;
  std::set<const clang::FunctionDecl *> Told;

public:
  explicit WrapperFunctions(Unit &U, bool OfUnit = false);
  /// Whether \p FD is one. The whole unit has to be parsed.
  bool contains(const clang::FunctionDecl *FD);
  /// Whether \p CE, through a pointer or of a virtual function, may run one.
  bool mayReach(const clang::CallExpr *CE);
  /// Notes \p FD, a definition that may be one, for other units.
  void note(const clang::FunctionDecl *FD);
  /// The same for instances that a unit makes of \p T because people say so.
  void noteInstances(const clang::TemplateDecl *T);
  /// Notes that whether \p FD, which this unit does not define, is one decides.
  void noteElsewhere(const clang::FunctionDecl *FD);
  /// Whether \p FD is none by what this unit shows, but one if functions of
  /// other units are.
  bool mayBecome(const clang::FunctionDecl *FD);
  /// That of \p FD as a wrapper (LinkedWrappers.h).
  std::string markOf(const clang::FunctionDecl *FD) const;
  /// What linkers call \p FD.
  std::vector<std::string> namesOf(const clang::FunctionDecl *FD) const;
  /// Lists what this unit shows of \p FD and of what decides for it.
  void tell(const clang::FunctionDecl *FD);
  /// Whether another unit may define \p FD as one.
  static bool mayBeElsewhere(const clang::FunctionDecl *FD);
  /// Whether another unit that was read does.
  static bool isElsewhere(const Unit &U, const clang::FunctionDecl *FD);
};

} // namespace evenkeel

#endif
