//===- Objects.cpp - points-to analysis -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the transfer function of every instruction that can carry a pointer,
// also as a 64-bit integer (Clang passes firstprivate variables that way).
// Makes: the smallest solution, by visiting instructions until nothing grows.
// Offsets that grow without bound are widened to AnyOffset.
// Not here: effects of external code on memory that is not reachable from its
// arguments.
//===----------------------------------------------------------------------===//
#include "objects/Objects.h"
#include "objects/Libraries.h"
#include "objects/Members.h"
#include "objects/VariadicLists.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/AbstractCallSite.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace evenkeel {

/// With more offsets than this into one object, fields are no longer
/// distinguished.
constexpr unsigned MaxOffsets = 32;
/// Records of more pointers than this are treated as arrays of pointers.
constexpr unsigned MaxCells = 1024;
/// A pointer to more objects than this may point anywhere.
constexpr unsigned MaxLocations = 96;

bool carriesPointer(Type *T) {
  Type *E = T->getScalarType();
  return E->isPointerTy() || E->isIntegerTy(64) || E->isIntegerTy(128) ||
         T->isAggregateType();
}

Objects::Objects(Module &M, std::vector<GetElementPtrInst *> Carved)
    : DL(M.getDataLayout()), Carvings(std::move(Carved)) {
  for (unsigned K = 0; K < Carvings.size(); ++K)
    RangeOf[Carvings[K]] = K;
  object(MemoryObject::External, nullptr);
  object(MemoryObject::Anything, nullptr);
  for (Function &F : M)
    object(MemoryObject::Function, &F);
  for (GlobalVariable &G : M.globals())
    object(MemoryObject::Global, &G);
  for (GlobalVariable &G : M.globals())
    if (G.hasInitializer())
      initialise(object(MemoryObject::Global, &G), 0, G.getInitializer());
  if (Function *Main = M.getFunction("main"))
    for (Argument &A : Main->args())
      if (A.getType()->isPointerTy())
        addTo(&A, {{ExternalObject, AnyOffset}});
  std::vector<Instruction *> All;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (carriesPointer(I.getType()) || isa<StoreInst, CallBase>(I)) {
        Order[&I] = All.size();
        All.push_back(&I);
      }
  // Sweep in program order over the instructions with new input, so that chains
  // of definitions settle in one sweep.
  Dirty.resize(All.size(), true);
  while (Dirty.any())
    for (int K = Dirty.find_first(); K >= 0; K = Dirty.find_next(K)) {
      Dirty.reset(K);
      visit(*All[K]);
    }
}

void Objects::revisit(Instruction *I) {
  if (auto It = Order.find(I); It != Order.end() && It->second < Dirty.size())
    Dirty.set(It->second);
}

/// The largest distance between cells of a value of type \p T.
int64_t Objects::bytesOf(Type *T) const {
  constexpr int64_t Most = 64; // of larger records, only the first words
  return T->isSized() && !T->isScalableTy()
             ? std::min<int64_t>(DL.getTypeStoreSize(T), Most)
             : 8;
}

unsigned Objects::object(MemoryObject::KindType K, Value *V) {
  auto [It, New] = Index.try_emplace({V, static_cast<int>(K)}, All.size());
  if (New) {
    All.push_back({K, V});
    Cells.emplace_back();
    Readers.emplace_back();
  }
  return It->second;
}

unsigned Objects::indexOf(Value *Maker) const {
  auto Kind = isa<AllocaInst>(Maker)       ? MemoryObject::Stack
              : isa<GlobalVariable>(Maker) ? MemoryObject::Global
                                           : MemoryObject::Heap;
  auto It = Index.find({Maker, static_cast<int>(Kind)});
  return It == Index.end() ? ExternalObject : It->second;
}

/// Merges the offsets [\p First, \p Last) into one object: to array elements of
/// the largest stride that covers all of them.
static int64_t joined(LocationSet::iterator First, LocationSet::iterator Last) {
  int64_t Place = 0, Stride = 0;
  bool Any = false;
  for (auto It = First; It != Last; ++It) {
    if (!isExact(It->second) && !isStrided(It->second))
      return AnyOffset;
    int64_t Here = placeOf(It->second);
    Stride = std::gcd(Stride, strideOf(It->second));
    if (Any)
      Stride = std::gcd(Stride, Here - Place);
    Any = true;
    Place = Here;
  }
  return makeOffset(Place, Stride);
}

/// Drops the offsets of \p S but keeps the objects.
static void forgetOffsets(LocationSet &S) {
  LocationSet Out;
  for (const Location &L : S)
    Out.insert({L.first, AnyOffset});
  S = std::move(Out);
}

bool Objects::add(LocationSet &To, const LocationSet &From) {
  constexpr Location Everything{AnythingObject, AnyOffset};
  if (&To == &From || To.count(Everything))
    return false;
  if (From.count(Everything)) {
    To = {Everything};
    return true;
  }
  bool Grew = false;
  for (const Location &L : From) {
    if (To.count(L) || To.count({L.first, AnyOffset}))
      continue;
    // An array offset already in the set covers it.
    if (isExact(L.second) &&
        any_of(
            make_range(To.lower_bound({L.first, FirstStrided}),
                       To.upper_bound({L.first, INT64_MAX})),
            [&](const Location &T) { return mayLieIn(L.second, T.second, 1); }))
      continue;
    if (!To.insert(L).second)
      continue;
    Grew = true;
    auto First = To.lower_bound({L.first, AnyOffset});
    auto Last = To.upper_bound({L.first, INT64_MAX});
    if (L.second == AnyOffset ||
        std::distance(First, Last) > static_cast<long>(MaxOffsets)) {
      int64_t All = L.second == AnyOffset ? AnyOffset : joined(First, Last);
      To.erase(First, Last);
      To.insert({L.first, All});
    }
  }
  if (To.size() > MaxLocations) {
    forgetOffsets(To);
    if (To.size() > MaxLocations)
      To = {Everything};
    Grew = true;
  }
  return Grew;
}

/// Marks the users of the value for another visit; for a returned value, the
/// callers.
void Objects::addTo(const Value *V, const LocationSet &From) {
  if (From.empty() || !add(Values[V], From))
    return;
  for (const User *U : V->users()) {
    auto *I = dyn_cast<Instruction>(const_cast<User *>(U));
    if (!I)
      continue;
    if (isa<ReturnInst>(I)) {
      auto It = Callers.find(I->getFunction());
      if (It != Callers.end())
        for (CallBase *CB : It->second)
          revisit(CB);
    } else {
      revisit(I);
    }
  }
}

void Objects::addToCell(unsigned Obj, int64_t Offset, const LocationSet &From) {
  auto &Cell = Cells[Obj];
  if (Cell.size() >= MaxCells && !Cell.count(Offset))
    Offset = AnyOffset;
  if (add(Cell[Offset], From))
    for (Instruction *I : Readers[Obj])
      revisit(I);
}

void Objects::reads(Instruction &I, const LocationSet &From) {
  for (const Location &L : From)
    Readers[L.first].insert(&I);
}

LocationSet Objects::constant(const Constant *C) const {
  auto Find = [&](MemoryObject::KindType K) -> LocationSet {
    auto It = Index.find({C, static_cast<int>(K)});
    if (It == Index.end())
      return {};
    return {{It->second, 0}};
  };
  if (isa<GlobalVariable>(C))
    return Find(MemoryObject::Global);
  if (isa<Function>(C))
    return Find(MemoryObject::Function);
  if (auto *A = dyn_cast<GlobalAlias>(C))
    return pointsTo(A->getAliasee());
  if (auto *E = dyn_cast<ConstantExpr>(C)) {
    if (auto *G = dyn_cast<GEPOperator>(E)) {
      APInt Offset(DL.getIndexTypeSizeInBits(G->getType()), 0);
      const LocationSet &S = pointsTo(G->getPointerOperand());
      return shifted(S, G->accumulateConstantOffset(DL, Offset)
                            ? Offset.getSExtValue()
                            : AnyOffset);
    }
    if (E->isCast())
      return pointsTo(E->getOperand(0));
  }
  return {};
}

const LocationSet &Objects::pointsTo(const Value *V) const {
  static const LocationSet None;
  if (auto *C = dyn_cast<Constant>(V)) {
    if (auto It = Constants.find(C); It != Constants.end())
      return It->second;
    LocationSet S = constant(C);
    return Constants[C] = std::move(S);
  }
  auto It = Values.find(V);
  return It == Values.end() ? None : It->second;
}

void Objects::replace(const Value *Old, const Value *New) {
  auto It = Values.find(Old);
  if (It == Values.end())
    return;
  LocationSet Where = std::move(It->second);
  Values.erase(It);
  Values[New] = std::move(Where);
}

/// With \p By AnyOffset, the result is anywhere in the object, except that
/// pointers into ranges stay in their range.
LocationSet Objects::shifted(const LocationSet &S, int64_t By,
                             int64_t Stride) const {
  if (By == 0 && Stride == 0)
    return S;
  LocationSet Out;
  for (const Location &L : S)
    Out.insert({L.first, By != AnyOffset ? movedOffset(L.second, By, Stride)
                         : isInRange(L.second) ? L.second
                                               : AnyOffset});
  return Out;
}

/// A number of bytes that divides \p V, according to its last operation.
static int64_t factorOf(const Value *V) {
  while (auto *C = dyn_cast<CastInst>(V))
    V = C->getOperand(0);
  auto *B = dyn_cast<BinaryOperator>(V);
  auto *C = B ? dyn_cast<ConstantInt>(B->getOperand(1)) : nullptr;
  if (!C || C->getValue().getActiveBits() > 20 || C->isZero())
    return 1;
  int64_t N = C->getSExtValue();
  return B->getOpcode() == Instruction::Mul             ? std::abs(N)
         : B->getOpcode() == Instruction::Shl && N < 20 ? INT64_C(1) << N
                                                        : 1;
}

/// Where \p G points: at a constant distance, at one place in each element of
/// an array, or into a range that begins here.
LocationSet Objects::addressed(const GetElementPtrInst &G) const {
  const LocationSet &S = pointsTo(G.getPointerOperand());
  if (auto It = RangeOf.find(&G); It != RangeOf.end()) {
    LocationSet Out;
    for (const Location &L : S) {
      auto Kind = All[L.first].Kind;
      bool Whole = Kind == MemoryObject::Heap || Kind == MemoryObject::Global ||
                   Kind == MemoryObject::Stack;
      bool Known = isExact(L.second) || isInRange(L.second);
      Out.insert(
          {L.first, Whole && Known ? offsetInRange(It->second) : AnyOffset});
    }
    return Out;
  }
  unsigned Bits = DL.getIndexTypeSizeInBits(G.getType());
  APInt Constant(Bits, 0);
  MapVector<Value *, APInt> Variable;
  if (!G.collectOffset(DL, Bits, Variable, Constant))
    return shifted(S, AnyOffset);
  int64_t Stride = 0;
  for (auto &[V, Scale] : Variable)
    Stride = std::gcd(Stride, Scale.getSExtValue() * factorOf(V));
  // The index into a single pointer member is 0.
  int64_t By = Constant.getSExtValue();
  LocationSet Out, Rest;
  for (const Location &L : S)
    if (Stride && isExact(L.second) && isLone(L.first, L.second + By))
      Out.insert({L.first, L.second + By});
    else
      Rest.insert(L);
  if (Out.empty())
    return shifted(S, By, Stride);
  Rest = shifted(Rest, By, Stride);
  Out.insert(Rest.begin(), Rest.end());
  return Out;
}

bool Objects::isLone(unsigned Obj, int64_t Offset) const {
  auto [It, New] = Lone.try_emplace({Obj, Offset});
  if (New)
    It->second = All[Obj].V && isLonePointer(*All[Obj].V, Offset);
  return It->second;
}

LocationSet Objects::load(const LocationSet &From, int64_t Bytes) const {
  LocationSet Out;
  for (const Location &L : From) {
    if (isOutside(L.first))
      Out.insert({L.first, AnyOffset});
    if (L.first <= AnythingObject)
      continue;
    const auto &Cell = Cells[L.first];
    for (auto &[Offset, What] : Cell)
      if (mayLieIn(Offset, L.second, Bytes))
        Out.insert(What.begin(), What.end());
  }
  return Out;
}

void Objects::store(const LocationSet &To, const LocationSet &What,
                    int64_t Bytes) {
  if (What.empty())
    return;
  // If the value is wider than a pointer, each word may be a pointer.
  for (const Location &L : To)
    if (L.first > AnythingObject)
      for (int64_t At = 0; At < Bytes; At += 8) {
        int64_t To = movedOffset(L.second, At);
        addToCell(L.first, isInRange(To) ? AnyOffset : To, What);
        if (To == AnyOffset || isInRange(To))
          break;
      }
}

/// The cell at which \p T is the target of a copy from \p F, for the pointer at
/// \p Offset of the source.
static int64_t copiedTo(Location T, Location F, int64_t Offset, int64_t Bytes) {
  auto Any = [](int64_t Offset) {
    return !isExact(Offset) && !isStrided(Offset);
  };
  // Moves within one object would shift cells without end.
  bool Within = T.first == F.first && T.second != F.second;
  if (Within || Any(Offset) || Any(F.second) || Any(T.second))
    return AnyOffset;
  int64_t Stride = std::gcd(strideOf(Offset), strideOf(F.second));
  int64_t Apart = placeOf(Offset) - placeOf(F.second);
  if (Stride)
    Apart = ((Apart % Stride) + Stride) % Stride;
  // Within one element, the offset stays the same.
  return movedOffset(T.second, Apart, Bytes <= Stride ? 0 : Stride);
}

/// memcpy of \p Bytes: every pointer stored at the source may be stored at the
/// target afterwards. A copy of unknown length between several places of two
/// objects blurs the fields of the target; if it kept them apart, strings in
/// one record, which point into the record, would shift its cells without
/// bound.
void Objects::copy(const LocationSet &To, const LocationSet &From,
                   int64_t Bytes) {
  auto EndOf = [](const LocationSet &S, LocationSet::iterator It) {
    return S.upper_bound({It->first, INT64_MAX});
  };
  for (auto F = From.begin(); F != From.end();) {
    auto FEnd = EndOf(From, F);
    // If the target is in the same object, its cells change meanwhile.
    auto Own = To.lower_bound({F->first, INT64_MIN});
    bool Within = Own != To.end() && Own->first == F->first;
    std::map<int64_t, LocationSet> Kept;
    if (Within)
      Kept = Cells[F->first];
    const auto &Cell = Within ? Kept : Cells[F->first];
    for (auto T = To.begin(); T != To.end();) {
      auto TEnd = EndOf(To, T);
      bool Blurred =
          Bytes == INT64_MAX && (std::next(F) != FEnd || std::next(T) != TEnd);
      if (T->first > AnythingObject)
        for (auto &[Offset, What] : Cell)
          for (const Location &Source : make_range(F, FEnd)) {
            if (!mayLieIn(Offset, Source.second, Bytes))
              continue;
            if (Blurred) {
              addToCell(T->first, AnyOffset, What);
              break;
            }
            for (const Location &Target : make_range(T, TEnd))
              addToCell(T->first, copiedTo(Target, Source, Offset, Bytes),
                        What);
          }
      T = TEnd;
    }
    F = FEnd;
  }
}

void Objects::initialise(unsigned Obj, int64_t Offset, const Constant *C) {
  if (C->getType()->isPointerTy()) {
    if (isa<ConstantPointerNull>(C) || isa<UndefValue>(C))
      return;
    const LocationSet &S = pointsTo(C);
    if (!S.empty())
      addToCell(Obj, Offset, S);
    return;
  }
  if (auto *S = dyn_cast<ConstantStruct>(C)) {
    const StructLayout *Layout = DL.getStructLayout(S->getType());
    for (unsigned K = 0; K < S->getNumOperands(); ++K)
      initialise(Obj, Offset + Layout->getElementOffset(K).getFixedValue(),
                 S->getOperand(K));
  } else if (auto *A = dyn_cast<ConstantArray>(C)) {
    uint64_t Size = DL.getTypeAllocSize(A->getType()->getElementType());
    for (unsigned K = 0; K < A->getNumOperands(); ++K)
      initialise(Obj, Offset + K * Size, A->getOperand(K));
  }
}

void Objects::visit(Instruction &I) {
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    addTo(A, {{object(MemoryObject::Stack, A), 0}});
  } else if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
    addTo(G, addressed(*G));
  } else if (auto *L = dyn_cast<LoadInst>(&I)) {
    reads(*L, pointsTo(L->getPointerOperand()));
    addTo(L, load(pointsTo(L->getPointerOperand()), bytesOf(L->getType())));
  } else if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (carriesPointer(S->getValueOperand()->getType()))
      store(pointsTo(S->getPointerOperand()), pointsTo(S->getValueOperand()),
            bytesOf(S->getValueOperand()->getType()));
  } else if (isa<PHINode, SelectInst, CastInst, FreezeInst>(I)) {
    for (Value *Op : I.operands())
      if (carriesPointer(Op->getType()))
        addTo(&I, pointsTo(Op));
  } else if (auto *B = dyn_cast<BinaryOperator>(&I)) {
    // Pointer arithmetic on integers. A product or a difference of pointers is
    // no pointer.
    switch (B->getOpcode()) {
    case Instruction::Add:
    case Instruction::And:
    case Instruction::Or:
      for (Value *Op : B->operands())
        addTo(B, shifted(pointsTo(Op), AnyOffset));
      break;
    case Instruction::Sub:
      if (pointsTo(B->getOperand(1)).empty())
        addTo(B, shifted(pointsTo(B->getOperand(0)), AnyOffset));
      break;
    default:
      break;
    }
  } else if (isa<ExtractValueInst, InsertValueInst, ExtractElementInst,
                 InsertElementInst, ShuffleVectorInst>(I)) {
    for (Value *Op : I.operands())
      addTo(&I, pointsTo(Op));
  } else if (auto *A = dyn_cast<VAArgInst>(&I)) {
    const LocationSet &List = pointsTo(A->getPointerOperand());
    reads(*A, List);
    LocationSet Arguments = load(List, ListBytes);
    reads(*A, Arguments);
    addTo(A, load(Arguments, bytesOf(A->getType())));
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    store(pointsTo(X->getPointerOperand()), pointsTo(X->getNewValOperand()));
    reads(*X, pointsTo(X->getPointerOperand()));
    addTo(X, load(pointsTo(X->getPointerOperand())));
  } else if (auto *X = dyn_cast<AtomicRMWInst>(&I)) {
    store(pointsTo(X->getPointerOperand()), pointsTo(X->getValOperand()));
    reads(*X, pointsTo(X->getPointerOperand()));
    addTo(X, load(pointsTo(X->getPointerOperand())));
  } else if (auto *CB = dyn_cast<CallBase>(&I)) {
    visitCall(*CB);
  }
}

ArrayRef<const Function *> Objects::allocators(const CallBase &CB) const {
  auto It = Allocators.find(&CB);
  return It == Allocators.end() ? ArrayRef<const Function *>()
                                : It->second.getArrayRef();
}

ArrayRef<Function *> Objects::callees(const CallBase &CB) const {
  auto It = Callees.find(&CB);
  return It == Callees.end() ? ArrayRef<Function *>()
                             : It->second.getArrayRef();
}

LocationSet Objects::written(const Instruction &I) const {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return pointsTo(S->getPointerOperand());
  if (auto *X = dyn_cast<AtomicRMWInst>(&I))
    return pointsTo(X->getPointerOperand());
  if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    return pointsTo(X->getPointerOperand());
  auto *CB = dyn_cast<CallBase>(&I);
  if (!CB || CB->onlyReadsMemory() || isa<DbgInfoIntrinsic>(I) ||
      I.isLifetimeStartOrEnd())
    return {};
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return shifted(pointsTo(Mem->getDest()), AnyOffset);
  LocationSet Unnamed;
  for (Function *Callee : callees(*CB))
    if (auto It = Index.find({Callee, int(MemoryObject::Arguments)});
        It != Index.end())
      Unnamed.insert({It->second, AnyOffset});
  Function *F = calleeOf(*CB);
  if (F && !F->isDeclaration())
    return Unnamed;
  // The OpenMP runtime writes no user data except the loop bounds that it is
  // asked to set.
  if (F && F->getName().starts_with("__kmpc_") &&
      !F->getName().contains("_init") &&
      !F->getName().contains("dispatch_next"))
    return {};
  LocationSet Out = std::move(Unnamed);
  for (unsigned K = 0; K < CB->arg_size(); ++K)
    if (CB->getArgOperand(K)->getType()->isPointerTy() &&
        !CB->onlyReadsMemory(K)) {
      LocationSet S = shifted(pointsTo(CB->getArgOperand(K)), AnyOffset);
      Out.insert(S.begin(), S.end());
    }
  return Out;
}

bool overlaps(const LocationSet &A, const LocationSet &B) {
  if (A.count({AnythingObject, AnyOffset}) ||
      B.count({AnythingObject, AnyOffset}))
    return true;
  for (const Location &L : A)
    for (auto It = B.lower_bound({L.first, AnyOffset});
         It != B.end() && It->first == L.first; ++It)
      if (mayLieIn(It->second, L.second, 1))
        return true;
  return false;
}

} // namespace evenkeel
