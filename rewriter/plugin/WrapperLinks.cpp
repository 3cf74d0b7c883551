//===- WrapperLinks.cpp - code that depends on linked wrappers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrapperLinks.h.
//===----------------------------------------------------------------------===//
#include "WrapperLinks.h"
#include "format/ek_wrapper.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace evenkeel {
namespace {

/// The mark symbols of a unit's functions and of the functions that it calls.
class Marks {
  Module &M;
  std::map<std::string, const WrapperNode *> Nodes;
  std::map<std::string, GlobalVariable *> Made;
  IntegerType *Byte;
  PointerType *Pointer;

  const Function *definition(const WrapperNode &N) const;
  GlobalVariable *define(const WrapperNode &N);

public:
  Marks(Module &M, const LinkedWrappers &Of)
      : M(M), Byte(Type::getInt8Ty(M.getContext())),
        Pointer(PointerType::getUnqual(M.getContext())) {
    for (const WrapperNode &N : Of.Functions)
      Nodes.emplace(N.Mark, &N);
  }
  GlobalVariable *get(const std::string &Mark);
  /// Defines the marks that other units may refer to.
  void defineShared();
};

/// The definition of a function that other units can call; null for functions
/// that are local to each unit.
const Function *Marks::definition(const WrapperNode &N) const {
  for (const std::string &Name : N.Names)
    if (const Function *F = M.getFunction(Name);
        F && !F->isDeclaration() && !F->hasLocalLinkage() &&
        !F->hasLinkOnceLinkage() && !F->hasAvailableExternallyLinkage())
      return F;
  return nullptr;
}

GlobalVariable *Marks::define(const WrapperNode &N) {
  LLVMContext &C = M.getContext();
  IntegerType *Word = Type::getInt32Ty(C);
  const size_t Count = N.IfAny.size();
  ArrayType *List = ArrayType::get(Pointer, Count);
  // ek_wrapper, or only its first byte.
  StructType *T = StructType::get(C, {Byte, Word, Word, Pointer, List});
  Type *Of = N.Holds ? static_cast<Type *>(Byte) : T;
  auto *G = new GlobalVariable(M, Of, N.Holds, GlobalValue::PrivateLinkage,
                               nullptr, N.Mark);
  Made[N.Mark] = G;
  if (const Function *F = definition(N)) {
    // Tools that rename or hide functions in objects do not know this symbol,
    // so it may be defined twice.
    G->setLinkage(GlobalValue::WeakAnyLinkage);
    G->setVisibility(F->getVisibility());
    G->setDSOLocal(F->isDSOLocal());
    if (Triple(M.getTargetTriple()).supportsCOMDAT())
      G->setComdat(M.getOrInsertComdat(N.Mark));
  }
  GlobalValue::SanitizerMetadata Plain;
  Plain.NoAddress = Plain.NoHWAddress = true;
  G->setSanitizerMetadata(Plain);
  if (N.Holds) {
    G->setInitializer(ConstantInt::get(Byte, EK_WRAPPER_YES));
    return G;
  }
  std::vector<Constant *> IfAny;
  for (const std::string &Mark : N.IfAny)
    IfAny.push_back(get(Mark));
  G->setInitializer(ConstantStruct::get(
      T, {ConstantInt::get(Byte, EK_WRAPPER_OPEN),
          ConstantInt::get(Word, Count), ConstantInt::get(Word, 0),
          ConstantPointerNull::get(Pointer), ConstantArray::get(List, IfAny)}));
  return G;
}

GlobalVariable *Marks::get(const std::string &Mark) {
  if (auto It = Made.find(Mark); It != Made.end())
    return It->second;
  if (auto It = Nodes.find(Mark); It != Nodes.end())
    return define(*It->second);
  return Made[Mark] = new GlobalVariable(M, Byte, /*isConstant=*/false,
                                         GlobalValue::ExternalWeakLinkage,
                                         nullptr, Mark);
}

void Marks::defineShared() {
  for (const auto &[Mark, N] : Nodes)
    if (definition(*N))
      get(Mark);
}

/// The code around the calls of a module.
class Surroundings {
  Module &M;
  FunctionCallee Push, Pop;
  MDNode *Rarely;
  /// Calls that end at a landing pad.
  MapVector<BasicBlock *, SetVector<std::pair<uint64_t, GlobalVariable *>>>
      Unwound;

  static bool isOurs(FunctionCallee F) {
    return cast<Function>(F.getCallee())->hasExternalWeakLinkage();
  }
  FunctionCallee declare(StringRef Name, ArrayRef<Type *> Parameters);
  Value *frame(IRBuilder<> &B);
  Instruction *when(Value *Condition, Instruction *Before);
  Instruction *whereState(GlobalVariable *Mark, uint8_t State, bool Is,
                          Instruction *Before, DebugLoc L);
  void end(uint64_t Id, GlobalVariable *Mark, Instruction *Before, DebugLoc L);

public:
  explicit Surroundings(Module &M);
  void put(CallBase &CB, uint64_t Id, GlobalVariable *Mark);
  /// To be called after all calls are instrumented.
  void endUnwound();
};

/// Declared weak, so the unit needs none of our libraries just for this.
FunctionCallee Surroundings::declare(StringRef Name,
                                     ArrayRef<Type *> Parameters) {
  const bool Known = M.getFunction(Name);
  FunctionCallee F = M.getOrInsertFunction(
      Name, FunctionType::get(Type::getVoidTy(M.getContext()), Parameters,
                              /*isVarArg=*/false));
  if (!Known) {
    cast<Function>(F.getCallee())->setLinkage(GlobalValue::ExternalWeakLinkage);
    cast<Function>(F.getCallee())->setDoesNotThrow();
  }
  return F;
}

Surroundings::Surroundings(Module &M)
    : M(M), Rarely(MDBuilder(M.getContext()).createUnlikelyBranchWeights()) {
  Type *Pointer = PointerType::getUnqual(M.getContext());
  Type *Id = Type::getInt64Ty(M.getContext());
  Push = declare("ek_context_push_if", {Pointer, Id, Pointer});
  Pop = declare("ek_context_pop", {Id, Pointer, Pointer});
}

Value *Surroundings::frame(IRBuilder<> &B) {
  return B.CreateIntrinsic(Intrinsic::frameaddress, {B.getPtrTy()},
                           {B.getInt32(0)});
}

/// The end of a new block before \p Before that runs under \p Condition.
Instruction *Surroundings::when(Value *Condition, Instruction *Before) {
  return SplitBlockAndInsertIfThen(Condition, Before->getIterator(),
                                   /*Unreachable=*/false, Rarely);
}

/// The same, if \p Mark is defined and its state is (or is not) \p State.
Instruction *Surroundings::whereState(GlobalVariable *Mark, uint8_t State,
                                      bool Is, Instruction *Before,
                                      DebugLoc L) {
  if (Mark->hasExternalWeakLinkage()) {
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(L);
    Before = when(B.CreateIsNotNull(Mark), Before);
  }
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(L);
  LoadInst *Load = B.CreateAlignedLoad(B.getInt8Ty(), Mark, Align(1));
  Load->setAtomic(AtomicOrdering::Monotonic);
  return when(B.CreateICmp(Is ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE, Load,
                           B.getInt8(State)),
              Before);
}

void Surroundings::end(uint64_t Id, GlobalVariable *Mark, Instruction *Before,
                       DebugLoc L) {
  Instruction *There = whereState(Mark, EK_WRAPPER_YES, true, Before, L);
  if (isOurs(Pop)) {
    IRBuilder<> B(There);
    There = when(B.CreateIsNotNull(Pop.getCallee()), There);
  }
  IRBuilder<> B(There);
  B.SetCurrentDebugLocation(L);
  B.CreateCall(
      Pop, {B.getInt64(Id), frame(B), ConstantPointerNull::get(B.getPtrTy())});
}

void Surroundings::put(CallBase &CB, uint64_t Id, GlobalVariable *Mark) {
  const DebugLoc L = CB.getDebugLoc();
  Instruction *There = whereState(Mark, EK_WRAPPER_NO, false, &CB, L);
  if (isOurs(Push)) {
    IRBuilder<> B(There);
    There = when(B.CreateIsNotNull(Push.getCallee()), There);
  }
  IRBuilder<> B(There);
  B.SetCurrentDebugLocation(L);
  B.CreateCall(Push, {Mark, B.getInt64(Id), frame(B)});
  if (auto *II = dyn_cast<InvokeInst>(&CB)) {
    BasicBlock *Normal = II->getNormalDest();
    if (!Normal->getSinglePredecessor())
      Normal = SplitEdge(II->getParent(), Normal);
    end(Id, Mark, &*Normal->getFirstInsertionPt(), L);
    Unwound[II->getUnwindDest()].insert({Id, Mark});
  } else {
    cast<CallInst>(CB).setTailCallKind(CallInst::TCK_None);
    end(Id, Mark, CB.getNextNode(), L);
  }
}

void Surroundings::endUnwound() {
  for (auto &[Pad, Calls] : Unwound)
    for (const auto &[Id, Mark] : Calls)
      end(Id, Mark, &*Pad->getFirstInsertionPt(),
          Pad->getFirstNonPHI()->getDebugLoc());
}

//===--- Instrumented calls -----------------------------------------------===//

/// The linked calls of a unit by function and place, to find them in the code.
class Places {
  using Key = std::tuple<std::string, unsigned, unsigned>;
  std::map<Key, std::vector<const LinkedCall *>> At;

  static StringRef fileName(StringRef Path) {
    return sys::path::filename(Path);
  }

public:
  explicit Places(const LinkedWrappers &Of) {
    for (const LinkedCall &C : Of.Calls)
      for (const std::string &Name : C.Names)
        if (C.Column)
          At[{Name, C.Line, C.Column}].push_back(&C);
  }
  bool empty() const { return At.empty(); }
  /// Null if \p CB is not a linked call, or not the only one at its place.
  const LinkedCall *find(const CallBase &CB) const {
    // Constructors may be aliases of other constructors.
    const auto *F = dyn_cast<GlobalValue>(CB.getCalledOperand());
    const DILocation *L = CB.getDebugLoc();
    auto It = F && L
                  ? At.find({F->getName().str(), L->getLine(), L->getColumn()})
                  : At.end();
    const LinkedCall *Found = nullptr;
    if (It == At.end())
      return nullptr;
    for (const LinkedCall *C : It->second)
      if (fileName(C->Spelled) == fileName(L->getFilename())) {
        if (Found && Found->Id != C->Id)
          return nullptr;
        Found = C;
      }
    return Found;
  }
};

bool canSurround(const CallBase &CB) {
  if (CB.doesNotReturn() || CB.getFunction()->isPresplitCoroutine() ||
      CB.getFunction()->hasFnAttribute(Attribute::Naked))
    return false;
  auto *CI = dyn_cast<CallInst>(&CB);
  return CI ? !CI->isMustTailCall()
            : isa<InvokeInst>(CB) &&
                  isa<LandingPadInst>(
                      cast<InvokeInst>(CB).getUnwindDest()->getFirstNonPHI());
}

void link(Module &M, const LinkedWrappers &Of) {
  Marks All(M, Of);
  All.defineShared();
  Places Known(Of);
  if (Known.empty())
    return;
  std::vector<std::pair<CallBase *, const LinkedCall *>> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I))
        if (const LinkedCall *C = Known.find(*CB); C && canSurround(*CB))
          Calls.push_back({CB, C});
  if (Calls.empty())
    return;
  Surroundings Around(M);
  for (auto &[CB, C] : Calls)
    Around.put(*CB, C->Id, All.get(C->Mark));
  Around.endUnwound();
}

struct LinkWrappers : PassInfoMixin<LinkWrappers> {
  std::shared_ptr<LinkedWrappers> Of;
  bool Strip;

  LinkWrappers(std::shared_ptr<LinkedWrappers> Of, bool Strip)
      : Of(std::move(Of)), Strip(Strip) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    link(M, *Of);
    if (Strip)
      StripDebugInfo(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

std::shared_ptr<LinkedWrappers> linkWrappers(clang::CompilerInstance &CI) {
  auto Of = std::make_shared<LinkedWrappers>();
  clang::CodeGenOptions &Options = CI.getCodeGenOpts();
  if (Options.DisableLLVMPasses)
    return Of;
  const bool Strip = Options.getDebugInfo() == codegenoptions::NoDebugInfo;
  if (Strip) {
    Options.setDebugInfo(codegenoptions::DebugLineTablesOnly);
    Options.DebugColumnInfo = true;
  }
  Options.PassBuilderCallbacks.push_back([Of, Strip](PassBuilder &PB) {
    PB.registerPipelineStartEPCallback(
        [Of, Strip](ModulePassManager &MPM, OptimizationLevel) {
          MPM.addPass(LinkWrappers(Of, Strip));
        });
  });
  return Of;
}

} // namespace evenkeel
