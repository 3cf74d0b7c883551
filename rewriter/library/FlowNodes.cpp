//===- FlowNodes.cpp - the nodes of one unit's block flow -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FlowNodes.h.
//===----------------------------------------------------------------------===//
#include "FlowNodes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Index/USRGeneration.h"

namespace evenkeel {
using namespace clang;

FlowNodes::FlowNodes(Unit &U, BlockFlow &Out)
    : U(U), Out(Out), Own("=" + U.absolutePath(U.SM.getMainFileID()) + "=" +
                          std::to_string(U.Result.Flows.size()) + "=") {}

int FlowNodes::node(const std::string &Name) {
  auto [It, New] = Known.try_emplace(Name, Out.Names.size());
  if (New)
    Out.Names.push_back(Name);
  return It->second;
}

FlowNodes::Node FlowNodes::temporary() {
  return node(Own + std::to_string(Temporaries++));
}

const std::string &FlowNodes::name(const Decl *D) {
  D = D->getCanonicalDecl();
  auto [It, New] = DeclNames.try_emplace(D);
  if (New) {
    llvm::SmallString<128> Text;
    if (index::generateUSRForDecl(D, Text) || Text.empty())
      It->second = Own + "@" + std::to_string(DeclNames.size());
    else
      It->second = Text.str().str();
  }
  return It->second;
}

FlowNodes::Node FlowNodes::of(const VarDecl *VD) {
  if (const auto *P = dyn_cast<ParmVarDecl>(VD))
    if (const auto *FD = dyn_cast<FunctionDecl>(P->getDeclContext()))
      return parameter(FD, P->getFunctionScopeIndex());
  return node(name(VD));
}

FlowNodes::Node FlowNodes::of(const FieldDecl *F) {
  const RecordDecl *RD = F->getParent();
  return node(RD->isUnion() ? name(RD) : name(F));
}

FlowNodes::Node FlowNodes::parameter(const FunctionDecl *FD, unsigned I) {
  return node(parameterNode(name(FD), I));
}

FlowNodes::Node FlowNodes::result(const FunctionDecl *FD) {
  return node(resultNode(name(FD)));
}

FlowNodes::Node FlowNodes::ofType(QualType T) {
  const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
  return RD ? node(name(RD) + "#this") : None;
}

void FlowNodes::flow(Node From, Node To) {
  if (From != None && To != None && From != To)
    Out.Edges.push_back({static_cast<unsigned>(From), //
                         static_cast<unsigned>(To)});
}

bool FlowNodes::holdsPointers(QualType T) const {
  T = T.getNonReferenceType().getCanonicalType();
  if (const auto *P = T->getAs<PointerType>())
    T = P->getPointeeType();
  else if (const ArrayType *A = U.Context.getAsArrayType(T))
    T = A->getElementType();
  else if (!T->isRecordType() && !T->isDependentType())
    return false;
  while (const ArrayType *A = U.Context.getAsArrayType(T))
    T = A->getElementType();
  if (const auto *RT = T->getAs<RecordType>()) // a standard container, ...
    return !RT->getDecl()->getDefinition() || isLibrarys(RT->getDecl());
  return !T->isArithmeticType() && !T->isEnumeralType();
}

bool FlowNodes::isLibrarys(const FunctionDecl *FD) {
  if (FD->hasBody() && !U.isInSystemHeader(FD->getLocation()))
    return false;
  if (FD->getBuiltinID() || U.isInSystemHeader(FD->getLocation()))
    return true;
  const FileID FID = U.SM.getFileID(U.SM.getExpansionLoc(FD->getLocation()));
  return U.Options.nameOf(U.absolutePath(FID)).empty();
}

} // namespace evenkeel
