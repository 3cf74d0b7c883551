//===- Walks.cpp - measure how accesses walk ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: two shadow values for each value from which an address is computed.
//   depth  the number of dependent loads that lead to it: a load has one more
//          than its address, all other values the maximum of their operands
//   stamp  the last time that a load leading to it returned a changed value
// So an access is a chase if its depth grows each time, and a gather if its
// stamp is newer than its last execution. A select's condition counts as an
// operand, a branch's does not: processors wait for selects and predict
// branches. If all callers of a function are known, shadows are passed through
// the thread's slots (__ek_rec_passed).
// Not here: see Walks.h.
//===----------------------------------------------------------------------===//
#include "record/Walks.h"
#include "access/Rows.h"
#include "objects/Objects.h"
#include "unit/Calls.h"
#include "unit/Source.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/JSON.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace evenkeel {
namespace {

constexpr unsigned PassedSlots = 16; // record_abi.h: EK_REC_PASSED

struct Shadow {
  Value *Depth, *Stamp;
};

class Shadows {
  Module &M;
  Type *I64;
  FunctionCallee Loaded;
  GlobalVariable *Passed;
  MapVector<Value *, Shadow> Known;
  std::vector<CallBase *> Returning; // whose results' shadows are used
  unsigned Loads = 0;
  GlobalVariable *LoadNumbers;

  Shadow zero() { return {ConstantInt::get(I64, 0), ConstantInt::get(I64, 0)}; }
  Shadow join(IRBuilder<> &B, Shadow X, Shadow Y) {
    auto Larger = [&](Value *A, Value *C) -> Value * {
      if (isa<Constant>(A))
        return C;
      if (isa<Constant>(C) || A == C)
        return A;
      return B.CreateBinaryIntrinsic(Intrinsic::umax, A, C);
    };
    return {Larger(X.Depth, Y.Depth), Larger(X.Stamp, Y.Stamp)};
  }
  Value *slot(IRBuilder<> &B, unsigned N, unsigned Field) {
    return B.CreateConstInBoundsGEP1_64(I64, B.CreateThreadLocalAddress(Passed),
                                        2 * N + Field);
  }
  Shadow read(IRBuilder<> &B, unsigned N) {
    return {B.CreateLoad(I64, slot(B, N, 0)), B.CreateLoad(I64, slot(B, N, 1))};
  }
  void write(IRBuilder<> &B, unsigned N, Shadow S) {
    B.CreateStore(S.Depth, slot(B, N, 0));
    B.CreateStore(S.Stamp, slot(B, N, 1));
  }
  Shadow ofLoad(Instruction &L, Value *Pointer);
  Shadow ofArgument(Argument &A);

  /// Whether every call of \p F is a direct call in this module.
  static bool closed(const Function &F) {
    return !F.isDeclaration() && !F.isVarArg() && !F.hasAddressTaken() &&
           F.getName() != "main" && !F.hasFnAttribute(Attribute::Naked);
  }

public:
  Shadows(Module &M, FunctionCallee Loaded, GlobalVariable *LoadNumbers)
      : M(M), I64(Type::getInt64Ty(M.getContext())), Loaded(Loaded),
        LoadNumbers(LoadNumbers) {
    Passed = new GlobalVariable(M, ArrayType::get(I64, 2 * PassedSlots), false,
                                GlobalValue::ExternalLinkage, nullptr,
                                "__ek_rec_passed", nullptr,
                                GlobalValue::InitialExecTLSModel);
  }
  Shadow of(Value *V);
  /// Stores the shadows that calls pass, after all other code has been
  /// inserted.
  void connect();
  unsigned loads() const { return Loads; }
};

} // namespace

/// The shadow of the value that \p L loads from \p Pointer.
Shadow Shadows::ofLoad(Instruction &L, Value *Pointer) {
  Shadow Address = of(Pointer);
  IRBuilder<> B(L.getNextNode());
  B.SetCurrentDebugLocation(L.getDebugLoc());
  Type *T = L.getType();
  Value *Bits = ConstantInt::get(I64, 0);
  uint64_t Size = M.getDataLayout().getTypeSizeInBits(T).getKnownMinValue();
  if (T->isPointerTy())
    Bits = B.CreatePtrToInt(&L, I64);
  else if (Size <= 64 && CastInst::isBitOrNoopPointerCastable(
                             T, B.getIntNTy(Size), M.getDataLayout()))
    Bits = B.CreateZExt(B.CreateBitCast(&L, B.getIntNTy(Size)), I64);
  Value *Number = B.CreateConstInBoundsGEP1_64(I64, LoadNumbers, Loads++);
  Value *Stamp = B.CreateCall(Loaded, {Number, Bits});
  return {B.CreateAdd(Address.Depth, B.getInt64(1)),
          join(B, Address, {B.getInt64(0), Stamp}).Stamp};
}

Shadow Shadows::ofArgument(Argument &A) {
  Function &F = *A.getParent();
  if (!closed(F) || A.getArgNo() >= PassedSlots - 1)
    return zero();
  IRBuilder<> B(&F.getEntryBlock(),
                F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return read(B, A.getArgNo());
}

Shadow Shadows::of(Value *V) {
  if (auto *A = dyn_cast<Argument>(V)) {
    if (auto It = Known.find(V); It != Known.end())
      return It->second;
    return Known[V] = ofArgument(*A);
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<AllocaInst>(I))
    return zero();
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  if (auto *P = dyn_cast<PHINode>(I)) {
    IRBuilder<> B(P);
    unsigned N = P->getNumIncomingValues();
    PHINode *D = B.CreatePHI(I64, N), *S = B.CreatePHI(I64, N);
    Known[V] = {D, S};
    for (unsigned K = 0; K < N; ++K) {
      Shadow In = of(P->getIncomingValue(K));
      D->addIncoming(In.Depth, P->getIncomingBlock(K));
      S->addIncoming(In.Stamp, P->getIncomingBlock(K));
    }
    return Known[V];
  }
  if (auto *L = dyn_cast<LoadInst>(I)) {
    Shadow S = ofLoad(*L, L->getPointerOperand());
    return Known[V] = S;
  }
  auto *CB = dyn_cast<CallBase>(I);
  if (CB && followsNodes(*CB) && !CB->isTerminator()) {
    Shadow S = ofLoad(*CB, CB->getArgOperand(0));
    return Known[V] = S;
  }
  if (CB && !isa<IntrinsicInst>(CB)) {
    Function *Callee = calleeOf(*CB);
    if (!Callee || Callee->isDeclaration() || !closed(*Callee) ||
        CB->isTerminator() || CB->isMustTailCall())
      return Known[V] = zero();
    IRBuilder<> B(CB->getNextNode());
    Returning.push_back(CB);
    return Known[V] = read(B, PassedSlots - 1);
  }
  if (I->isTerminator() || I->isEHPad() || I->getType()->isTokenTy() ||
      isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
    return Known[V] = zero(); // the result of an atomic depends on all threads
  SmallVector<Shadow, 4> In;
  for (Value *Op : I->operands())
    if (!isa<BasicBlock, MetadataAsValue>(Op))
      In.push_back(of(Op));
  IRBuilder<> B(I);
  Shadow S = zero();
  for (Shadow X : In)
    S = join(B, S, X);
  return Known[V] = S;
}

void Shadows::connect() {
  // Processing the arguments of one call may require further ones.
  DenseSet<std::pair<CallBase *, unsigned>> Done;
  DenseSet<Function *> Answering;
  for (bool Again = true; Again;) {
    Again = false;
    std::vector<Argument *> Asked;
    for (auto &[V, S] : Known)
      if (auto *A = dyn_cast<Argument>(V); A && !isa<Constant>(S.Depth))
        Asked.push_back(A);
    for (Argument *A : Asked)
      for (User *U : A->getParent()->users()) {
        auto *CB = cast<CallBase>(U);
        if (!Done.insert({CB, A->getArgNo()}).second)
          continue;
        Again = true;
        Shadow S = of(CB->getArgOperand(A->getArgNo()));
        IRBuilder<> B(CB);
        write(B, A->getArgNo(), S);
      }
    for (size_t K = 0; K < Returning.size(); ++K) {
      Function *Callee = calleeOf(*Returning[K]);
      if (!Answering.insert(Callee).second)
        continue;
      Again = true;
      for (BasicBlock &BB : *Callee)
        if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
          Shadow S = of(Return->getReturnValue());
          CallInst *Tail = BB.getTerminatingMustTailCall();
          IRBuilder<> B(Tail ? static_cast<Instruction *>(Tail) : Return);
          write(B, PassedSlots - 1, S);
        }
    }
  }
}

/// The analysis' claim about an access, as a JSON object.
static std::string claim(const RecordedAccess &A, const EkAccessResult &R,
                         SourceMap &Source) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  auto It = R.Accesses.find(A.I);
  AccessInfo Info = It == R.Accesses.end() ? AccessInfo() : It->second;
  if (It == R.Accesses.end())
    Info.Why = "unknown-object";
  J.object([&] {
    J.attribute("at", Source.locateUser(A.I->getDebugLoc()).at());
    J.attribute("class", accessClassName(Info.Class));
    J.attribute("element_bytes", A.Length ? 64 : int64_t(A.Bytes));
    J.attribute(
        "function",
        Source.locateFunction(A.I->getFunction()->getSubprogram()).Function);
    J.attribute("points", Info.Points);
    J.attributeArray("sites", [&] {
      for (uint64_t S : Info.Sites)
        J.value(formatv("{0:x-16}", S).str());
    });
    if (Info.Stride)
      J.attribute("stride", *Info.Stride);
    J.attribute("why", Info.Why);
  });
  return Text;
}

void recordWalks(Module &M, const EkAccessResult &R,
                 ArrayRef<RecordedAccess> Accesses) {
  LLVMContext &C = M.getContext();
  Type *I64 = Type::getInt64Ty(C), *Void = Type::getVoidTy(C);
  Type *Ptr = PointerType::getUnqual(C);
  FunctionCallee Walk = RecordRuntime::declare(M, RecordCall::rec_walk);
  FunctionCallee Range = RecordRuntime::declare(M, RecordCall::rec_walk_range);
  FunctionCallee Loaded = RecordRuntime::declare(M, RecordCall::rec_loaded);

  // The array's size is set at the end; code already refers to its elements.
  StructType *Record = StructType::get(C, {Ptr, I64});
  auto Array = [&](Type *Element, const char *Name) {
    return new GlobalVariable(M, ArrayType::get(Element, 0), false,
                              GlobalValue::PrivateLinkage, nullptr, Name);
  };
  GlobalVariable *LoadNumbers = Array(I64, "ek.rec.loads");
  GlobalVariable *Records = Array(Record, "ek.rec.walks");

  SourceMap Source(M);
  Shadows S(M, Loaded, LoadNumbers);
  std::vector<Constant *> Texts;
  for (const RecordedAccess &A : Accesses) {
    Shadow Of = S.of(A.Address);
    IRBuilder<> B(A.I);
    Value *Mine = B.CreateConstInBoundsGEP1_64(Record, Records, Texts.size());
    Texts.push_back(
        ConstantStruct::get(Record, {cast<Constant>(B.CreateGlobalString(
                                         claim(A, R, Source), "ek.rec.claim")),
                                     B.getInt64(0)}));
    if (A.Length)
      B.CreateCall(Range, {Mine, A.Address, B.CreateZExtOrTrunc(A.Length, I64),
                           Of.Depth, Of.Stamp});
    else
      B.CreateCall(Walk,
                   {Mine, A.Address, B.getInt64(A.Bytes), Of.Depth, Of.Stamp});
  }
  S.connect();

  auto Define = [&](GlobalVariable *Old, ArrayType *T, Constant *Value) {
    auto *New = new GlobalVariable(M, T, false, GlobalValue::PrivateLinkage,
                                   Value, Old->getName());
    Old->replaceAllUsesWith(New);
    Old->eraseFromParent();
    return New;
  };
  ArrayType *T = ArrayType::get(Record, Texts.size());
  Records = Define(Records, T, ConstantArray::get(T, Texts));
  T = ArrayType::get(I64, S.loads());
  LoadNumbers = Define(LoadNumbers, T, ConstantAggregateZero::get(T));
  Function *Ctor = Function::createWithDefaultAttr(
      FunctionType::get(Void, false), GlobalValue::InternalLinkage,
      M.getDataLayout().getProgramAddressSpace(), "ek.rec.walks.ctor", &M);
  IRBuilder<> B(BasicBlock::Create(C, "", Ctor));
  B.CreateCall(
      RecordRuntime::declare(M, RecordCall::rec_walks),
      {Records, B.getInt64(Texts.size()), LoadNumbers, B.getInt64(S.loads())});
  B.CreateRetVoid();
  appendToGlobalCtors(M, Ctor, /*Priority=*/101);
}

} // namespace evenkeel
