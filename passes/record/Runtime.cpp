//===- Runtime.cpp - IR declarations of the recorder's entries ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: declarations of record_calls.def and the inlined cost counters.
//===----------------------------------------------------------------------===//
#include "record/Runtime.h"
#include "record/SymbolMarks.h"
#include "unit/Calls.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

struct ek_rec_extent; // record_abi.h

using namespace llvm;

namespace evenkeel {

namespace {

/// An MPI handle: a pointer or an integer.
struct Handle {};

/// The IR type of a C type; null: the type in the program.
template <typename T> Type *typeIn(LLVMContext &C) {
  if constexpr (std::is_void_v<T>)
    return Type::getVoidTy(C);
  else if constexpr (std::is_pointer_v<T>)
    return PointerType::getUnqual(C);
  else if constexpr (std::is_same_v<T, Handle>)
    return nullptr;
  else if constexpr (std::is_same_v<T, struct ek_rec_extent>)
    return StructType::get(C, {Type::getInt64Ty(C), Type::getInt64Ty(C)});
  else
    return IntegerType::get(C, 8 * sizeof(T));
}

struct CallTypes {
  Type *Result;
  SmallVector<Type *, 8> Arguments;
};

template <typename R, typename... A>
CallTypes typesOf(LLVMContext &C, R (*)(A...)) {
  return {typeIn<R>(C), {typeIn<A>(C)...}};
}

struct CallInfo {
  const char *Name;
  CallTypes (*Types)(LLVMContext &C);
  bool Unwinds;
};

#define EK_REC_ADDRESS void *
#define EK_REC_HANDLE Handle
#define EK_REC_RETURNS false
#define EK_REC_UNWINDS true
const CallInfo Calls[] = {
#define EK_REC_CALL(Result, Name, Arguments, Unwinds)                          \
  {"__ek_rec_" #Name,                                                          \
   [](LLVMContext &C) {                                                        \
     return typesOf(C, static_cast<Result(*) Arguments>(nullptr));             \
   },                                                                          \
   Unwinds},
#include "runtime/record/abi/record_calls.def"
};

const CallInfo &infoOf(RecordCall Call) {
  return Calls[static_cast<size_t>(Call)];
}

FunctionCallee declareTyped(Module &M, RecordCall Call, Type *Result,
                            ArrayRef<Type *> Arguments) {
  const CallInfo &Info = infoOf(Call);
  FunctionCallee C = M.getOrInsertFunction(
      Info.Name, FunctionType::get(Result, Arguments, /*isVarArg=*/false));
  // No memory attributes: the calls read counters that the surrounding code
  // writes, and these writes must not move across a call.
  if (auto *F = dyn_cast<Function>(C.getCallee()); F && !Info.Unwinds)
    F->setDoesNotThrow();
  return C;
}

/// Whether both are passed in registers in the same way.
bool areAlike(const Type *Described, const Type *Given) {
  return !Described || Described == Given ||
         (Described->isIntegerTy() && Given->isIntegerTy());
}

} // namespace

FunctionCallee RecordRuntime::declare(Module &M, RecordCall Call) {
  const CallTypes T = infoOf(Call).Types(M.getContext());
  return declareTyped(M, Call, T.Result, T.Arguments);
}

FunctionCallee RecordRuntime::declareAs(Module &M, RecordCall Call,
                                        Type *Result,
                                        ArrayRef<Type *> Arguments) {
  const CallTypes T = infoOf(Call).Types(M.getContext());
  if (T.Arguments.size() != Arguments.size())
    report_fatal_error(Twine("evenkeel: call of ") + infoOf(Call).Name +
                       " with " + Twine(Arguments.size()) + " arguments");
  const bool Suits = (Result->isVoidTy() || areAlike(T.Result, Result)) &&
                     std::equal(T.Arguments.begin(), T.Arguments.end(),
                                Arguments.begin(), areAlike);
  return Suits ? declareTyped(M, Call, Result, Arguments) : FunctionCallee();
}

RecordRuntime::RecordRuntime(Module &M) {
  LLVMContext &C = M.getContext();
  Void = Type::getVoidTy(C);
  I32 = Type::getInt32Ty(C);
  I64 = Type::getInt64Ty(C);
  Ptr = PointerType::getUnqual(C);
  Access = declare(M, RecordCall::rec_access);
  Repeat = declare(M, RecordCall::rec_repeat);
  Range = declare(M, RecordCall::rec_range);
  Serial = declare(M, RecordCall::rec_serial);
  Fork = declare(M, RecordCall::rec_fork);
  Join = declare(M, RecordCall::rec_join);
  RegionBegin = declare(M, RecordCall::rec_region_begin);
  RegionEnd = declare(M, RecordCall::rec_region_end);
  Barrier = declare(M, RecordCall::rec_barrier);
  Taskwait = declare(M, RecordCall::rec_taskwait);
  Taskgroup = declare(M, RecordCall::rec_taskgroup);
  TaskgroupEnd = declare(M, RecordCall::rec_taskgroup_end);
  TaskBegin = declare(M, RecordCall::rec_task_begin);
  TaskEnd = declare(M, RecordCall::rec_task_end);
  Global = declare(M, RecordCall::rec_global);
  Lock = declare(M, RecordCall::rec_lock);
  Unlock = declare(M, RecordCall::rec_unlock);
  Alone = declare(M, RecordCall::rec_alone);
  AloneEnd = declare(M, RecordCall::rec_alone_end);
  Orders = declare(M, RecordCall::rec_orders);
  Reduce = declare(M, RecordCall::rec_reduce);
  Collective = declare(M, RecordCall::rec_collective);
  Ends = declare(M, RecordCall::rec_ends);
  auto *State = StructType::get(C, {I64, I64, Ptr, I64});
  Tls = cast<GlobalVariable>(M.getOrInsertGlobal("__ek_rec_tls", State, [&] {
    return new GlobalVariable(M, State, false, GlobalValue::ExternalLinkage,
                              nullptr, "__ek_rec_tls", nullptr,
                              GlobalValue::InitialExecTLSModel);
  }));
}

bool leavesCode(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  return CB && !isa<IntrinsicInst>(CB) && !CB->isInlineAsm() && !isForSymbol(I);
}

bool ordersOthers(const Instruction &I) {
  AtomicOrdering How = AtomicOrdering::NotAtomic;
  if (auto *L = dyn_cast<LoadInst>(&I))
    How = L->getOrdering();
  else if (auto *S = dyn_cast<StoreInst>(&I))
    How = S->getOrdering();
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    How = RMW->getOrdering();
  else if (auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    How = CX->getMergedOrdering();
  return isStrongerThanMonotonic(How);
}

bool isRecorded(const Function &F) {
  if (F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
      F.hasFnAttribute(Attribute::Naked))
    return false;
  for (const GlobalIFunc &I : F.getParent()->ifuncs())
    if (I.getResolverFunction() == &F) // runs before relocation is complete
      return false;
  return true;
}

void forgetPurity(Module &M) {
  TargetLibraryInfoImpl Known(Triple(M.getTargetTriple()));
  auto Instrumented = [&](const Function &F) {
    LibFunc Any;
    return !F.isIntrinsic() &&
           (!F.isDeclaration() || !Known.getLibFunc(F, Any));
  };
  for (Function &F : M) {
    if (Instrumented(F))
      F.removeFnAttr(Attribute::Memory);
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I)) {
        Function *Callee = calleeOf(*CB);
        if (!CB->isInlineAsm() && !isForSymbol(I) &&
            (!Callee || Instrumented(*Callee)))
          CB->removeFnAttr(Attribute::Memory);
      }
  }
}

void RecordRuntime::addCost(IRBuilder<> &B, Value *Slots,
                            Value *Instructions) const {
  Value *Address = B.CreateThreadLocalAddress(Tls);
  auto Add = [&](unsigned Field, Value *N) {
    if (auto *C = dyn_cast<ConstantInt>(N); C && C->isZero())
      return;
    Value *At = B.CreateConstInBoundsGEP1_64(I64, Address, Field);
    Value *Old = B.CreateLoad(I64, At);
    B.CreateStore(B.CreateAdd(Old, N), At);
  };
  Add(0, Slots);
  Add(1, Instructions);
}

Value *RecordRuntime::followed(IRBuilder<> &B) const {
  constexpr unsigned Field = 3; // of ek_rec_tls
  return B.CreateLoad(I64, B.CreateConstInBoundsGEP1_64(
                               I64, B.CreateThreadLocalAddress(Tls), Field));
}

void RecordRuntime::markUnits(Module &M, StringRef Name) {
  if (M.getNamedValue(Name))
    return;
  auto *One = new GlobalVariable(
      M, Type::getInt32Ty(M.getContext()), true, GlobalValue::WeakODRLinkage,
      ConstantInt::get(Type::getInt32Ty(M.getContext()), 1), Name);
  One->setComdat(M.getOrInsertComdat(Name));
  appendToUsed(M, {One});
}

void RecordRuntime::requireVersion(Module &M) {
  if (M.getNamedValue("__ek_rec_abi_v6"))
    return;
  auto *Version = new GlobalVariable(M, Type::getInt32Ty(M.getContext()), true,
                                     GlobalValue::ExternalLinkage, nullptr,
                                     "__ek_rec_abi_v6");
  auto *Reference =
      new GlobalVariable(M, PointerType::getUnqual(M.getContext()), true,
                         GlobalValue::PrivateLinkage, Version, "ek.rec.abi");
  appendToUsed(M, {Reference});
}

} // namespace evenkeel
