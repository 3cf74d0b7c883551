//===- AtCall.cpp - a callee's expression in its caller -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
//===----------------------------------------------------------------------===//
#include "access/walks/AtCall.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

ForeignValues::ForeignValues() = default;
ForeignValues::~ForeignValues() = default;

Value *ForeignValues::of(const Value &Load, const SCEV *Address) {
  Value *&V = Values[{&Load, Address}];
  if (!V) {
    LLVMContext &C = Load.getContext();
    if (!Home)
      Home = std::make_unique<Module>("foreign", C);
    Type *T = Load.getType();
    V = Function::Create(FunctionType::get(Type::getVoidTy(C), {T}, false),
                         Function::ExternalLinkage, "", *Home)
            ->getArg(0);
    Addresses[V] = Address;
  }
  return V;
}

const SCEV *AtCall::translate(const SCEV *S, ScalarEvolution &Callee) {
  auto Zero = [&] { return SE.getZero(SE.getEffectiveSCEVType(S->getType())); };
  auto Operands = [&] {
    SmallVector<const SCEV *, 4> Ops;
    for (const SCEV *Op : S->operands())
      Ops.push_back(translate(Op, Callee));
    // A pointer may have become a number, and vice versa.
    Type *Wide = SE.getEffectiveSCEVType(S->getType());
    for (const SCEV *&Op : Ops)
      if (!Op->getType()->isPointerTy())
        Op = SE.getTruncateOrSignExtend(Op, Wide);
    return Ops;
  };
  auto Integer = [&](const SCEV *V) {
    if (!V->getType()->isPointerTy())
      return V;
    const SCEV *I =
        SE.getPtrToIntExpr(V, SE.getEffectiveSCEVType(V->getType()));
    return isa<SCEVCouldNotCompute>(I) ? Zero() : I;
  };
  switch (S->getSCEVType()) {
  case scConstant:
    return SE.getConstant(cast<SCEVConstant>(S)->getAPInt());
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt: {
    const SCEV *Op =
        Integer(translate(cast<SCEVCastExpr>(S)->getOperand(), Callee));
    if (S->getSCEVType() == scZeroExtend &&
        SE.getTypeSizeInBits(Op->getType()) <
            SE.getTypeSizeInBits(S->getType()))
      return SE.getZeroExtendExpr(Op, S->getType());
    return SE.getTruncateOrSignExtend(Op, S->getType());
  }
  case scAddExpr: {
    SmallVector<const SCEV *, 4> Ops = Operands();
    bool Pointer = false; // at most one operand
    for (const SCEV *&Op : Ops) {
      if (Op->getType()->isPointerTy() && Pointer)
        Op = Integer(Op);
      Pointer |= Op->getType()->isPointerTy();
    }
    return SE.getAddExpr(Ops);
  }
  case scMulExpr: {
    SmallVector<const SCEV *, 4> Ops = Operands();
    for (const SCEV *&Op : Ops)
      Op = Integer(Op);
    return SE.getMulExpr(Ops);
  }
  case scUnknown:
    break;
  default: // divisions, minima: it changes, but by no constant step
    addDependences(S);
    return Zero();
  }
  Value *V = cast<SCEVUnknown>(S)->getValue();
  if (auto *A = dyn_cast<Argument>(V))
    if (Value *Given = given(*A); Given && SE.isSCEVable(Given->getType()))
      return SE.getSCEV(Given);
  if (isa<Constant>(V))
    return SE.getUnknown(V);
  if (auto *L = dyn_cast<LoadInst>(V); L && Keep)
    return SE.getUnknown(Keep->of(
        *L, translate(Callee.getSCEV(L->getPointerOperand()), Callee)));
  addDependences(V);
  return Zero();
}

Value *AtCall::given(const Argument &A) const {
  return A.getArgNo() < CB.arg_size() ? CB.getArgOperand(A.getArgNo())
                                      : nullptr;
}

void AtCall::addDependences(const SCEV *S) {
  struct Visitor {
    AtCall &At;
    bool follow(const SCEV *S) {
      if (auto *U = dyn_cast<SCEVUnknown>(S))
        At.addDependences(U->getValue());
      return true;
    }
    bool isDone() const { return false; }
  } Leaves{*this};
  visitAll(S, Leaves);
}

void AtCall::addDependences(Value *V) {
  SmallPtrSet<Value *, 32> Seen;
  SmallVector<Value *, 16> Work{V};
  while (!Work.empty()) {
    Value *W = Work.pop_back_val();
    if (!Seen.insert(W).second)
      continue;
    if (auto *A = dyn_cast<Argument>(W)) {
      if (Value *Given = given(*A); Given && !isa<Constant>(Given))
        Depends.insert(Given);
      continue;
    }
    auto *I = dyn_cast<Instruction>(W);
    if (!I || isa<AllocaInst>(I))
      continue;
    ThroughLoads |= isa<LoadInst>(I);
    for (Value *Op : I->operands())
      if (!isa<BasicBlock>(Op))
        Work.push_back(Op);
    if (auto *P = dyn_cast<PHINode>(I))
      for (BasicBlock *From : P->blocks())
        if (auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
            Branch && Branch->isConditional())
          Work.push_back(Branch->getCondition());
  }
}

bool AtCall::dependsOn(const Loop &X) const {
  return any_of(Depends, [&](Value *V) {
    return SE.isSCEVable(V->getType()) ? !SE.isLoopInvariant(SE.getSCEV(V), &X)
                                       : !X.isLoopInvariant(V);
  });
}

} // namespace evenkeel
