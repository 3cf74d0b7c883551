//===- SideBodies.cpp - alternative bodies of recorded functions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SideBodies.h. The choice is a load and a branch before the recorded body.
// The call of another body replaces the function's own frame (musttail), so
// stacks do not grow and variable arguments are passed on. If arguments are
// structures passed by copy, it is an ordinary call.
//===----------------------------------------------------------------------===//
#include "record/bodies/SideBodies.h"
#include "record/Runtime.h"
#include "unit/Calls.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace evenkeel {

ArrayRef<BodyKind> bodyKinds(RecordMode Mode) {
  static const BodyKind Kinds[] = {
      {1, ".ek.plain", std::nullopt, /*Stays=*/true},
  };
  if (Mode == RecordMode::Walks) // these programs are run only for the walks
    return {};
  return Kinds;
}

/// Whether the caller passes a copy of an argument on the stack. Code
/// generators disagree on whether a musttail call may pass the same copy on.
static bool hasCopiedArgument(const Function &F) {
  return any_of(F.args(), [](const Argument &A) {
    return A.hasPassPointeeByValueCopyAttr();
  });
}

// Coroutines in unoptimised code are split later; tables of labels refer to
// blocks of one body.
bool canHaveCopies(const Function &F) {
  return !F.isPresplitCoroutine() && !(F.isVarArg() && hasCopiedArgument(F)) &&
         none_of(F, [](const BasicBlock &BB) { return BB.hasAddressTaken(); });
}

SmallPtrSet<const Function *, 16> runOnce(const Module &M) {
  SmallPtrSet<const Function *, 16> Out;
  for (const char *Name : {"llvm.global_ctors", "llvm.global_dtors"}) {
    const GlobalVariable *G = M.getNamedGlobal(Name);
    auto *List = G && G->hasInitializer()
                     ? dyn_cast<ConstantArray>(G->getInitializer())
                     : nullptr;
    if (List)
      for (const Use &Row : List->operands())
        if (auto *F = dyn_cast<Function>(
                cast<Constant>(Row)->getOperand(1)->stripPointerCasts()))
          Out.insert(F);
  }
  if (const Function *Main = M.getFunction("main"))
    Out.insert(Main);
  return Out;
}

void reportStaying(Module &M, uint64_t Single, uint64_t Entered) {
  if (!Single && !Entered)
    return;
  LLVMContext &C = M.getContext();
  Type *Void = Type::getVoidTy(C);
  Function *Ctor = Function::createWithDefaultAttr(
      FunctionType::get(Void, false), GlobalValue::InternalLinkage,
      M.getDataLayout().getProgramAddressSpace(), "ek.rec.staying", &M);
  IRBuilder<> B(ReturnInst::Create(C, BasicBlock::Create(C, "", Ctor)));
  B.CreateCall(RecordRuntime::declare(M, RecordCall::rec_staying),
               {B.getInt64(Single), B.getInt64(Entered)});
  appendToGlobalCtors(M, Ctor, /*Priority=*/101);
}

std::vector<Function *> withSideBodies(const Module &M,
                                       ArrayRef<Function *> Functions,
                                       uint64_t &Single) {
  const SmallPtrSet<const Function *, 16> Once = runOnce(M);
  std::vector<Function *> Out;
  for (Function *F : Functions)
    if (!canHaveCopies(*F) || (F->isVarArg() && hasCopiedArgument(*F)))
      ++Single;
    else if (!Once.count(F))
      Out.push_back(F);
  return Out;
}

/// Gives \p Body a name, linkage and comdat group with which it exists wherever
/// it is called directly, whichever unit's \p F the linker selects.
static void placeBody(const Function &F, Function &Body) {
  Module &M = *Body.getParent();
  Body.setDSOLocal(true);
  if (F.hasLocalLinkage()) {
    Body.setComdat(const_cast<Comdat *>(F.getComdat()));
    return;
  }
  if (F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage()) {
    Body.setLinkage(GlobalValue::LinkOnceODRLinkage);
    Body.setVisibility(GlobalValue::HiddenVisibility);
    Body.setComdat(M.getOrInsertComdat(Body.getName()));
    return;
  }
  Body.setVisibility(GlobalValue::DefaultVisibility);
  Body.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Body.setLinkage(GlobalValue::InternalLinkage);
}

SideBodies::SideBodies(const BodyKind &Kind, ArrayRef<Function *> Of)
    : Kind(Kind) {
  for (Function *F : Of) {
    ValueToValueMapTy Copies; // with several, bodies would share debug
                              // locations
    Function *Body = CloneFunction(F, Copies);
    Body->setName(F->getName() + Kind.Suffix);
    placeBody(*F, *Body);
    BodyOf[F] = Body;
  }
  if (Kind.Stays)
    for (auto &[F, Body] : BodyOf)
      callDirectly(*Body);
}

void SideBodies::callDirectly(Function &Code) const {
  for (Instruction &I : instructions(Code)) {
    auto *CB = dyn_cast<CallBase>(&I);
    if (!CB)
      continue;
    const Function *Forked = isForkCall(*CB) ? outlinedCallee(*CB) : nullptr;
    for (Use &U : CB->operands()) {
      auto *Callee = dyn_cast<Function>(U.get());
      Function *Other = Callee ? BodyOf.lookup(Callee) : nullptr;
      if (Other && !Callee->isInterposable() &&
          (CB->isCallee(&U) || Callee == Forked))
        U.set(Other);
    }
  }
}

Value *loadBody(IRBuilder<> &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  Type *I32 = B.getInt32Ty();
  LoadInst *Number = B.CreateAlignedLoad(
      I32, M.getOrInsertGlobal("__ek_rec_body", I32), Align(4));
  Number->setAtomic(AtomicOrdering::Monotonic);
  return Number;
}

/// Inserts a block before \p F's first one; \p F's variables stay in it.
static void newEntry(Function &F) {
  BasicBlock &Old = F.getEntryBlock();
  auto *New =
      BasicBlock::Create(F.getContext(), Old.getName() + ".ek", &F, &Old);
  for (Instruction &I : make_early_inc_range(Old))
    if (auto *A = dyn_cast<AllocaInst>(&I);
        A && isa<Constant>(A->getArraySize()))
      A->moveBefore(*New, New->end());
}

static void enter(Function &F, Function &Body, BasicBlock &At) {
  IRBuilder<> B(&At);
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : F.args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(&Body, Arguments);
  if (!hasCopiedArgument(F))
    Call->setTailCallKind(CallInst::TCK_MustTail);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(F.getAttributes().removeFnAttributes(F.getContext()));
  if (DISubprogram *SP = F.getSubprogram()) // calls in functions with debug
                                            // information need a location
    Call->setDebugLoc(
        DILocation::get(F.getContext(), SP->getScopeLine(), 0, SP));
  F.getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Call);
}

/// Whether \p F reads its own variable arguments.
static bool readsVariableArguments(const Function &F) {
  return F.isVarArg() && any_of(instructions(F), [](const Instruction &I) {
           auto *Call = dyn_cast<IntrinsicInst>(&I);
           return Call && Call->getIntrinsicID() == Intrinsic::vastart;
         });
}

/// Moves \p F's recorded body into a function of its own. LLVM 19 overwrites
/// the return address of a function that both reads variable arguments and
/// passes them on by musttail, where it is compiled for AVX: the registers kept
/// for the call are saved behind the area of the arguments.
static Function *moveBody(Function &F) {
  Function *Body =
      Function::Create(F.getFunctionType(), F.getLinkage(), F.getAddressSpace(),
                       F.getName() + ".ek.recorded", F.getParent());
  Body->copyAttributesFrom(&F);
  placeBody(F, *Body);
  for (unsigned I = 0; I < F.arg_size(); ++I) {
    F.getArg(I)->replaceAllUsesWith(Body->getArg(I));
    Body->getArg(I)->takeName(F.getArg(I));
  }
  Body->splice(Body->begin(), &F);
  Body->setSubprogram(F.getSubprogram());
  F.setSubprogram(nullptr);
  return Body;
}

/// The block in which \p F's recorded code begins, behind a new, empty entry.
static BasicBlock &recordedEntry(Function &F) {
  LLVMContext &C = F.getContext();
  if (!readsVariableArguments(F)) {
    BasicBlock &Old = F.getEntryBlock();
    newEntry(F);
    return Old;
  }
  Function *Body = moveBody(F);
  BasicBlock::Create(C, "entry.ek", &F);
  auto *At = BasicBlock::Create(C, "ek.recorded", &F);
  enter(F, *Body, *At);
  return *At;
}

void chooseAtEntries(Module &M, ArrayRef<std::unique_ptr<SideBodies>> All) {
  MapVector<Function *, SmallVector<std::pair<unsigned, Function *>, 2>> Of;
  for (const auto &Side : All)
    for (auto &[F, Body] : Side->all())
      Of[F].push_back({Side->kind().Number, Body});
  LLVMContext &C = M.getContext();
  for (auto &[F, Others] : Of) {
    BasicBlock &Recorded = recordedEntry(*F);
    IRBuilder<> B(&F->getEntryBlock());
    SwitchInst *Choice = B.CreateSwitch(loadBody(B), &Recorded, Others.size());
    SmallVector<uint32_t, 4> Weights = {1000};
    for (auto &[N, Body] : Others) {
      auto *At = BasicBlock::Create(C, "ek.beside", F);
      enter(*F, *Body, *At);
      Choice->addCase(B.getInt32(N), At);
      Weights.push_back(1);
    }
    Choice->setMetadata(LLVMContext::MD_prof,
                        MDBuilder(C).createBranchWeights(Weights));
  }
}

} // namespace evenkeel
