//===- Allocations.cpp - which calls allocate -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Allocations.h.
//===----------------------------------------------------------------------===//
#include "unit/Allocations.h"
#include "format/ek_sizes.h"
#include "unit/Calls.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace llvm;

namespace evenkeel {

/// The allocators that the environment names.
static const AllocatorList &namedAllocators() {
  static const AllocatorList List = [] {
    AllocatorList L;
    if (const char *Text = std::getenv("EVENKEEL_ALLOCATORS"))
      if (std::string Wrong = readAllocators(Text, L); !Wrong.empty())
        report_fatal_error(Twine("EVENKEEL_ALLOCATORS: ") + Wrong,
                           /*gen_crash_diag=*/false);
    return L;
  }();
  return List;
}

static const Allocator *namedAllocator(const Function &F) {
  const AllocatorList &List = namedAllocators();
  if (List.empty() || F.isIntrinsic())
    return nullptr;
  auto It = List.find(qualifiedName(F));
  return It == List.end() ? nullptr : &It->second;
}

bool isNamedAllocator(const Function &F) { return namedAllocator(F); }

void keepNamedAllocators(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && isNamedAllocator(F)) {
      F.removeFnAttr(Attribute::AlwaysInline);
      F.addFnAttr(Attribute::NoInline);
    }
}

/// How an external function allocates, if its declaration says that its result
/// is new memory.
static std::optional<Allocation> declaredAllocation(const Function &F) {
  if (!F.getReturnType()->isPointerTy() || F.isIntrinsic() ||
      returnsNoData(std::string_view(F.getName())))
    return std::nullopt;
  Allocation A;
  A.Kind = qualifiedName(F);
  A.From = AllocatorOrigin::Chosen;
  bool Sized = F.hasFnAttribute(Attribute::AllocSize);
  if (Sized) {
    auto [Size, Count] =
        F.getFnAttribute(Attribute::AllocSize).getAllocSizeArgs();
    A.Size = static_cast<int>(Size);
    A.Count = Count ? static_cast<int>(*Count) : -1;
  }
  if (F.returnDoesNotAlias())
    return A;
  if (!Sized)
    return std::nullopt;
  // A realloc-like function: the result may be the old block.
  for (const Argument &Arg : F.args())
    if (A.Old < 0 && Arg.getType()->isPointerTy())
      A.Old = static_cast<int>(Arg.getArgNo());
  return A;
}

std::optional<Allocation> allocationOf(const CallBase &CB, const Function &F) {
  if (const Allocator *Named = namedAllocator(F)) {
    Allocation A{qualifiedName(F), Named->From, Named->Size,
                 Named->Count,     Named->Out,  -1};
    int Last = std::max({A.Size, A.Count, A.Out});
    return Last < static_cast<int>(CB.arg_size()) ? std::make_optional(A)
                                                  : std::nullopt;
  }
  // _mm_malloc is an inline function in the compiler's header.
  if (!F.isDeclaration() && F.getName() != "_mm_malloc")
    return std::nullopt;
  StringRef N = F.getName();
  int First = 0;
  if (N.consume_front("ek_")) {
    First = N.consume_back("_at") ? 2 : 1;
    if (N == "mm_malloc")
      N = "_mm_malloc";
  }
  Allocation Out;
  if (N.starts_with("_Znw") || N.starts_with("_Zna")) {
    Out.Kind = N[3] == 'w' ? "new" : "new[]";
    Out.Size = First;
    return CB.arg_size() > 0 ? std::make_optional(Out) : std::nullopt;
  }
  const Allocator *A = findAllocator(std::string_view(N));
  if (!A)
    return First ? std::nullopt : declaredAllocation(F);
  Out.Kind = A->Name;
  Out.From = A->From;
  auto Shifted = [&](int Arg) { return Arg < 0 ? -1 : Arg + First; };
  Out.Size = Shifted(A->Size);
  Out.Count = Shifted(A->Count);
  Out.Out = Shifted(A->Out);
  Out.Old = Shifted(A->Old);
  // Old programs may declare fewer parameters in prototypes of their own.
  int Last = std::max({Out.Size, Out.Count, Out.Out, Out.Old});
  bool Fits = Last < static_cast<int>(CB.arg_size()) &&
              CB.getArgOperand(Out.Size)->getType()->isIntegerTy() &&
              (Out.Out >= 0 || CB.getType()->isPointerTy());
  return Fits ? std::make_optional(Out) : std::nullopt;
}

std::optional<Allocation> allocationOf(const CallBase &CB) {
  const Function *F = calleeOf(CB);
  return F ? allocationOf(CB, *F) : std::nullopt;
}

unsigned annotationArguments(const CallBase &CB) {
  Function *F = calleeOf(CB);
  if (!F || !F->getName().starts_with("ek_"))
    return 0;
  return F->getName().ends_with("_at") ? 2 : 1;
}

bool mayBeObject(const CallBase &CB, const Allocation &A) {
  uint64_t Bytes = 1;
  for (int Arg : {A.Size, A.Count}) {
    if (Arg < 0)
      continue;
    auto *C = dyn_cast<ConstantInt>(CB.getArgOperand(Arg));
    if (!C || A.From != AllocatorOrigin::Heap)
      return true;
    Bytes = SaturatingMultiply(Bytes, C->getLimitedValue());
  }
  return A.Size < 0 || Bytes >= EK_LARGE_BYTES;
}

} // namespace evenkeel
