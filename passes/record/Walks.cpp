//===- Walks.cpp - how accesses really walk ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: two shadows of each value that an address is computed from.
//   depth  loads that must follow one another to make it: a load's is one more
//          than its address', everything else has its deepest operand's
//   stamp  when a load behind it last brought another value than before
// So a chase is an access whose depth grows each time, and a gather one whose
// stamp is newer than its last execution. A select's condition is an operand; a
// branch is not: processors wait for the one and predict the other.
// Shadows cross calls of functions whose callers are all known, through the
// thread's slots (__ek_rec_passed).
// Leaves out: see the header.
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
  std::vector<CallBase *> Returning; // their results' shadows are asked for
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

  /// Every call of it is a direct one in this module.
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
  /// Stores what calls hand over, once all other code is there.
  void connect();
  unsigned loads() const { return Loads; }
};

} // namespace

/// Of what \p L brings from \p Pointer.
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
    return Known[V] = zero(); // what comes of atomics belongs to all threads
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
  // Computing what one call hands over may ask for further arguments.
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

/// What the analysis claims of an access, as a JSON object.
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

  // Sized when all is known; code refers to their elements.
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
