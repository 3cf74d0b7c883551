//===- AllocationRules.cpp - the C allocation family ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AllocationRules.h.
//===----------------------------------------------------------------------===//
#include "AllocationRules.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

namespace {

constexpr auto Site = Finding::Group::Site, Free = Finding::Group::Free;
constexpr auto Heap = AllocatorOrigin::Heap, Outside = AllocatorOrigin::Outside;

const AllocationRule Rules[] = {
    {"malloc", 1, 0, "ek_malloc", Site, Heap, "malloc-family"},
    {"calloc", 2, 0, "ek_calloc", Site, Heap, "malloc-family"},
    {"__builtin_malloc", 1, 0, "ek_builtin_malloc", Site, Heap,
     "malloc-family"},
    {"__builtin_calloc", 2, 0, "ek_builtin_calloc", Site, Heap,
     "malloc-family"},
    {"realloc", 2, 1, "ek_realloc", Site, Heap, "realloc"},
    {"__builtin_realloc", 2, 1, "ek_builtin_realloc", Site, Heap, "realloc"},
    {"reallocarray", 3, 1, "ek_reallocarray", Site, Heap, "realloc"},
    {"aligned_alloc", 2, 0, "ek_aligned_alloc", Site, Heap, "aligned"},
    {"posix_memalign", 3, 1, "ek_posix_memalign", Site, Heap, "aligned"},
    {"memalign", 2, 0, "ek_memalign", Site, Heap, "aligned"},
    {"valloc", 1, 0, "ek_valloc", Site, Heap, "aligned"},
    {"pvalloc", 1, 0, "ek_pvalloc", Site, Heap, "aligned"},
    {"_mm_malloc", 2, 0, "ek_mm_malloc", Site, Heap, "aligned"},
    {"mmap", 6, 1, "ek_mmap", Site, Outside, "mmap"},
    {"mmap64", 6, 1, "ek_mmap", Site, Outside, "mmap"},
    {"MPI_Alloc_mem", 3, 4, "ek_MPI_Alloc_mem", Site, Outside, "mpi-alloc-mem"},
    {"free", 1, 1, "ek_free", Free, Heap, "free"},
    {"__builtin_free", 1, 1, "ek_builtin_free", Free, Heap, "free"},
    {"_mm_free", 1, 1, "ek_mm_free", Free, Heap, "free"},
    {"munmap", 2, 1, "ek_munmap", Free, Outside, "mmap"},
    {"MPI_Free_mem", 1, 1, "ek_MPI_Free_mem", Free, Outside, "mpi-alloc-mem"},
};

} // namespace

const AllocationRule *ruleFor(StringRef Name) {
  for (const AllocationRule &R : Rules)
    if (Name == R.Function)
      return &R;
  return nullptr;
}

/// The rule that makes annotated calls of \p Name; null: none.
const AllocationRule *ruleOfAnnotated(StringRef Name) {
  if (Name == "ek_given") // what the form for MPI_Alloc_mem is made of
    return ruleFor("MPI_Alloc_mem");
  Name.consume_back("_at");
  for (const AllocationRule &R : Rules)
    if (Name == R.Replacement)
      return &R;
  return nullptr;
}

LeftReason leftBecause(StringRef Name) {
  if (llvm::StringSwitch<bool>(Name)
          .Cases("strdup", "strndup", "wcsdup", "strdupa", true)
          .Cases("__builtin_strdup", "__builtin_strndup", true)
          .Default(false))
    return {"string-copy", false};
  if (llvm::is_contained({"alloca", "__builtin_alloca",
                          "__builtin_alloca_with_align",
                          "__builtin_alloca_uninitialized"},
                         Name))
    return {"stack"};
  const Allocator *A = findAllocator(std::string_view(Name));
  if (!A)
    return {};
  return {A->From == AllocatorOrigin::Chosen ? "tier-chosen" : "second-name"};
}

bool namesAllocation(StringRef Name) {
  return ruleFor(Name) || ruleOfAnnotated(Name);
}

static const AllocationRule *siteRule(const FunctionDecl *FD) {
  if (!isLibraryLevel(FD))
    return nullptr;
  const AllocationRule *R = ruleOfAnnotated(FD->getName());
  if (!R)
    R = ruleFor(FD->getName());
  return R && R->Class == Site ? R : nullptr;
}

bool isAllocationCall(const FunctionDecl *FD) { return siteRule(FD); }

unsigned allocatesThrough(const FunctionDecl *FD) {
  const AllocationRule *R = siteRule(FD);
  if (!R || FD->getReturnType()->isPointerType())
    return NoParameter;
  unsigned Extra = FD->getNumParams() > R->Params // id and share come first
                       ? FD->getNumParams() - R->Params
                       : 0;
  return Extra + llvm::countr_zero(R->Pointers);
}

bool hasConstantSize(const Unit &U, const CallExpr *CE, const FunctionDecl *FD,
                     uint64_t &Bytes) {
  const AllocationRule *R = siteRule(FD);
  if (!R || R->From != Heap || CE->getNumArgs() < R->Params)
    return false;
  StringRef Name = R->Function;
  unsigned Last = CE->getNumArgs() - 1; // id and share come first
  if (Name == "_mm_malloc")
    --Last;
  unsigned First =
      Name.ends_with("calloc") || Name == "reallocarray" ? Last - 1 : Last;
  Bytes = 1;
  for (unsigned I = First; I <= Last; ++I) {
    Expr::EvalResult Value;
    const Expr *E = CE->getArg(I);
    if (E->isValueDependent() || !E->EvaluateAsInt(Value, U.Context))
      return false;
    bool Overflows = false;
    uint64_t Factor = Value.Val.getInt().getLimitedValue();
    Bytes = llvm::SaturatingMultiply(Bytes, Factor, &Overflows);
  }
  return true;
}

} // namespace evenkeel
