//===- Cost.cpp - static cost of instructions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: issue slots per instruction. The figures are the reciprocal
// throughputs of Skylake-SP class cores in their vendor's optimisation manual,
// times the four slots of a cycle, rounded. Calls of the maths library have
// assumed figures.
//===----------------------------------------------------------------------===//
#include "record/samples/Cost.h"
#include "record/SymbolMarks.h"
#include "unit/Calls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

/// The number of 256-bit registers that a value of \p T fills.
static unsigned registersOf(Type *T, const DataLayout &DL) {
  if (!T->isVectorTy())
    return 1;
  uint64_t Bits = DL.getTypeSizeInBits(T).getKnownMinValue();
  return Bits <= 256 ? 1 : static_cast<unsigned>((Bits + 255) / 256);
}

static unsigned lanesOf(Type *T) {
  auto *V = dyn_cast<FixedVectorType>(T);
  return V ? V->getNumElements() : 1;
}

static unsigned mathSlots(StringRef Name) {
  Name.consume_front("llvm.");
  Name = Name.split('.').first;
  if (Name.ends_with("f") && Name != "erf")
    Name = Name.drop_back();
  return StringSwitch<unsigned>(Name)
      .Case("sqrt", 24)
      .Cases("exp", "exp2", "log", "log2", "log10", 60)
      .Cases("sin", "cos", "tan", "atan", "atan2", 100)
      .Cases("pow", "erf", "tanh", "cbrt", 160)
      .Cases("fma", "fmuladd", 2)
      .Default(0);
}

bool isMathCall(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  Function *F = CB ? calleeOf(*CB) : nullptr;
  return F && F->isDeclaration() && mathSlots(F->getName());
}

InstructionCost costOf(const Instruction &I) {
  if (isForSymbol(I))
    return {};
  const DataLayout &DL = I.getModule()->getDataLayout();
  unsigned Parts = registersOf(I.getType(), DL);
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Alloca:
  case Instruction::BitCast:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
  case Instruction::Unreachable:
  case Instruction::LandingPad:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return {};
  case Instruction::GetElementPtr: // usually folded into the address of the
                                   // access
    return cast<GetElementPtrInst>(I).getNumIndices() > 1
               ? InstructionCost{1, 1}
               : InstructionCost{};
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FNeg:
  case Instruction::FCmp: // two ports
    return {2 * Parts, Parts};
  case Instruction::FDiv:
  case Instruction::FRem:
    return {(I.getType()->getScalarType()->isFloatTy() ? 12u : 16u) * Parts,
            Parts};
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    if (isa<Constant>(I.getOperand(1))) // by multiplication
      return {4 * lanesOf(I.getType()), 4};
    return {(I.getType()->getScalarSizeInBits() > 32 ? 84u : 24u) *
                lanesOf(I.getType()),
            10};
  case Instruction::Mul:
    return {4 * Parts, Parts}; // one port
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return {4 * Parts, 2 * Parts};
  case Instruction::Load:
    return {2 * Parts, Parts}; // two ports
  case Instruction::Store:
    return {4 * registersOf(I.getOperand(0)->getType(), DL), Parts}; // one port
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return {72, 1};
  case Instruction::Fence:
    return {80, 1};
  case Instruction::Br:
    return cast<BranchInst>(I).isConditional() ? InstructionCost{1, 1}
                                               : InstructionCost{};
  default:
    break;
  }
  if (auto *II = dyn_cast<IntrinsicInst>(&I)) {
    if (II->isAssumeLikeIntrinsic() || isa<DbgInfoIntrinsic>(II))
      return {};
    if (unsigned Slots = mathSlots(II->getCalledFunction()->getName()))
      return {Slots * Parts, Parts};
    return {Parts, Parts};
  }
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    Function *F = calleeOf(*CB);
    if (unsigned Slots = F ? mathSlots(F->getName()) : 0)
      return {Slots, Slots / 2};
    // Call, return, register saves and restores.
    return {8 + static_cast<unsigned>(CB->arg_size()),
            4 + static_cast<unsigned>(CB->arg_size())};
  }
  return {Parts, Parts};
}

} // namespace evenkeel
