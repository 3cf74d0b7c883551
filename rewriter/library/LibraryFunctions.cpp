//===- LibraryFunctions.cpp - what libraries do with blocks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LibraryFunctions.h.
//===----------------------------------------------------------------------===//
#include "LibraryFunctions.h"
#include "format/Allocators.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringSwitch.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

/// The class that \p T is, or points or refers to.
static const CXXRecordDecl *classOf(QualType T) {
  T = T.getNonReferenceType();
  if (T->isPointerType())
    T = T->getPointeeType();
  return T->getAsCXXRecordDecl();
}

static StringRef nameOf(const CXXRecordDecl *RD) {
  return RD && RD->getIdentifier() ? RD->getName() : "";
}

static bool isStream(const CXXRecordDecl *RD) {
  const StringRef Name = nameOf(RD);
  return Name.ends_with("stream") || Name.ends_with("streambuf") ||
         Name == "ios_base" || Name == "basic_ios";
}

bool libraryKeepsOut(QualType T) {
  if (isStream(classOf(T)))
    return true;
  T = T.getNonReferenceType();
  if (!T->isPointerType())
    return false;
  const auto *RT = T->getPointeeType()->getAs<RecordType>();
  return RT && RT->getDecl()->getIdentifier() &&
         RT->getDecl()->getName() == "_IO_FILE";
}

static bool allocates(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("strdup", "strndup", "wcsdup", "__strdup", "__strndup", true)
      .Cases("getline", "getdelim", "asprintf", "vasprintf", true)
      .Cases("realpath", "getcwd", "get_current_dir_name", true)
      .Cases("canonicalize_file_name", "tempnam", "scandir", true)
      .Cases("open_memstream", "open_wmemstream", "backtrace_symbols", true)
      .Default(false);
}

static bool frees(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("getline", "getdelim", "cfree", "regfree", true)
      .Default(false);
}

static bool takesFunction(const FunctionDecl *FD) {
  for (const ParmVarDecl *P : FD->parameters()) {
    const QualType T = P->getType().getNonReferenceType();
    if (T->isFunctionPointerType() || T->isFunctionType())
      return true;
    const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
    if (RD && (RD->isLambda() || nameOf(RD) == "function"))
      return true;
  }
  return false;
}

LibraryFunction libraryFunction(const FunctionDecl *FD) {
  LibraryFunction Out;
  const auto *Method = dyn_cast<CXXMethodDecl>(FD);
  if (Method && isStream(Method->getParent()))
    Out.Nothing = true;
  for (const ParmVarDecl *P : FD->parameters())
    if (FD->isOverloadedOperator() && isStream(classOf(P->getType())))
      Out.Nothing = true; // std::cout << x
  const StringRef Name = FD->getIdentifier() ? FD->getName() : "";
  Out.Allocates = allocates(Name);
  for (const FunctionDecl *R : FD->redecls())
    Out.Allocates |= R->hasAttr<RestrictAttr>() && isLibraryLevel(FD) &&
                     !findAllocator(std::string_view(Name)) &&
                     !returnsNoData(std::string_view(Name));
  Out.Frees = frees(Name);
  const StringRef Class = Method ? nameOf(Method->getParent()) : "";
  Out.Owns = llvm::StringSwitch<bool>(Class)
                 .Cases("unique_ptr", "shared_ptr", "weak_ptr", "auto_ptr",
                        "__shared_ptr", true)
                 .Default(false);
  Out.CallsBack = takesFunction(FD) || Class == "thread" || Class == "function";
  return Out;
}

} // namespace evenkeel
