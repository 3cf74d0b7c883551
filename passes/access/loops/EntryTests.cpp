//===- EntryTests.cpp - entry tests of loops ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to evaluate a condition on random values (random interpretation,
// Gulwani and Necula 2003). The contents of memory are a function of the
// address, so two loads of one place return the same value.
// Not here: calls, and values that select between paths in the loop.
//===----------------------------------------------------------------------===//
#include "access/loops/EntryTests.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace evenkeel {
/// All floating-point types are evaluated as doubles.
static bool isFloat(const Type *T) { return T->isDoubleTy() || T->isFloatTy(); }

/// The unknown inputs of both sides of a comparison, numbered as they are
/// found.
using Inputs = DenseMap<const Value *, uint64_t>;

namespace {

/// The values in one trial on random inputs.
class Trial {
  const Loop &L;
  const DataLayout &DL;
  Inputs &Unknown;
  uint64_t Seed;
  DenseMap<const Value *, std::optional<APInt>> Known;

  std::optional<APInt> compute(const Value *V, unsigned Depth);
  std::optional<APInt> real(const Instruction &I, unsigned Depth);
  std::optional<APInt> address(const GEPOperator &G, unsigned Depth);

  static unsigned bitsOf(const Type *T) {
    return T->isPointerTy() || isFloat(T) ? 64
           : T->isIntegerTy()             ? T->getIntegerBitWidth()
                                          : 0;
  }
  static APInt ofDouble(double X) { return APFloat(X).bitcastToAPInt(); }

  /// Small numbers, so that compared values are sometimes equal.
  std::optional<APInt> draw(uint64_t Of, const Type *T) const {
    unsigned Bits = bitsOf(T);
    if (!Bits)
      return std::nullopt;
    uint64_t State = (Of ^ Seed) * 6364136223846793005ull;
    State = (State ^ State >> 29) * 1442695040888963407ull;
    int64_t Value = T->isPointerTy() ? int64_t(8 * ((State >> 33) % 6))
                                     : int64_t((State >> 33) % 12) - 2;
    if (isFloat(T))
      return ofDouble(double(Value) / 2);
    return APInt(64, uint64_t(Value), true).sextOrTrunc(Bits);
  }

public:
  Trial(const Loop &L, Inputs &Unknown, uint64_t Seed)
      : L(L), DL(L.getHeader()->getModule()->getDataLayout()), Unknown(Unknown),
        Seed(Seed) {}
  void set(const Value *V, const std::optional<APInt> &To) { Known[V] = To; }
  /// Chooses inputs of \p V such that \p V has the value \p To.
  void let(const Value *V, std::optional<APInt> To) {
    while (To) {
      Known[V] = To;
      auto *I = dyn_cast<Instruction>(V);
      auto *By = I && I->getNumOperands() == 2
                     ? dyn_cast<ConstantInt>(I->getOperand(1))
                     : nullptr;
      if (By && I->getOpcode() == Instruction::Add)
        To = *To - By->getValue();
      else if (I && isa<SExtInst, ZExtInst, TruncInst>(I))
        To = To->sextOrTrunc(bitsOf(I->getOperand(0)->getType()));
      else
        return;
      V = I->getOperand(0);
    }
  }
  std::optional<APInt> any(const Value *V) {
    uint64_t Number = Unknown.try_emplace(V, Unknown.size()).first->second;
    return draw(~Number, V->getType());
  }
  std::optional<APInt> of(const Value *V, unsigned Depth = 0) {
    if (Depth > 24)
      return std::nullopt;
    auto It = Known.find(V);
    if (It != Known.end())
      return It->second;
    std::optional<APInt> Value = compute(V, Depth + 1);
    return Known[V] = Value;
  }
  std::optional<bool> holds(const Value *Cond) {
    std::optional<APInt> V = of(Cond);
    return V ? std::optional(!V->isZero()) : std::nullopt;
  }
};

} // namespace

std::optional<APInt> Trial::address(const GEPOperator &G, unsigned Depth) {
  MapVector<Value *, APInt> Variable;
  APInt Sum(64, 0);
  std::optional<APInt> Base = of(G.getPointerOperand(), Depth);
  if (!Base || DL.getIndexTypeSizeInBits(G.getType()) != 64 ||
      !G.collectOffset(DL, 64, Variable, Sum))
    return std::nullopt;
  for (auto &[Index, Scale] : Variable) {
    std::optional<APInt> N = of(Index, Depth);
    if (!N)
      return std::nullopt;
    Sum += N->sextOrTrunc(64) * Scale;
  }
  return *Base + Sum;
}

/// Comparisons and conversions of floating-point numbers; nullopt: others.
std::optional<APInt> Trial::real(const Instruction &I, unsigned Depth) {
  SmallVector<double, 2> X;
  for (const Value *Op : I.operands()) {
    std::optional<APInt> V = of(Op, Depth);
    if (!V)
      return std::nullopt;
    bool Signed = isa<SIToFPInst>(I);
    X.push_back(isFloat(Op->getType()) ? V->bitsToDouble()
                                       : V->roundToDouble(Signed));
  }
  switch (I.getOpcode()) {
  case Instruction::FAdd:
    return ofDouble(X[0] + X[1]);
  case Instruction::FSub:
    return ofDouble(X[0] - X[1]);
  case Instruction::FMul:
    return ofDouble(X[0] * X[1]);
  case Instruction::FNeg:
    return ofDouble(-X[0]);
  case Instruction::FCmp:
    return APInt(1, FCmpInst::compare(APFloat(X[0]), APFloat(X[1]),
                                      cast<FCmpInst>(I).getPredicate()));
  default:
    return ofDouble(X[0]);
  }
}

std::optional<APInt> Trial::compute(const Value *V, unsigned Depth) {
  unsigned Bits = bitsOf(V->getType());
  if (!Bits)
    return std::nullopt;
  if (auto *C = dyn_cast<ConstantFP>(V))
    return isFloat(C->getType())
               ? std::optional(ofDouble(C->getValueAPF().convertToDouble()))
               : std::nullopt;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue();
  if (isa<ConstantPointerNull>(V))
    return APInt(Bits, 0);
  if (auto *G = dyn_cast<GEPOperator>(V))
    return address(*G, Depth);
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return any(V);
  auto Operand = [&](unsigned K) { return of(I->getOperand(K), Depth); };
  if (isa<LoadInst>(I)) {
    std::optional<APInt> Where = Operand(0);
    return Where ? draw(Where->getZExtValue() + 1, I->getType()) : std::nullopt;
  }
  if (auto *P = dyn_cast<PHINode>(I); P && P->getNumIncomingValues() == 1)
    return Operand(0);
  if (isa<SelectInst>(I)) {
    std::optional<APInt> Cond = Operand(0);
    return Cond ? Operand(Cond->isZero() ? 2 : 1) : std::nullopt;
  }
  if (isa<FCmpInst, SIToFPInst, UIToFPInst, FPExtInst, FPTruncInst>(I) ||
      I->getOpcode() == Instruction::FAdd ||
      I->getOpcode() == Instruction::FSub ||
      I->getOpcode() == Instruction::FMul ||
      I->getOpcode() == Instruction::FNeg)
    return real(*I, Depth);
  if (auto *C = dyn_cast<CastInst>(I);
      C && !isa<FPToSIInst, FPToUIInst, BitCastInst>(C)) {
    std::optional<APInt> From = Operand(0);
    if (!From)
      return std::nullopt;
    return isa<SExtInst>(C) ? From->sext(Bits) : From->zextOrTrunc(Bits);
  }
  if (isa<FreezeInst>(I))
    return Operand(0);
  if (auto *M = dyn_cast<MinMaxIntrinsic>(I)) {
    std::optional<APInt> A = Operand(0), B = Operand(1);
    if (!A || !B)
      return std::nullopt;
    return ICmpInst::compare(*A, *B, M->getPredicate()) ? A : B;
  }
  if (auto *Cmp = dyn_cast<ICmpInst>(I)) {
    std::optional<APInt> A = Operand(0), B = Operand(1);
    if (!A || !B)
      return std::nullopt;
    return APInt(1, ICmpInst::compare(*A, *B, Cmp->getPredicate()));
  }
  if (auto *Op = dyn_cast<BinaryOperator>(I)) {
    std::optional<APInt> A = Operand(0), B = Operand(1);
    if (!A || !B)
      return std::nullopt;
    bool Shifts = Op->isShift();
    if (Shifts ? B->uge(Bits) : Op->isIntDivRem() && B->isZero())
      return std::nullopt;
    switch (Op->getOpcode()) {
    case Instruction::Add:
      return *A + *B;
    case Instruction::Sub:
      return *A - *B;
    case Instruction::Mul:
      return *A * *B;
    case Instruction::UDiv:
      return A->udiv(*B);
    case Instruction::SDiv:
      return A->sdiv(*B);
    case Instruction::URem:
      return A->urem(*B);
    case Instruction::SRem:
      return A->srem(*B);
    case Instruction::Shl:
      return A->shl(*B);
    case Instruction::LShr:
      return A->lshr(*B);
    case Instruction::AShr:
      return A->ashr(*B);
    case Instruction::And:
      return *A & *B;
    case Instruction::Or:
      return *A | *B;
    case Instruction::Xor:
      return *A ^ *B;
    default:
      break;
    }
  }
  // The loop starts with this value, whatever it is.
  return L.contains(I) ? std::nullopt : any(V);
}

/// The tests of \p Cond, each with its value if the loop continues; for a
/// conjunction, each operand.
static void testsOf(const Value *Cond, bool Stay,
                    SmallVectorImpl<std::pair<const Value *, bool>> &Out) {
  using namespace PatternMatch;
  const Value *A, *B;
  Out.push_back({Cond, Stay});
  if (Out.size() < 8 &&
      (Stay ? match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(Cond, m_LogicalOr(m_Value(A), m_Value(B))))) {
    testsOf(A, Stay, Out);
    testsOf(B, Stay, Out);
  }
}

namespace {
/// The values for which the test is evaluated: the start values in place of the
/// next iteration's, or of the current iteration's; or the entry condition is
/// evaluated for any iteration's next values, or for those of an iteration
/// before the first.
enum class Asked { OfNext, OfThis, OfAny, OfBefore };

/// The values in \p Cond in place of the iteration's start values in \p Test.
using Matches = SmallDenseMap<const Value *, const Value *, 4>;
} // namespace

/// Whether \p A, in the test, is the same computation as \p B.
static bool match(const Value *A, const Value *B, const Loop &L, Matches &Found,
                  unsigned Depth = 0) {
  if (A == B)
    return true;
  auto *I = dyn_cast<Instruction>(A);
  auto *J = dyn_cast<Instruction>(B);
  if (!I || !L.contains(I) || Depth > 8 || A->getType() != B->getType())
    return false;
  if (isa<PHINode>(I))
    return I->getParent() == L.getHeader() &&
           Found.try_emplace(I, B).first->second == B;
  if (!J || !I->isSameOperationAs(J))
    return false;
  for (unsigned K = 0; K < I->getNumOperands(); ++K)
    if (!match(I->getOperand(K), J->getOperand(K), L, Found, Depth + 1))
      return false;
  return true;
}

/// In one trial: whether \p Cond holds, and whether \p Test does.
static std::optional<std::pair<bool, bool>>
tryOut(const Value *Cond, const Value *Test, const Loop &L,
       const BasicBlock &Before, const BasicBlock &Latch, Asked How,
       const Matches &Found, uint64_t Seed) {
  Inputs Unknown;
  Trial Entry(L, Unknown, Seed), Iteration(L, Unknown, Seed);
  if (How == Asked::OfAny)
    for (const PHINode &P : L.getHeader()->phis()) {
      std::optional<APInt> Drawn = Iteration.any(&P);
      // Decreasing counters are compared as unsigned numbers.
      if (Drawn && P.getType()->isIntegerTy() && Drawn->isNegative())
        return std::nullopt;
      Iteration.set(&P, Drawn);
    }
  for (const PHINode &P : L.getHeader()->phis()) {
    const Value *Start = P.getIncomingValueForBlock(&Before);
    const Value *Next = P.getIncomingValueForBlock(&Latch);
    if (How == Asked::OfBefore) {
      auto It = Found.find(&P);
      if (It == Found.end())
        continue;
      Iteration.set(&P, Entry.of(It->second));
      if (Iteration.of(Next) != Entry.of(Start))
        return std::nullopt;
    } else if (How == Asked::OfAny) {
      std::optional<APInt> To = Iteration.of(Next);
      if (To && !isFloat(Next->getType()) && To->getSignificantBits() > 32)
        return std::nullopt; // not a loop counter's type
      if (!isa<Constant>(Start))
        Entry.let(Start, To);
    } else if (How == Asked::OfThis) {
      Iteration.set(&P, Entry.of(Start));
    } else if (!isa<Constant>(Next)) {
      Iteration.set(Next, Entry.of(Start));
    }
  }
  std::optional<bool> First = Entry.holds(Cond), Later = Iteration.holds(Test);
  if (!First || !Later)
    return std::nullopt;
  return std::make_pair(*First, *Later);
}

bool isEntryTest(const Value *Cond, bool Sense, const Loop &L,
                 ArrayRef<BasicBlock *> Exiting) {
  constexpr uint64_t Trials = 128;
  constexpr unsigned MostFailed = 8;
  const BasicBlock *Before = L.getLoopPredecessor(), *Latch = L.getLoopLatch();
  if (!Before || !Latch)
    return false;
  SmallVector<std::pair<const Value *, bool>, 8> Tests;
  for (const BasicBlock *E : Exiting)
    if (auto *Br = dyn_cast<BranchInst>(E->getTerminator());
        Br && Br->isConditional())
      testsOf(Br->getCondition(), L.contains(Br->getSuccessor(0)), Tests);
  for (auto &[Test, Stay] : Tests)
    for (Asked How :
         {Asked::OfNext, Asked::OfThis, Asked::OfAny, Asked::OfBefore}) {
      Matches Found;
      if (How == Asked::OfBefore &&
          (!match(Test, Cond, L, Found) || Found.empty()))
        continue;
      bool Seen[2] = {false, false}, Same = true;
      unsigned Failed = 0;
      for (uint64_t Seed = 1; Same && Seed <= Trials; ++Seed) {
        auto Both = tryOut(Cond, Test, L, *Before, *Latch, How, Found, Seed);
        if (!Both && ++Failed > MostFailed && !Seen[0] && !Seen[1])
          break;
        if (!Both)
          continue;
        Same = (Both->first == Sense) == (Both->second == Stay);
        Seen[Both->first] = true;
      }
      if (Same && Seen[0] && Seen[1])
        return true;
    }
  return false;
}

} // namespace evenkeel
