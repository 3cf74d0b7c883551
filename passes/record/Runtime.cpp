//===- Runtime.cpp - the recorder's entries, as IR -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: declarations of record_abi.h and the inlined cost counters.
//===----------------------------------------------------------------------===//
#include "record/Runtime.h"
#include "record/SymbolMarks.h"
#include "unit/Calls.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace evenkeel {

FunctionCallee RecordRuntime::declare(Module &M, StringRef Name, Type *Result,
                                      ArrayRef<Type *> Arguments,
                                      bool NoUnwind) {
  FunctionCallee C = M.getOrInsertFunction(
      Name, FunctionType::get(Result, Arguments, /*isVarArg=*/false));
  // No memory attributes: the calls read the counters that code around them
  // writes, and those must not move across.
  if (auto *F = dyn_cast<Function>(C.getCallee()); F && NoUnwind)
    F->setDoesNotThrow();
  return C;
}

RecordRuntime::RecordRuntime(Module &M) {
  LLVMContext &C = M.getContext();
  Void = Type::getVoidTy(C);
  I32 = Type::getInt32Ty(C);
  I64 = Type::getInt64Ty(C);
  Ptr = PointerType::getUnqual(C);
  Access = declare(M, "__ek_rec_access", Void, {Ptr, I64});
  Repeat = declare(M, "__ek_rec_repeat", Void, {Ptr, I64, I64, Ptr});
  Range = declare(M, "__ek_rec_range", Void, {Ptr, I64, I64});
  Serial = declare(M, "__ek_rec_serial", Void, {I64});
  Fork = declare(M, "__ek_rec_fork", Void, {});
  Join = declare(M, "__ek_rec_join", Void, {I64});
  RegionBegin = declare(M, "__ek_rec_region_begin", Void, {I64});
  RegionEnd = declare(M, "__ek_rec_region_end", Void, {});
  Barrier = declare(M, "__ek_rec_barrier", Void, {I64});
  Taskwait = declare(M, "__ek_rec_taskwait", Void, {});
  Taskgroup = declare(M, "__ek_rec_taskgroup", Void, {});
  TaskgroupEnd = declare(M, "__ek_rec_taskgroup_end", Void, {});
  TaskBegin = declare(M, "__ek_rec_task_begin", I64, {I64});
  TaskEnd = declare(M, "__ek_rec_task_end", Void, {I64});
  Global = declare(M, "__ek_rec_global", Void, {I64, Ptr, I64});
  Lock = declare(M, "__ek_rec_lock", Void, {});
  Unlock = declare(M, "__ek_rec_unlock", Void, {});
  Alone = declare(M, "__ek_rec_alone", Void, {});
  AloneEnd = declare(M, "__ek_rec_alone_end", Void, {});
  Orders = declare(M, "__ek_rec_orders", Void, {});
  Reduce = declare(M, "__ek_rec_reduce", Void, {I32});
  Collective = declare(M, "__ek_rec_collective", Void, {I64, I64, I64});
  Ends = declare(M, "__ek_rec_ends", Void, {});
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
    if (I.getResolverFunction() == &F) // run before anything is linked up
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
