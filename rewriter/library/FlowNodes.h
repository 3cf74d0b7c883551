//===- FlowNodes.h - the nodes of one unit's block flow ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the names under which declarations are nodes in all units, and which
// types may hold pointers.
// Not here: which expressions are edges (FlowWalk.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_FLOWNODES_H
#define EVENKEEL_REWRITER_LIBRARY_FLOWNODES_H

#include "edits/BlockFlow.h"
#include "unit/Unit.h"

namespace evenkeel {

class FlowNodes {
  Unit &U;
  BlockFlow &Out;
  std::map<std::string, int> Known;
  std::map<const clang::Decl *, std::string> DeclNames;
  std::string Own; // begins the names that no other unit has
  unsigned Temporaries = 0;

  int node(const std::string &Name);

public:
  using Node = int;
  static constexpr Node None = -1;

  FlowNodes(Unit &U, BlockFlow &Out);

  /// A name of \p D that is the same in all units.
  const std::string &name(const clang::Decl *D);
  Node of(const clang::VarDecl *VD);
  Node of(const clang::FieldDecl *F); // members of a union share a node
  Node parameter(const clang::FunctionDecl *FD, unsigned I);
  Node result(const clang::FunctionDecl *FD);
  /// Objects of a class, where they are `this`.
  Node ofType(clang::QualType T);
  /// What is passed to and from functions that are called through pointers.
  Node indirect() { return node("*"); }
  /// Pointers of which nothing is known.
  Node unknown() { return node("?"); }
  /// Integers that hold addresses.
  Node integers() { return node("+"); }
  Node temporary();

  void flow(Node From, Node To);
  void join(Node A, Node B) {
    flow(A, B);
    flow(B, A);
  }

  /// Whether what a value of type \p T points to may hold pointers, other than
  /// as members of the project's structures.
  bool holdsPointers(clang::QualType T) const;
  /// Whether \p RD is a structure of a library. Its members share the node of
  /// the object.
  bool isLibrarys(const clang::RecordDecl *RD) const {
    return U.isInSystemHeader(RD->getLocation());
  }
  /// Whether \p FD belongs to a library whose sources are not the project's.
  bool isLibrarys(const clang::FunctionDecl *FD);
};

} // namespace evenkeel

#endif
