//===- Options.cpp - which option a place in the program belongs to -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how programs test for options: getopt's letter, comparisons of an
// argument with a literal, and tests of its characters one by one (as compilers
// write comparisons with short literals).
// Makes: the options of which one was found whenever control reaches a place.
//===----------------------------------------------------------------------===//
#include "access/inputs/Conversions.h"
#include "access/inputs/InputFinder.h"
#include "unit/Calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace evenkeel {

/// The call of getopt whose result \p V is; null: none.
const CallBase *InputFinder::parserOf(Value *V, unsigned Depth) {
  if (!Depth || !Left)
    return nullptr;
  --Left;
  if (auto *CB = dyn_cast<CallBase>(V); CB && isOptionParser(*CB))
    return CB;
  for (const Source &S : sourcesOf(V, nullptr).All)
    if (S.V && !S.Into && S.V != V && !isa<Constant>(S.V))
      if (const CallBase *CB = parserOf(S.V, Depth - 1))
        return CB;
  return nullptr;
}

bool InputFinder::testsAt(const BasicBlock *B, const Letters &L, unsigned Depth,
                          Tests &Out) {
  if (!Depth || !Left || pred_empty(B))
    return false;
  --Left;
  return all_of(predecessors(B), [&](const BasicBlock *P) {
    return testsOnEdge(P, B, L, Depth - 1, Out);
  });
}

/// The literal that the letters of an argument spell; "" while some are
/// missing.
static std::string spelled(const std::map<int64_t, char> &L) {
  std::string Name;
  for (auto [At, C] : L) {
    if (At != int64_t(Name.size()))
      return "";
    if (C)
      Name += C;
  }
  return Name;
}

/// The address and the place in it of a single character that is loaded.
static Value *letterOf(Value *X, int64_t &At, const DataLayout &DL) {
  auto *Load = dyn_cast<LoadInst>(X);
  if (!Load || !Load->getType()->isIntegerTy(8))
    return nullptr;
  APInt By(64, 0);
  Value *Base = Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, By, /*AllowNonInbounds=*/true);
  At = By.getSExtValue();
  return Base;
}

bool InputFinder::testsOnEdge(const BasicBlock *P, const BasicBlock *B,
                              const Letters &L, unsigned Depth, Tests &Out) {
  const Instruction *End = P->getTerminator();
  if (auto *Br = dyn_cast<BranchInst>(End); Br && Br->isConditional()) {
    if (Br->getSuccessor(0) == Br->getSuccessor(1))
      return testsAt(P, L, Depth, Out);
    return testsIf(Br->getCondition(), Br->getSuccessor(0) == B, P, L, Depth,
                   Out);
  }
  auto *Sw = dyn_cast<SwitchInst>(End);
  if (!Sw || Sw->getDefaultDest() == B)
    return testsAt(P, L, Depth, Out);
  bool All = true;
  for (const auto &Case : Sw->cases())
    if (Case.getCaseSuccessor() == B)
      All &=
          testsIfEqual(Sw->getCondition(), Case.getCaseValue()->getSExtValue(),
                       P, L, Depth, Out);
  return All;
}

/// What is known in \p P if \p Cond is \p Sense.
bool InputFinder::testsIf(Value *Cond, bool Sense, const BasicBlock *P,
                          const Letters &L, unsigned Depth, Tests &Out) {
  if (!Depth || !Left)
    return false;
  --Left;
  Value *A = nullptr, *B = nullptr;
  if (match(Cond, m_Not(m_Value(A))))
    return testsIf(A, !Sense, P, L, Depth - 1, Out);
  const bool And = match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (And || match(Cond, m_LogicalOr(m_Value(A), m_Value(B)))) {
    Tests Left, Right;
    const bool X = testsIf(A, Sense, P, L, Depth - 1, Left);
    if (And == Sense) { // both hold
      if (!X && !testsIf(B, Sense, P, L, Depth - 1, Left))
        return false;
      Right = Left;
    } else if (!X || !testsIf(B, Sense, P, L, Depth - 1, Right)) {
      return false;
    }
    Out.Names.insert(Left.Names.begin(), Left.Names.end());
    Out.Names.insert(Right.Names.begin(), Right.Names.end());
    if (!Out.Parser)
      Out.Parser = Left.Parser;
    return true;
  }
  CmpInst::Predicate Is;
  const APInt *C = nullptr;
  if (match(Cond, m_ICmp(Is, m_Value(A), m_APInt(C))) &&
      (Is == CmpInst::ICMP_EQ) == Sense && CmpInst::isEquality(Is) &&
      C->getSignificantBits() <= 32)
    return testsIfEqual(A, C->getSExtValue(), P, L, Depth, Out);
  return testsAt(P, L, Depth, Out);
}

/// The value that \p V cannot have on the edge from \p P to \p B.
static bool cannotBe(const Value *V, int64_t C, const BasicBlock *P,
                     const BasicBlock *B) {
  auto *Br = dyn_cast<BranchInst>(P->getTerminator());
  auto *Cmp = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
  auto *Other = Cmp ? dyn_cast<ConstantInt>(Cmp->getOperand(1)) : nullptr;
  if (!Other || Cmp->getOperand(0) != V || !Cmp->isEquality())
    return false;
  const bool Equal =
      (Cmp->getPredicate() == CmpInst::ICMP_EQ) == (Br->getSuccessor(0) == B);
  return Equal != (Other->getSExtValue() == C);
}

/// What is known if \p X is \p C: what holds on the edges on which \p X may
/// get that value.
bool InputFinder::testsIfPhi(PHINode &X, int64_t C, unsigned Depth,
                             const Letters &L, Tests &Out) {
  bool Any = false;
  for (unsigned K = 0; K < X.getNumIncomingValues(); ++K) {
    Value *V = X.getIncomingValue(K);
    const BasicBlock *P = X.getIncomingBlock(K);
    auto *Known = dyn_cast<ConstantInt>(V);
    if (Known ? Known->getSExtValue() != C : cannotBe(V, C, P, X.getParent()))
      continue;
    Any = true;
    if (Known ? !testsOnEdge(P, X.getParent(), L, Depth - 1, Out)
              : !testsIfEqual(V, C, P, L, Depth - 1, Out))
      return false;
  }
  return Any;
}

bool InputFinder::testsIfEqual(Value *X, int64_t C, const BasicBlock *P,
                               const Letters &L, unsigned Depth, Tests &Out) {
  if (!Depth || !Left)
    return false;
  --Left;
  for (unsigned Step = 0; Step < 4; ++Step) {
    if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(X))
      X = cast<Instruction>(X)->getOperand(0);
    else if (auto *B = dyn_cast<BinaryOperator>(X);
             B && B->getOpcode() == Instruction::Add &&
             isa<ConstantInt>(B->getOperand(1))) {
      C -= cast<ConstantInt>(B->getOperand(1))->getSExtValue();
      X = B->getOperand(0);
    }
  }
  int64_t At = 0;
  if (Value *Word = letterOf(X, At, M.getDataLayout());
      Word && isElement(Word)) {
    Letters Now = L;
    if (auto [Known, New] = Now.try_emplace(At, char(C));
        !New && Known->second != char(C))
      return true; // control cannot come this way
    const std::string Name = spelled(Now);
    if (!Name.empty()) {
      Out.Names.insert(Name);
      return true;
    }
    return testsAt(P, Now, Depth, Out);
  }
  auto *CB = dyn_cast<CallBase>(X);
  if (std::optional<Comparison> Cmp =
          CB && C == 0 ? comparisonOf(*CB) : std::nullopt) {
    Value *Left = CB->getArgOperand(Cmp->Left),
          *Right = CB->getArgOperand(Cmp->Right);
    std::optional<std::string> Name = literalAt(Right);
    if (!Name && !Cmp->OfString) {
      std::swap(Left, Right);
      Name = literalAt(Right);
    }
    if (Name && Cmp->Characters)
      Name = Name->substr(0, *Cmp->Characters);
    Texts Of;
    if (Name && !Name->empty() && isElementText(Left, Cmp->OfString)) {
      Out.Names.insert(*Name);
      return true;
    }
  }
  if (const CallBase *Parser = parserOf(X, 6)) {
    InputRow R;
    describeParser(*Parser, R);
    Out.Parser = Parser;
    if (C > ' ' && C < 127 && R.Letters.find(char(C)) != std::string::npos)
      Out.Names.insert(std::string("-") + char(C));
    for (const std::string &Name : longNamesOf(*Parser, C))
      Out.Names.insert("--" + Name);
    if (Out.Names.empty() && C > ' ' && C < 127)
      Out.Names.insert(std::string("-") + char(C));
    return !Out.Names.empty();
  }
  if (auto *Phi = dyn_cast<PHINode>(X))
    if (testsIfPhi(*Phi, C, Depth, L, Out))
      return true;
  return testsAt(P, L, Depth, Out);
}

bool InputFinder::isElementText(Value *P, bool OfString) {
  if (!OfString)
    return isElement(P);
  // A string made of an argument.
  for (const Location &At : Obj.pointsTo(P))
    for (Instruction *I : From.writersOf(At.first)) {
      Value *Of = nullptr;
      if (auto *Copy = dyn_cast<MemTransferInst>(I))
        Of = Copy->getSource();
      else if (auto *CB = dyn_cast<CallBase>(I); CB && CB->arg_size() > 1)
        Of = CB->getArgOperand(CB->arg_size() > 3 ? 3 : 1);
      if (Of && Of->getType()->isPointerTy() && isElement(Of))
        return true;
    }
  return false;
}

/// The elements of the array of `struct option` that \p Parser reads.
static ConstantArray *optionsOf(const CallBase &Parser, const Objects &Obj,
                                const Provenance &From) {
  if (plainName(Parser) == "getopt")
    return nullptr;
  auto *G =
      dyn_cast<GlobalVariable>(Parser.getArgOperand(3)->stripPointerCasts());
  for (const Location &At : Obj.pointsTo(Parser.getArgOperand(3)))
    if (!G) // a copy on the stack
      for (Instruction *I : From.writersOf(At.first))
        if (auto *Copy = dyn_cast<MemTransferInst>(I))
          G = dyn_cast<GlobalVariable>(Copy->getSource()->stripPointerCasts());
  return G && G->hasInitializer() ? dyn_cast<ConstantArray>(G->getInitializer())
                                  : nullptr;
}

/// Calls \p Each with name, "has a value" and the letter of each long option.
static void
eachLongName(const ConstantArray *Options,
             function_ref<void(const std::string &, bool, int64_t)> Each) {
  if (!Options)
    return;
  for (const Use &U : Options->operands()) {
    auto *S = dyn_cast<ConstantStruct>(U);
    if (!S || S->getNumOperands() < 4)
      continue;
    std::optional<std::string> Name = literalAt(S->getOperand(0));
    auto *Has = dyn_cast<ConstantInt>(S->getOperand(1));
    const ConstantInt *Letter = nullptr; // the last number; padding is none
    for (unsigned K = 2; K < S->getNumOperands(); ++K)
      if (auto *C = dyn_cast<ConstantInt>(S->getOperand(K)))
        Letter = C;
    if (Name && Has && Letter)
      Each(*Name, !Has->isZero(), Letter->getSExtValue());
  }
}

std::vector<std::string> InputFinder::longNamesOf(const CallBase &Parser,
                                                  int64_t Letter) {
  std::vector<std::string> Names;
  eachLongName(optionsOf(Parser, Obj, From),
               [&](const std::string &Name, bool, int64_t Of) {
                 if (Of == Letter)
                   Names.push_back(Name);
               });
  return Names;
}

void InputFinder::describeParser(const CallBase &Parser, InputRow &R) {
  R.Letters = literalAt(Parser.getArgOperand(2)).value_or("");
  R.LongNames.clear();
  eachLongName(optionsOf(Parser, Obj, From),
               [&](const std::string &Name, bool HasValue, int64_t) {
                 R.LongNames.push_back(Name + (HasValue ? ":" : ""));
               });
}

} // namespace evenkeel
