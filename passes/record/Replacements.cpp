//===- Replacements.cpp - record allocations ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the recorder's allocation functions, which replace those of the
// program, static arrays and stack arrays.
//===----------------------------------------------------------------------===//
#include "format/ek_sizes.h"
#include "record/Instrumenter.h"
#include "unit/Calls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace evenkeel {

void Instrumenter::redirect(CallBase &CB, RecordCall Call,
                            ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 8> Types;
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  FunctionCallee C = RecordRuntime::declareAs(M, Call, CB.getType(), Types);
  if (!C.getCallee()) // declared with another prototype; the C library serves
                      // it
    return;
  IRBuilder<> B(&CB);
  CallBase *New;
  if (auto *II = dyn_cast<InvokeInst>(&CB))
    New =
        B.CreateInvoke(C, II->getNormalDest(), II->getUnwindDest(), Arguments);
  else
    New = B.CreateCall(C, Arguments);
  // The result's attributes still hold, but argument positions have changed.
  AttributeList Old = CB.getAttributes();
  New->setAttributes(AttributeList::get(M.getContext(), AttributeSet(),
                                        Old.getRetAttrs(), {}));
  New->copyMetadata(CB);
  New->takeName(&CB);
  CB.replaceAllUsesWith(New);
  CB.eraseFromParent();
}

bool Instrumenter::redirectAllocation(CallBase &CB) {
  std::optional<Allocation> Made = allocationOf(CB);
  if (!Made)
    return false;
  const std::string &Kind = Made->Kind;
  StringRef N = calleeOf(CB)->getName();
  auto It = R.Sites.find(&CB);
  Value *Site =
      ConstantInt::get(RT.I64, It == R.Sites.end() ? 0 : It->second.Id);
  SmallVector<Value *, 4> A(CB.args());
  // It is not known how memory of allocators from users or declarations is
  // freed.
  if (Made->From == AllocatorOrigin::Chosen &&
      (!findAllocator(std::string_view(N)) || isNamedAllocator(*calleeOf(CB))))
    return false;
  if (Made->From == AllocatorOrigin::Chosen)
    replaceChosen(CB, *Made, It == R.Sites.end() ? 0 : It->second.Id);
  else if (Kind == "malloc" && A.size() == 1)
    redirect(CB, RecordCall::rec_malloc, {Site, A[0]});
  else if (Kind == "calloc" && A.size() == 2)
    redirect(CB, RecordCall::rec_calloc, {Site, A[0], A[1]});
  else if (Kind == "realloc" && A.size() == 2)
    redirect(CB, RecordCall::rec_realloc, {Site, A[0], A[1]});
  else if (Kind == "reallocarray" && A.size() == 3)
    redirect(CB, RecordCall::rec_reallocarray, {Site, A[0], A[1], A[2]});
  else if ((Kind == "aligned_alloc" || Kind == "memalign") && A.size() == 2)
    redirect(CB, RecordCall::rec_aligned_alloc, {Site, A[0], A[1]});
  else if (Kind == "_mm_malloc" && A.size() == 2)
    redirect(CB, RecordCall::rec_aligned_alloc, {Site, A[1], A[0]});
  else if ((Kind == "valloc" || Kind == "pvalloc") && A.size() == 1)
    redirect(CB, RecordCall::rec_aligned_alloc,
             {Site, ConstantInt::get(RT.I64, EK_PAGE), A[0]});
  else if (Kind == "posix_memalign" && A.size() == 3)
    redirect(CB, RecordCall::rec_posix_memalign, {Site, A[0], A[1], A[2]});
  else if (N == "_Znwm" || N == "_Znam")
    redirect(CB, RecordCall::rec_new, {Site, A[0]});
  else if (N == "_ZnwmRKSt9nothrow_t" || N == "_ZnamRKSt9nothrow_t")
    redirect(CB, RecordCall::rec_new_nothrow, {Site, A[0]});
  else if (N == "_ZnwmSt11align_val_t" || N == "_ZnamSt11align_val_t")
    redirect(CB, RecordCall::rec_new_aligned, {Site, A[0], A[1]});
  else if (N == "_ZnwmSt11align_val_tRKSt9nothrow_t" ||
           N == "_ZnamSt11align_val_tRKSt9nothrow_t")
    redirect(CB, RecordCall::rec_aligned_alloc, {Site, A[1], A[0]});
  else if (Kind == "mmap" && A.size() == 6)
    redirect(CB, RecordCall::rec_mmap,
             {Site, A[0], A[1], A[2], A[3], A[4], A[5]});
  else if (Kind == "MPI_Alloc_mem" && A.size() == 3)
    redirect(CB, RecordCall::rec_mpi_alloc_mem, {Site, A[0], A[1], A[2]});
  else
    return false;
  return true;
}

/// The allocator is still called, but the program works on another block
/// instead of the one it returns.
void Instrumenter::replaceChosen(CallBase &CB, const Allocation &Made,
                                 uint64_t Site) {
  if (auto *II = dyn_cast<InvokeInst>(&CB);
      II && !II->getNormalDest()->getSinglePredecessor())
    SplitEdge(II->getParent(), II->getNormalDest());
  IRBuilder<> B(&CB);
  Value *Old = ConstantPointerNull::get(cast<PointerType>(RT.Ptr));
  if (Made.Old >= 0) {
    Old = CB.getArgOperand(Made.Old);
    CB.setArgOperand(
        Made.Old,
        B.CreateCall(RecordRuntime::declare(M, RecordCall::rec_chosen_original),
                     {Old}));
  }
  Value *Bytes = B.CreateZExtOrTrunc(CB.getArgOperand(Made.Size), RT.I64);
  if (Made.Count >= 0)
    Bytes = B.CreateMul(
        Bytes, B.CreateZExtOrTrunc(CB.getArgOperand(Made.Count), RT.I64));
  if (!goAfter(B, CB))
    return;
  if (Made.Out >= 0) {
    FunctionCallee C = RecordRuntime::declare(M, RecordCall::rec_chosen_out);
    B.CreateCall(C, {B.getInt64(Site),
                     B.CreateIntCast(&CB, RT.I32, /*isSigned=*/true),
                     CB.getArgOperand(Made.Out), Bytes});
    return;
  }
  FunctionCallee C = RecordRuntime::declare(M, RecordCall::rec_chosen);
  CallInst *New = B.CreateCall(C, {B.getInt64(Site), Old, &CB, Bytes});
  CB.replaceUsesWithIf(New, [&](Use &U) { return U.getUser() != New; });
}

/// A call that frees memory of such an allocator must pass the allocator's own
/// address, also if the function is called through a pointer.
void Instrumenter::wrapChosenFrees() {
  SmallVector<std::pair<Function *, unsigned>, 4> Frees;
  for (Function &F : M)
    if (int N = releasedArgument(std::string_view(F.getName()));
        N >= 0 && F.isDeclaration() && unsigned(N) < F.arg_size() &&
        F.getArg(N)->getType()->isPointerTy() && !F.use_empty())
      Frees.push_back({&F, unsigned(N)});
  for (auto [F, N] : Frees) {
    Function *Wrapper = Function::createWithDefaultAttr(
        F->getFunctionType(), GlobalValue::InternalLinkage,
        F->getAddressSpace(), "ek.rec." + F->getName(), &M);
    F->replaceAllUsesWith(Wrapper);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Wrapper));
    SmallVector<Value *, 2> Arguments;
    for (Argument &A : Wrapper->args())
      Arguments.push_back(&A);
    Arguments[N] = B.CreateCall(
        RecordRuntime::declare(M, RecordCall::rec_chosen_free), {Arguments[N]});
    Value *Result = B.CreateCall(F, Arguments);
    F->getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Result);
  }
}

bool Instrumenter::redirectFree(CallBase &CB) {
  Function *F = calleeOf(CB);
  if (!F || !F->isDeclaration() || CB.arg_empty() ||
      !CB.getArgOperand(0)->getType()->isPointerTy())
    return false;
  StringRef N = F->getName();
  if (N == "free")
    redirect(CB, RecordCall::rec_free, {CB.getArgOperand(0)});
  else if (N.starts_with("_ZdlPv")) // includes the sized and aligned forms
    redirect(CB, RecordCall::rec_delete, {CB.getArgOperand(0)});
  else if (N.starts_with("_ZdaPv"))
    redirect(CB, RecordCall::rec_delete_array, {CB.getArgOperand(0)});
  else if (N == "munmap" && CB.arg_size() == 2)
    redirect(CB, RecordCall::rec_munmap,
             {CB.getArgOperand(0), CB.getArgOperand(1)});
  else if (N == "mremap" && CB.arg_size() >= 4) {
    SmallVector<Value *, 6> A(CB.args());
    A.insert(A.begin(), ConstantInt::get(RT.I64, 0));
    if (A.size() == 5)
      A.push_back(ConstantPointerNull::get(cast<PointerType>(RT.Ptr)));
    redirect(CB, RecordCall::rec_mremap, A);
  } else if (N == "MPI_Free_mem" && CB.arg_size() == 1)
    redirect(CB, RecordCall::rec_mpi_free_mem, {CB.getArgOperand(0)});
  else
    return false;
  return true;
}

void Instrumenter::registerGlobals() {
  const Align Line(EK_LINE);
  const DataLayout &DL = M.getDataLayout();
  Function *Ctor = nullptr;
  GlobalVariable *Last = nullptr;
  IRBuilder<> B(M.getContext());
  for (auto &[G, Info] : R.GlobalSites) {
    if (G->isDeclaration() || G->isThreadLocal())
      continue;
    // Formulas assume that arrays begin at the start of a line, as on the heap.
    if (!G->hasSection() && G->getAlign().valueOrOne() < Line)
      G->setAlignment(Line);
    if (!Ctor) {
      Ctor = Function::createWithDefaultAttr(
          FunctionType::get(RT.Void, false), GlobalValue::InternalLinkage,
          DL.getProgramAddressSpace(), "ek.rec.globals", &M);
      BasicBlock *Entry = BasicBlock::Create(M.getContext(), "", Ctor);
      B.SetInsertPoint(ReturnInst::Create(M.getContext(), Entry));
      appendToGlobalCtors(M, Ctor, /*Priority=*/101);
    }
    B.CreateCall(RT.Global,
                 {B.getInt64(Info.Id), G,
                  B.getInt64(DL.getTypeAllocSize(G->getValueType()))});
    Last = G;
  }
  if (Sampling && Last)
    Sampling->setShift(B, Last);
}

/// Stack arrays have no canonical address, so they are moved to the heap for
/// their lifetime. After an exception, the frame that catches it frees them.
void Instrumenter::moveStackArrays(
    Function &F, ArrayRef<std::pair<AllocaInst *, uint64_t>> Arrays) {
  FunctionCallee Mark = RecordRuntime::declare(M, RecordCall::rec_stack_mark);
  FunctionCallee Reset = RecordRuntime::declare(M, RecordCall::rec_stack_reset);
  FunctionCallee Make = RecordRuntime::declare(M, RecordCall::rec_stack);
  SmallVector<Instruction *, 4> Ends, Restores;
  for (Instruction &I : instructions(F)) {
    if (isa<ReturnInst, ResumeInst>(I))
      Ends.push_back(&I);
    if (auto *II = dyn_cast<IntrinsicInst>(&I);
        II && II->getIntrinsicID() == Intrinsic::stackrestore &&
        isa<IntrinsicInst>(II->getArgOperand(0)))
      Restores.push_back(II);
  }
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  Value *Begin = B.CreateCall(Mark, {});
  for (Instruction *I : Ends) {
    B.SetInsertPoint(I);
    B.CreateCall(Reset, {Begin});
  }
  DenseMap<Value *, Value *> Marks; // stacksave
  for (Instruction *I : Restores) {
    auto *Save = cast<IntrinsicInst>(cast<IntrinsicInst>(I)->getArgOperand(0));
    Value *&At = Marks[Save];
    if (!At) {
      B.SetInsertPoint(Save);
      At = B.CreateCall(Mark, {});
    }
    B.SetInsertPoint(I);
    B.CreateCall(Reset, {At});
  }
  const DataLayout &DL = M.getDataLayout();
  for (auto &[A, Site] : Arrays) {
    for (User *U : make_early_inc_range(A->users()))
      if (auto *I = dyn_cast<Instruction>(U); I && I->isLifetimeStartOrEnd())
        I->eraseFromParent();
    B.SetInsertPoint(A);
    Value *Each = B.getInt64(DL.getTypeAllocSize(A->getAllocatedType()));
    Value *Bytes =
        B.CreateMul(B.CreateZExtOrTrunc(A->getArraySize(), RT.I64), Each);
    Value *P = B.CreateCall(
        Make, {B.getInt64(Site), Bytes, B.getInt64(A->getAlign().value())});
    P->takeName(A);
    A->replaceAllUsesWith(P);
    A->eraseFromParent();
  }
}

} // namespace evenkeel
