//===- RecordRuntime.cpp - the recorder's entries, as IR ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: declarations of record_abi.h, and the inlined counters of costs and
// symbols.
//===----------------------------------------------------------------------===//
#include "RecordRuntime.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
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
  Symbol = declare(M, "__ek_rec_symbol", Void, {I64, I64, I64, Ptr});
  Global = declare(M, "__ek_rec_global", Void, {I64, Ptr, I64});
  Lock = declare(M, "__ek_rec_lock", Void, {});
  Unlock = declare(M, "__ek_rec_unlock", Void, {});
  Alone = declare(M, "__ek_rec_alone", Void, {});
  AloneEnd = declare(M, "__ek_rec_alone_end", Void, {});
  Orders = declare(M, "__ek_rec_orders", Void, {});
  Reduce = declare(M, "__ek_rec_reduce", Void, {I32});
  Collective = declare(M, "__ek_rec_collective", Void, {I64});
  auto *State = StructType::get(C, {I64, I64, Ptr});
  Tls = cast<GlobalVariable>(M.getOrInsertGlobal("__ek_rec_tls", State, [&] {
    return new GlobalVariable(M, State, false, GlobalValue::ExternalLinkage,
                              nullptr, "__ek_rec_tls", nullptr,
                              GlobalValue::InitialExecTLSModel);
  }));
}

bool leavesCode(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  return CB && !isa<IntrinsicInst>(CB) && !CB->isInlineAsm();
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

void RecordRuntime::tellSymbol(IRBuilder<> &B, uint64_t Id, Value *V,
                               uint64_t Kind) {
  GlobalVariable *&Place = Places[Id];
  Module &M = *B.GetInsertBlock()->getModule();
  if (!Place)
    Place = new GlobalVariable(M, I64, false, GlobalValue::InternalLinkage,
                               B.getInt64(0), "ek.rec.place");
  B.CreateCall(Symbol, {B.getInt64(Id), V, B.getInt64(Kind), Place});
}

void RecordRuntime::inlineSymbols() {
  LLVMContext &C = Symbol.getCallee()->getContext();
  auto *Cell = StructType::get(
      C, {I64, I64, I64, I64, Type::getDoubleTy(C)}); // ek_rec_cell
  MDNode *Rarely = MDBuilder(C).createBranchWeights(1, 1000);
  SmallVector<CallInst *, 32> Calls;
  for (User *U : Symbol.getCallee()->users())
    Calls.push_back(cast<CallInst>(U));
  for (CallInst *Call : Calls) {
    Value *V = Call->getArgOperand(1);
    IRBuilder<> B(Call);
    auto *Head = B.CreateConstInBoundsGEP2_32(
        Tls->getValueType(), B.CreateThreadLocalAddress(Tls), 0, 2);
    Value *At = B.CreateInBoundsGEP(B.getInt8Ty(), B.CreateLoad(Ptr, Head),
                                    B.CreateLoad(I64, Call->getArgOperand(3)));
    auto Field = [&](unsigned N) { return B.CreateStructGEP(Cell, At, N); };
    Value *Times = B.CreateLoad(I64, Field(0));
    Instruction *Then, *Else;
    SplitBlockAndInsertIfThenElse(B.CreateICmpEQ(Times, B.getInt64(0)), Call,
                                  &Then, &Else, Rarely);
    Call->moveBefore(Then);
    B.SetInsertPoint(Else);
    B.CreateStore(B.CreateAdd(Times, B.getInt64(1)), Field(0));
    B.CreateStore(V, Field(1));
    for (auto [N, Which] :
         {std::pair(2u, Intrinsic::smin), std::pair(3u, Intrinsic::smax)})
      B.CreateStore(
          B.CreateBinaryIntrinsic(Which, B.CreateLoad(I64, Field(N)), V),
          Field(N));
    Type *Double = B.getDoubleTy();
    B.CreateStore(
        B.CreateFAdd(B.CreateLoad(Double, Field(4)), B.CreateSIToFP(V, Double)),
        Field(4));
  }
}

void RecordRuntime::requireVersion(Module &M) {
  if (M.getNamedValue("__ek_rec_abi_v3"))
    return;
  auto *Version = new GlobalVariable(M, Type::getInt32Ty(M.getContext()), true,
                                     GlobalValue::ExternalLinkage, nullptr,
                                     "__ek_rec_abi_v3");
  auto *Reference =
      new GlobalVariable(M, PointerType::getUnqual(M.getContext()), true,
                         GlobalValue::PrivateLinkage, Version, "ek.rec.abi");
  appendToUsed(M, {Reference});
}

} // namespace evenkeel
