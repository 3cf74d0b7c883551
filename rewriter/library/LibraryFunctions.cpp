//===- LibraryFunctions.cpp - what libraries do with blocks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LibraryFunctions.h.
//===----------------------------------------------------------------------===//
#include "LibraryFunctions.h"
#include "format/Allocators.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
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

/// Functions of the C library that return a pointer, or set one, and that are
/// no builtins of the compiler. None gives the program a block to free.
static bool givesNoBlock(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("fgets", "fgetws", "strtok", "strtok_r", "strsep", true)
      .Cases("strcasestr", "memmem", "memrchr", "bsearch", "lfind", true)
      .Cases("getenv", "secure_getenv", "setlocale", "strerror", true)
      .Cases("strerror_r", "strsignal", "dlerror", "basename", "dirname", true)
      .Cases("localtime", "localtime_r", "gmtime", "gmtime_r", true)
      .Cases("asctime", "ctime", "strptime", "readdir", "optarg", true)
      .Cases("omp_init_allocator", "MPI_Init", "MPI_Init_thread", true)
      .Default(false);
}

/// The program gets back later what it gives to these.
static bool keeps(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("getline", "getdelim", "cfree", "regfree", true)
      .Cases("pthread_setspecific", "tss_set", "tsearch", "hsearch", true)
      .Cases("insque", "MPI_Buffer_attach", "MPI_Attr_put", true)
      .Cases("MPI_Comm_set_attr", "MPI_Type_set_attr", "MPI_Win_set_attr", true)
      .Default(false);
}

/// Whether \p FD may return a block, or set a pointer to one, that the program
/// has to free.
static bool allocates(const FunctionDecl *FD) {
  const StringRef Name = FD->getIdentifier() ? FD->getName() : "";
  if (returnsNoData(std::string_view(Name)) && Name.contains("dup"))
    return true; // strdup, ...
  if (!isLibraryLevel(FD) || isa<CXXMethodDecl>(FD) || FD->isInStdNamespace() ||
      givesNoBlock(Name))
    return false;
  if (FD->getBuiltinID())
    return false;
  if (FD->getReturnType()->isPointerType())
    return true;
  return llvm::any_of(FD->parameters(), [](const ParmVarDecl *P) {
    const QualType T = P->getType();
    return T->isPointerType() && T->getPointeeType()->isPointerType() &&
           !T->getPointeeType().isConstQualified();
  });
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
  Out.Allocates = allocates(FD);
  Out.IsNew = returnsNoData(std::string_view(Name));
  Out.Frees = keeps(Name);
  const StringRef Class = Method ? nameOf(Method->getParent()) : "";
  Out.Owns = llvm::StringSwitch<bool>(Class)
                 .Cases("unique_ptr", "shared_ptr", "weak_ptr", "auto_ptr",
                        "__shared_ptr", true)
                 .Default(false);
  StringRef Plain = Name;
  Plain.consume_front("__builtin_");
  Out.Copies = llvm::StringSwitch<bool>(Plain)
                   .Cases("memcpy", "memmove", "mempcpy", "memccpy", true)
                   .Cases("bcopy", "__memcpy_chk", "__memmove_chk", true)
                   .Default(false);
  Out.CallsBack = takesFunction(FD) || Class == "thread" || Class == "function";
  return Out;
}

} // namespace evenkeel
