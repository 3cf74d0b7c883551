//===- LibraryCalls.cpp - library calls that allocate ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LibraryCalls.h. Node-based containers do not count: each of their blocks
// holds one element. Copies of strings and strings from literals do not count
// either: there are many of them, and hardly any is large.
//===----------------------------------------------------------------------===//
#include "LibraryCalls.h"
#include "format/FilledContainers.h"
#include "format/ek_sizes.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

namespace {

struct Container {
  unsigned AllocatorIndex; ///< index of the template argument; ~0u: none
  bool Copies;             ///< whether a copy is worth an annotation
  llvm::StringSet<> Members;
};

const Container *containerByName(StringRef Name) {
  const unsigned None = ~0u;
  static const Container Vector{1,
                                true,
                                {"resize", "reserve", "push_back",
                                 "emplace_back", "insert", "emplace", "assign",
                                 "shrink_to_fit", "insert_range",
                                 "append_range", "assign_range"}};
  static const Container String{2,
                                false,
                                {"resize", "reserve", "push_back", "append",
                                 "insert", "assign", "replace",
                                 "resize_and_overwrite", "operator+="}};
  static const Container Deque{1, true, {"resize", "insert", "assign"}};
  static const Container Array{None, true, {"resize"}};
  static const Container Heap{None, true, {"push", "emplace", "push_range"}};
  static const llvm::StringSet<> Hashed{
      "rehash",           "reserve",    "insert",       "emplace",
      "try_emplace",      "operator[]", "emplace_hint", "insert_range",
      "insert_or_assign", "merge"};
  static const Container Map{4, true, Hashed}, Set{3, true, Hashed};
  static const std::pair<StringRef, const Container *> All[] = {
      {"vector", &Vector},
      {"basic_string", &String},
      {"deque", &Deque},
      {"valarray", &Array},
      {"priority_queue", &Heap},
      {"unordered_map", &Map},
      {"unordered_multimap", &Map},
      {"unordered_set", &Set},
      {"unordered_multiset", &Set}};
  for (const auto &[Known, C] : All)
    if (Known == Name)
      return C;
  return nullptr;
}

/// Allocations through the program's own allocators have sites of their own.
bool usesStandardAllocator(const CXXRecordDecl *RD, unsigned Index) {
  const auto *Spec = dyn_cast<ClassTemplateSpecializationDecl>(RD);
  if (!Spec || Index >= Spec->getTemplateArgs().size())
    return true;
  const TemplateArgument &Arg = Spec->getTemplateArgs()[Index];
  if (Arg.getKind() != TemplateArgument::Type)
    return true;
  const CXXRecordDecl *Allocator = Arg.getAsType()->getAsCXXRecordDecl();
  return !Allocator || Allocator->isInStdNamespace();
}

bool growsByConstruction(const CXXConstructExpr *CE, const Container &C) {
  const CXXConstructorDecl *Ctor = CE->getConstructor();
  if (CE->isStdInitListInitialization() || Ctor->isMoveConstructor() ||
      CE->isElidable())
    return false;
  if (Ctor->isCopyConstructor())
    return C.Copies;
  unsigned Written = 0;
  while (Written < CE->getNumArgs() &&
         !isa<CXXDefaultArgExpr>(CE->getArg(Written)))
    ++Written;
  // The only argument is an allocator, or a string is made from a literal.
  if (Written == 1)
    return C.Copies &&
           Ctor->getParamDecl(0)->getType()->isIntegralOrEnumerationType();
  return Written > 1;
}

/// Whether \p FD is make_unique or a similar function and makes an array or a
/// large object.
bool makesLargeObject(const ASTContext &C, const FunctionDecl *FD) {
  if (!FD->getIdentifier() || (!isOwnerMaker(std::string_view(FD->getName())) &&
                               FD->getName() != "allocate_shared"))
    return false;
  const auto *Pointer = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      FD->getReturnType()->getAsCXXRecordDecl());
  if (!Pointer || Pointer->getTemplateArgs().size() == 0 ||
      Pointer->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return false;
  QualType T = Pointer->getTemplateArgs()[0].getAsType();
  if (T->isIncompleteArrayType())
    return true;
  return !T->isDependentType() && !T->isIncompleteType() &&
         C.getTypeSizeInChars(T) >= CharUnits::fromQuantity(EK_LARGE_BYTES);
}

bool isStandardAllocate(const CXXMethodDecl *MD) {
  StringRef Class = MD->getParent()->getName();
  return MD->getIdentifier() &&
         isStandardAllocation(std::string_view(Class),
                              std::string_view(MD->getName())) &&
         (Class != "allocator_traits" ||
          usesStandardAllocator(MD->getParent(), 0));
}

} // namespace

bool isAllocatorCall(const FunctionDecl *FD) {
  const auto *MD = dyn_cast_or_null<CXXMethodDecl>(FD);
  return MD && MD->getParent()->isInStdNamespace() &&
         MD->getParent()->getIdentifier() && isStandardAllocate(MD);
}

const FunctionDecl *calledFunction(const Expr *E) {
  if (const auto *CE = dyn_cast<CallExpr>(E))
    return CE->getDirectCallee();
  if (const auto *CE = dyn_cast<CXXConstructExpr>(E))
    return CE->getConstructor();
  return nullptr;
}

bool growsContainer(const ASTContext &C, const Expr *E,
                    const FunctionDecl *FD) {
  const auto *MD = dyn_cast<CXXMethodDecl>(FD);
  if (!MD)
    return FD->isInStdNamespace() && makesLargeObject(C, FD);
  const CXXRecordDecl *RD = MD->getParent();
  if (!RD->isInStdNamespace() || !RD->getIdentifier())
    return false;
  if (isStandardAllocate(MD))
    return true;
  const Container *Known = containerByName(RD->getName());
  if (!Known || !usesStandardAllocator(RD, Known->AllocatorIndex))
    return false;
  if (const auto *CE = dyn_cast<CXXConstructExpr>(E))
    return growsByConstruction(CE, *Known);
  if (MD->isCopyAssignmentOperator())
    return Known->Copies;
  return Known->Members.contains(MD->getNameAsString());
}

SourceLocation placeOfCall(const Expr *E) {
  if (const auto *CE = dyn_cast<CallExpr>(E)) {
    const Expr *Callee = CE->getCallee();
    if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(Callee))
      return M->getMemberLoc();
    if (const auto *M = dyn_cast<UnresolvedMemberExpr>(Callee))
      return M->getMemberLoc();
  }
  return E->getExprLoc();
}

} // namespace evenkeel
