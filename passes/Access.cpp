//===- Access.cpp - classes and counts of accesses, per region ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ScalarEvolution's view of loops and pointers, and what it cannot know:
// bounds that OpenMP's runtime sets, loads nobody stores to, task-creation
// loops with symbolic steps.
// Makes: EkAccessResult. All of it is computed on a clone, where such loads may
// be hoisted and bounds forwarded; the module itself stays as it is.
// Leaves out: probabilities of conditions (such counts are upper bounds and say
// so).
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "AtCall.h"
#include "EvenSteps.h"
#include "Inventory.h"
#include "Names.h"
#include "Objects.h"
#include "Provenance.h"
#include "Reshape.h"
#include "Source.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <functional>
#include <numeric>

using namespace llvm;

namespace evenkeel {

AnalysisKey EkAccess::Key;

StringRef accessClassName(AccessClass C) {
  switch (C) {
  case AccessClass::Invariant:
    return "invariant";
  case AccessClass::Stream:
    return "stream";
  case AccessClass::Strided:
    return "strided";
  case AccessClass::Stencil:
    return "stencil";
  case AccessClass::Random:
    return "random";
  case AccessClass::Chase:
    return "chase";
  case AccessClass::Unknown:
    return "unknown";
  }
  llvm_unreachable("class without a name");
}

bool EkAccessResult::invalidate(Module &, const PreservedAnalyses &PA,
                                ModuleAnalysisManager::Invalidator &) {
  auto Checker = PA.getChecker<EkAccess>();
  return !Checker.preserved() && !Checker.preservedSet<AllAnalysesOn<Module>>();
}

namespace {

/// A loop around what is counted, and its rounds each time it is entered. They
/// may depend on the rounds of the loops around it (countIndex).
struct Level {
  const Loop *L;
  CountRef N;
  /// Who runs them: the task, or the team by a schedule.
  enum ModeType { Own, Static, Dynamic } Mode = Own;
  CountRef Chunk = nullptr; // Static: null for contiguous blocks
};

/// A number of executions: C for all rounds of Levels, outermost first.
/// Absolute: C is the total of the task, whatever surrounds it (measured trip
/// counts).
struct Times {
  CountRef C = countConst(1);
  SmallVector<Level, 4> Levels;
  bool Absolute = false;
  bool Conditional = false; // behind a condition
  bool Exact = true;
  std::string Why;

  void doubt(StringRef Reason) {
    Exact = false;
    if (Why.empty())
      Why = Reason.str();
  }
};

/// A work-shared loop: iterations of the whole team.
struct SharedLoop {
  CountRef N; // null: no closed form
  Level::ModeType Mode = Level::Static;
  CountRef Chunk;
  SmallPtrSet<const Value *, 8> Bounds; // leaves of N and the bound slots
  /// Values of the slot with the lower bound, which start at the task's first
  /// iteration, and what they are at the first of all.
  ValueToSCEVMapTy First;
};

/// What lies below a place: loops from Bottom up, a block operation's length.
struct Below {
  const Loop *Bottom = nullptr;
  const SCEV *Length = nullptr;
};

/// How one access moves.
struct Walk {
  AccessClass Class = AccessClass::Invariant;
  std::optional<int64_t> Stride;
  bool Dependent = false;
  std::string Why;
  const SCEV *Pointer = nullptr;
  const SCEV *Step = nullptr;
  Loop *Moving = nullptr;
  unsigned Points = 1, Dimensions = 0;
  std::vector<uint64_t> IndexSites;
};

struct Access {
  Instruction *I = nullptr;
  Value *Pointer = nullptr;
  uint64_t Bytes = 0;
  bool Reads = false, Writes = false, Atomic = false;
  CountRef StrideBy, Reuse; // may be null
  LocationSet Where;
  std::vector<uint64_t> Sites, Contexts;
  Walk W;
  Times T;
  std::string Lost; // reason why Sites is empty
};

/// Analyses and results of one function.
struct FunctionInfo {
  Function *F = nullptr;
  LoopInfo *LI = nullptr;
  DominatorTree *DT = nullptr;
  PostDominatorTree *PDT = nullptr;
  ScalarEvolution *SE = nullptr;
  DenseMap<const Loop *, SharedLoop> Shared;
  /// Loops that hand out chunks of a work-shared loop: they add no iterations.
  SmallPtrSet<const Loop *, 4> Chunks;
  DenseMap<std::pair<const Loop *, const Loop *>, Times> Nest;
  /// What a loop's rounds may be, by ScalarEvolution or with its guards.
  DenseMap<const Loop *, SmallVector<const SCEV *, 2>> Trips;
  DenseMap<const Loop *, unsigned> LoopOrdinal;
  std::vector<Access> Accesses;
};

class Analyzer {
  Module &M;
  FunctionAnalysisManager &FAM;
  Inventory Inv;
  SourceMap Source;
  Objects Obj;
  DenseMap<const Instruction *, const BasicBlock *> Home; // before hoisting
  MapVector<const Function *, std::unique_ptr<FunctionInfo>> Infos;
  SmallPtrSet<const Function *, 16> OnTeam; // reached from a parallel or task
  SmallPtrSet<const Function *, 16> Recursive;
  /// What may run. What was inlined into all of the program's callers stays
  /// behind, exported: calls from there are none.
  SetVector<const Function *> Live;
  /// Objects that live code, or code outside, may read or write; those that
  /// code outside may.
  BitVector Touched, Handed;
  std::map<uint64_t, SymbolRow> Symbols;
  std::vector<SymbolLeaf> Leaves;
  DenseMap<const Value *, uint64_t> LeafIds;
  std::map<std::string, unsigned> ValueOrdinals, BlockOrdinals;
  /// Measured symbols of one copy of an inlined place, and of the place.
  std::map<uint64_t, uint64_t> PlainOf;
  std::map<uint64_t, unsigned> Copies;
  /// Calls of a function on the same thread, and forks that start it.
  DenseMap<const Function *, SmallVector<const CallBase *, 4>> CallSites;
  /// Formulas may name what differs from call to call.
  bool PerCall = false;
  DenseMap<const Loop *, uint64_t> LoopNumbers; // see indexOf

  FunctionInfo &info(Function &F);
  const BasicBlock *home(const Instruction &I) const {
    auto It = Home.find(&I);
    return It == Home.end() ? I.getParent() : It->second;
  }
  void giveUp(StringRef Why, uint64_t N = 1) { R.GiveUps[Why.str()] += N; }

  // Preparing the clone.
  void forwardBounds(Function &F);
  void mergeTwins(Function &F);
  void hoistInvariantLoads(Function &F);
  DenseMap<const Function *, LocationSet> Written; // by its own code
  /// By object: the functions whose own code may write to it.
  std::map<unsigned, std::vector<Function *>> Writers;
  void noteWriters();
  bool mayWrite(const SetVector<Function *> &Who, const LocationSet &Where);

  // Symbols.
  bool isProgramWide(const Value *V, const Function &F, unsigned Depth = 0);
  std::string qualifier(const Place &P, const FunctionInfo &FI);
  CountRef growsWith(Value *V, FunctionInfo &FI);
  uint64_t valueSymbol(Value *V, FunctionInfo &FI);
  uint64_t measure(StringRef What, Value *V, BasicBlock *B, DebugLoc D,
                   FunctionInfo &FI, std::optional<unsigned> Nth,
                   CountRef ScalesWith);
  CountRef chooseCopies(const CountRef &C) const;
  uint64_t linesSymbol(MemIntrinsic &I, FunctionInfo &FI, CountRef ScalesWith);
  bool isSame(const Value *V, unsigned Depth = 0);
  bool changesBetweenForks(const Argument &A);
  bool runsOnce(const Function *F, unsigned Depth = 0);
  uint64_t blockSymbol(BasicBlock *B, StringRef What, FunctionInfo &FI,
                       CountRef ScalesWith);
  CountRef toCount(const SCEV *S, const Loop *Within, FunctionInfo &FI,
                   std::string &Why, const Times *Open = nullptr);
  void defineSymbols();

  // Counts.
  void findSharedLoops(FunctionInfo &FI);
  Loop *countedBy(Loop &L, FunctionInfo &FI);
  uint64_t indexOf(const Loop *L);
  CountRef closed(const Times &T, CountRef Each = countConst(1));
  CountRef reuse(const Walk &W, const Times &T);
  ArrayRef<const SCEV *> tripsOf(const Loop &L, FunctionInfo &FI);
  CountRef clamped(const CountRef &C, const Times &Open);
  CountRef tripCount(Loop &L, FunctionInfo &FI, const Times &Open,
                     std::string &Why, std::string &Assumes);
  CountRef inductionTrips(Loop &L, FunctionInfo &FI, const Times &Open);
  const Times &nest(Loop *L, Below Under, FunctionInfo &FI);
  CountRef tripsOfBlock(const BasicBlock *B, Loop &L, FunctionInfo &FI,
                        const Times &Open);
  Times timesOf(const Instruction &I, FunctionInfo &FI,
                const SCEV *Length = nullptr);
  void leavesOf(const SCEV *S, SmallPtrSetImpl<const Value *> &Out);
  std::string controlled(const BasicBlock *&B, const BasicBlock *Top,
                         Below Under, FunctionInfo &FI);
  bool guards(const Value *Cond, bool Sense, const SCEV *Length,
              ArrayRef<const Loop *> Loops, FunctionInfo &FI,
              unsigned Depth = 0);
  bool isGuard(const BasicBlock *D, const BasicBlock *B, Below Under,
               FunctionInfo &FI);
  Times entries(Loop &L, Below Under, FunctionInfo &FI);
  Times executions(const BasicBlock *B, Below Under, FunctionInfo &FI);

  // Classes.
  Walk walk(Access &A, FunctionInfo &FI);
  Walk walkOf(const SCEV *S, const Instruction &I, uint64_t Bytes,
              FunctionInfo &FI);
  SmallVector<const SCEV *, 2> returned(const SCEV *S, FunctionInfo &FI);
  void irregular(Walk &W, const SCEV *S, Loop *X, uint64_t Bytes,
                 FunctionInfo &FI);
  bool reaches(const Value *From, const PHINode *To, const Loop *X,
               bool ThroughLoads, bool &SawLoad,
               SmallPtrSetImpl<const Value *> &Seen);
  bool isBehindOwnLoad(const PHINode &P, unsigned K, const Loop *X);
  void findStencils(FunctionInfo &FI);
  void moveWithCallers(FunctionInfo &FI);
  std::optional<Walk> walkOfCallers(const SCEV *S, ArrayRef<Value *> Depends,
                                    uint64_t Bytes, FunctionInfo &FI,
                                    unsigned Depth);
  std::optional<Walk> walkOfLibrary(const SCEV *S, uint64_t Bytes,
                                    FunctionInfo &FI);
  std::optional<Walk> walkAround(const CallBase &CB, const SCEV *S,
                                 ArrayRef<Value *> Depends, uint64_t Bytes,
                                 FunctionInfo &FI, unsigned Depth);
  void collect(FunctionInfo &FI);
  void noteExternal(const CallBase &CB);
  void touch(const LocationSet &Where, bool Outside);
  bool isTouched(Value *Maker) const;
  void resolve(Access &A);
  void noteIndex(Walk &W, ArrayRef<const Instruction *> From, Loop *X);

  // Regions.
  /// Calls on the same thread, both ways.
  DenseMap<const Function *, SetVector<Function *>> Callees;
  DenseMap<const Function *, std::vector<CallBase *>> CallsOf;
  void noteCalls();
  SmallPtrSet<const Function *, 32> InRegions; // reached from one
  void noteOutside();
  void noteNestedTeams();
  SmallPtrSet<const Function *, 8> Nested; // bodies that a team's tasks fork
  void reachFrom(Function &F, SetVector<Function *> &Out);
  void findRecursion();
  Times callsOf(Function &F, Function &Root,
                const SetVector<Function *> &Reached,
                DenseMap<Function *, Times> &Memo);
  void region(Function &Root, const RegionInfo &RI);
  void findIndirectSites();
  void sites();
  std::string objectName(unsigned Index);
  void pointers();
  void finishNames(const std::set<uint64_t> &Used);

public:
  EkAccessResult R;
  bool WithPointers = false;
  Analyzer(Module &M, FunctionAnalysisManager &FAM)
      : M(M), FAM(FAM), Inv(recall(M)), Source(M), Obj(M) {}
  void run();
};

} // namespace

//===----------------------------------------------------------------------===//
// Preparing the clone
//===----------------------------------------------------------------------===//

static bool isStaticInit(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && F->getName().starts_with("__kmpc_for_static_init_");
}

/// The slots of lower and upper bound. The runtime writes them once, in the
/// init call, and keeps no pointer to them; but they escaped, so every opaque
/// call in the loop seems to change them.
void Analyzer::forwardBounds(Function &F) {
  DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (Instruction &I : instructions(F)) {
    auto *Init = dyn_cast<CallBase>(&I);
    if (!Init || !isStaticInit(*Init))
      continue;
    for (unsigned Arg : {4u, 5u}) {
      auto *Slot =
          dyn_cast<AllocaInst>(Init->getArgOperand(Arg)->stripPointerCasts());
      if (!Slot)
        continue;
      SmallVector<LoadInst *, 8> Loads;
      SmallVector<StoreInst *, 4> Later;
      for (User *U : Slot->users()) {
        if (auto *L = dyn_cast<LoadInst>(U); L && DT.dominates(Init, L))
          Loads.push_back(L);
        if (auto *S = dyn_cast<StoreInst>(U); S && DT.dominates(Init, S))
          Later.push_back(S);
      }
      if (Later.size() > 1)
        continue; // chunked: the slots move on
      Value *V = nullptr;
      Instruction *From = Init;
      if (Later.size() == 1) {
        V = Later[0]->getValueOperand();
        From = Later[0];
      } else {
        for (LoadInst *L : Loads)
          if (all_of(Loads,
                     [&](LoadInst *O) { return O == L || DT.dominates(L, O); }))
            V = From = L;
      }
      if (!V)
        continue;
      for (LoadInst *L : Loads)
        if (L != V && L->getType() == V->getType() && DT.dominates(From, L))
          L->replaceAllUsesWith(V);
    }
  }
}

/// A PHI of the same computation done on every way to it (GVN leaves such) is
/// that computation, which ScalarEvolution then sees through.
void Analyzer::mergeTwins(Function &F) {
  DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  bool Again = true;
  while (Again) {
    Again = false;
    for (BasicBlock &B : F)
      for (PHINode &P : make_early_inc_range(B.phis())) {
        auto *First = dyn_cast<Instruction>(P.getIncomingValue(0));
        if (!First || P.getNumIncomingValues() < 2 ||
            !isa<BinaryOperator, CastInst, GetElementPtrInst>(First) ||
            !all_of(P.incoming_values(),
                    [&](const Use &U) {
                      auto *I = dyn_cast<Instruction>(U);
                      return I && I->isIdenticalTo(First);
                    }) ||
            !all_of(First->operands(), [&](const Use &U) {
              auto *I = dyn_cast<Instruction>(U);
              return !I || (I != &P && DT.dominates(I, &B));
            }))
          continue;
        if (B.getFirstInsertionPt() == B.end())
          continue;
        Instruction *Twin = First->clone();
        Twin->insertBefore(&*B.getFirstInsertionPt());
        P.replaceAllUsesWith(Twin);
        P.eraseFromParent();
        Again = true;
      }
  }
}

void Analyzer::noteWriters() {
  for (Function &F : M) {
    LocationSet &Own = Written[&F];
    for (Instruction &I : instructions(F)) {
      LocationSet W = Obj.written(I);
      Own.insert(W.begin(), W.end());
    }
    for (auto It = Own.begin(); It != Own.end();
         It = Own.upper_bound({It->first, INT64_MAX}))
      Writers[It->first].push_back(&F);
  }
}

/// Whether the functions of \p Who, by their own code, may write to \p Where.
bool Analyzer::mayWrite(const SetVector<Function *> &Who,
                        const LocationSet &Where) {
  auto Asks = [&](Function *F) { return overlaps(Where, Written[F]); };
  auto Anywhere = Writers.find(AnythingObject);
  if (Where.count({AnythingObject, AnyOffset}))
    return any_of(Who, Asks);
  if (Anywhere != Writers.end() &&
      any_of(Anywhere->second, [&](Function *F) { return Who.contains(F); }))
    return true;
  for (auto It = Where.begin(); It != Where.end();
       It = Where.upper_bound({It->first, INT64_MAX})) {
    auto W = Writers.find(It->first);
    if (W == Writers.end())
      continue;
    if (Who.size() < W->second.size() ? any_of(Who, Asks)
                                      : any_of(W->second, [&](Function *F) {
                                          return Who.contains(F) && Asks(F);
                                        }))
      return true;
  }
  return false;
}

/// Moves loads of what nobody in the function stores to (captured scalars,
/// fields of captured structs) out of loops. On the clone only: a load that
/// would not have run may trap.
void Analyzer::hoistInvariantLoads(Function &F) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return;
  SetVector<Function *> Reached;
  reachFrom(F, Reached);
  DenseMap<const LocationSet *, bool> Changing; // their addresses are stable
  auto IsSteady = [&](Value *V) {
    auto *Load = dyn_cast<LoadInst>(V);
    if (!Load || !Load->isUnordered() || Load->isVolatile() ||
        !(Load->getType()->isIntegerTy() || Load->getType()->isPointerTy()))
      return false;
    const LocationSet &Where = Obj.pointsTo(Load->getPointerOperand());
    auto [Known, New] = Changing.try_emplace(&Where, true);
    if (New)
      Known->second =
          Where.empty() ||
          any_of(Where,
                 [](const Location &P) { return P.first == ExternalObject; }) ||
          mayWrite(Reached, Where);
    return !Known->second;
  };
  bool Again = true;
  while (Again) {
    Again = false;
    for (Loop *L : LI.getLoopsInPreorder()) {
      BasicBlock *Preheader = L->getLoopPreheader();
      if (!Preheader)
        continue;
      for (BasicBlock *B : L->blocks())
        for (Instruction &I : make_early_inc_range(*B)) {
          if (!IsSteady(&I))
            continue;
          auto *Load = cast<LoadInst>(&I);
          bool Moved = false;
          if (!L->makeLoopInvariant(Load->getPointerOperand(), Moved,
                                    Preheader->getTerminator()))
            continue;
          Home.try_emplace(Load, B);
          Load->moveBefore(Preheader->getTerminator());
          Again = true;
        }
    }
  }
  // Loads that were carried around the loop, in case one of its calls writes.
  std::map<std::tuple<Value *, int64_t, Type *>, Value *> First;
  std::function<Value *(Value *)> Same = [&](Value *V) -> Value * {
    if (!IsSteady(V))
      return V;
    Value *P = cast<LoadInst>(V)->getPointerOperand();
    APInt Offset(64, 0);
    Value *Base = P->stripAndAccumulateConstantOffsets(
        M.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
    return First
        .try_emplace({Same(Base), Offset.getSExtValue(), V->getType()}, V)
        .first->second;
  };
  collapsePhis(F, FAM.getResult<DominatorTreeAnalysis>(F), Same);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

FunctionInfo &Analyzer::info(Function &F) {
  std::unique_ptr<FunctionInfo> &P = Infos[&F];
  if (!P) {
    P = std::make_unique<FunctionInfo>();
    P->F = &F;
    P->LI = &FAM.getResult<LoopAnalysis>(F);
    P->DT = &FAM.getResult<DominatorTreeAnalysis>(F);
    P->PDT = &FAM.getResult<PostDominatorTreeAnalysis>(F);
    P->SE = &FAM.getResult<ScalarEvolutionAnalysis>(F);
    FunctionInfo &FI = *P;
    std::map<std::string, unsigned> Seen;
    for (Loop *L : FI.LI->getLoopsInPreorder()) {
      DebugLoc D = L->getStartLoc();
      FI.LoopOrdinal[L] = Seen[D ? Source.locateUser(D).at() : std::string()]++;
    }
    findSharedLoops(FI);
    return FI; // it may have asked for others, and P have moved
  }
  return *P;
}

/// Threads and truth values are as many on every input.
static bool isSameOnEveryInput(const Value *V) {
  while (auto *C = dyn_cast<CastInst>(V))
    V = C->getOperand(0);
  if (V->getType()->isIntegerTy(1))
    return true;
  auto *CB = dyn_cast<CallBase>(V);
  Function *F = CB ? calleeOf(*CB) : nullptr;
  return F && StringSwitch<bool>(F->getName())
                  .Cases("omp_get_num_threads", "omp_get_thread_num", true)
                  .Cases("omp_get_max_threads", "omp_get_num_procs", true)
                  .Default(false);
}

/// Whether \p F runs at most once, as far as the module tells.
bool Analyzer::runsOnce(const Function *F, unsigned Depth) {
  auto It = CallSites.find(F);
  if (It == CallSites.end())
    return true; // main, or called from elsewhere
  if (Depth > 16 || It->second.size() > 1 || Recursive.count(F))
    return false;
  const CallBase *CB = It->second.front();
  Function *Caller = const_cast<Function *>(CB->getFunction());
  return !info(*Caller).LI->getLoopFor(CB->getParent()) &&
         runsOnce(Caller, Depth + 1);
}

/// Whether \p V is the same each time its function runs. Fields are taken to
/// stay as they are.
bool Analyzer::isSame(const Value *V, unsigned Depth) {
  if (isa<Constant>(V))
    return true;
  if (Depth > 16)
    return false;
  if (auto *A = dyn_cast<Argument>(V)) {
    const Function *F = A->getParent();
    auto It = CallSites.find(F);
    if (It == CallSites.end())
      return true;
    if (Recursive.count(F))
      return false;
    const Value *Only = nullptr;
    for (const CallBase *CB : It->second) {
      unsigned N = A->getArgNo();
      if (isForkCall(*CB))
        N += (calleeOf(*CB)->getName() == "__kmpc_fork_call_if" ? 4 : 3) - 2;
      if (N >= CB->arg_size())
        return false;
      const Value *Op = CB->getArgOperand(N);
      if ((Only && Op != Only) || !isSame(Op, Depth + 1))
        return false;
      Only = Op;
    }
    return true;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<PHINode>(I))
    return false;
  Function *F = const_cast<Function *>(I->getFunction());
  if (auto *Slot = dyn_cast<AllocaInst>(I)) { // captured: by what it holds
    const Value *Held = nullptr;
    for (const User *U : Slot->users())
      if (auto *S = dyn_cast<StoreInst>(U)) {
        if (Held && Held != S->getValueOperand())
          return false;
        Held = S->getValueOperand();
      }
    return !Held || isSame(Held, Depth + 1);
  }
  if (isa<CallBase>(I))
    return isSameOnEveryInput(I) ||
           (runsOnce(F) && !info(*F).LI->getLoopFor(home(*I)));
  return all_of(I->operands(),
                [&](const Use &U) { return isSame(U, Depth + 1); });
}

/// Whether what \p A of a parallel body captures is another value in another
/// round of a loop around the fork.
bool Analyzer::changesBetweenForks(const Argument &A) {
  auto It = CallSites.find(A.getParent());
  if (It == CallSites.end())
    return false;
  return any_of(It->second, [&](const CallBase *CB) {
    unsigned N = A.getArgNo() +
                 (calleeOf(*CB)->getName() == "__kmpc_fork_call_if" ? 4 : 3) -
                 2;
    Function &F = *const_cast<Function *>(CB->getFunction());
    LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
    Loop *L = LI.getLoopFor(CB->getParent());
    if (!isForkCall(*CB) || N >= CB->arg_size() || !L)
      return false;
    const Value *V = CB->getArgOperand(N);
    if (auto *Slot = dyn_cast<AllocaInst>(V))
      return any_of(Slot->users(), [&](const User *U) {
        auto *S = dyn_cast<StoreInst>(U);
        return S && L->contains(S) && !L->isLoopInvariant(S->getValueOperand());
      });
    return !V->getType()->isPointerTy() && !L->isLoopInvariant(V);
  });
}

/// Whether every task of the region sees the same value.
bool Analyzer::isProgramWide(const Value *V, const Function &F,
                             unsigned Depth) {
  if (isa<Constant>(V) || !OnTeam.count(&F))
    return true;
  if (Depth > 16)
    return false;
  if (auto *A = dyn_cast<Argument>(V)) {
    auto It = Inv.Regions.find(const_cast<Function *>(&F));
    if (It == Inv.Regions.end())
      return false;
    return It->second.Kind == "parallel" && A->getArgNo() >= 2 &&
           !changesBetweenForks(*A);
  }
  if (auto *L = dyn_cast<LoadInst>(V)) {
    // In a task only the shareds, reached through the object's first word,
    // are common; privates are the task's own.
    const Value *P = L->getPointerOperand();
    const LocationSet &S = Obj.pointsTo(P);
    bool Task = false, Shareds = false;
    for (const Location &Loc : S) {
      auto K = Obj.objects()[Loc.first].Kind;
      Task |= K == MemoryObject::Task && Loc.second != 0;
      Shareds |= K == MemoryObject::Shareds ||
                 (K == MemoryObject::Task && Loc.second == 0);
      if (K == MemoryObject::Stack &&
          cast<Instruction>(Obj.objects()[Loc.first].V)->getFunction() == &F)
        return false;
    }
    if (Task)
      return false;
    return Shareds || isProgramWide(P, F, Depth + 1);
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<PHINode, CallBase, AllocaInst>(I))
    return false;
  return all_of(I->operands(),
                [&](const Use &U) { return isProgramWide(U, F, Depth + 1); });
}

/// A helper inlined into several regions has one coordinate and as many
/// meanings: there the region's function comes first. Empty elsewhere, because
/// what is inlined into ordinary functions depends on how units are linked.
std::string Analyzer::qualifier(const Place &P, const FunctionInfo &FI) {
  if (!isOutlinedHelper(*FI.F))
    return "";
  Place Own = Source.locateFunction(FI.F->getSubprogram());
  return Own.Function == P.Function ? "" : Own.Function + ":";
}

/// What \p V grows with, where it has no formula of its own; else null.
CountRef Analyzer::growsWith(Value *V, FunctionInfo &FI) {
  if (isSameOnEveryInput(V))
    return countConst(1);
  auto *B = dyn_cast<BinaryOperator>(V);
  bool Share =
      B &&
      (B->getOpcode() == Instruction::SDiv ||
       B->getOpcode() == Instruction::UDiv) &&
      (isa<Constant>(B->getOperand(1)) || isSameOnEveryInput(B->getOperand(1)));
  std::string Why;
  return Share ? toCount(FI.SE->getSCEV(B->getOperand(0)),
                         FI.LI->getLoopFor(home(*B)), FI, Why)
               : nullptr;
}

uint64_t Analyzer::valueSymbol(Value *V, FunctionInfo &FI) {
  if (auto It = LeafIds.find(V); It != LeafIds.end())
    return It->second;
  std::optional<SourceName> Name = nameOfValue(V);
  const DISubprogram *SP =
      Name && Name->Function ? Name->Function : FI.F->getSubprogram();
  Place P = Source.locateFunction(SP);
  P.LineOffset = 0;
  SymbolLeaf Leaf;
  SymbolRow Row;
  Row.PerTask = !isProgramWide(V, *FI.F);
  std::string What;
  unsigned Ordinal = 0;
  if (Name) {
    What = Name->Text;
    Row.Kind = Row.PerTask ? SymbolLeaf::Derived : SymbolLeaf::Given;
    if (Name->OfValue)
      Ordinal = ValueOrdinals[(FI.F->getName() + "\n" + What).str()]++;
    Row.At = P.at();
  } else {
    auto *I = dyn_cast<Instruction>(V);
    Place At = I ? Source.locate(I->getDebugLoc()) : Place();
    if (At.known())
      P = At;
    What = "value";
    Row.Kind = SymbolLeaf::Measured;
    Ordinal = ValueOrdinals[(FI.F->getName() + "\n" + P.at()).str()]++;
    Row.At = P.at();
  }
  std::string Outer = qualifier(P, FI);
  Row.Id = idAt("symbol:" + Outer + What, P, Ordinal);
  Row.Name = Outer.empty() ? P.Function + ":" : Outer + P.Function + ".";
  Row.Name += What;
  if (!Name)
    Row.Name += "." + std::to_string(P.Line) + "." + std::to_string(P.Column);
  if (Ordinal)
    Row.Name += "#" + std::to_string(Ordinal);
  // The same variable may be met first where it is captured.
  CountRef &ScalesWith =
      Symbols.try_emplace(Row.Id, Row).first->second.ScalesWith;
  if (!ScalesWith)
    ScalesWith = growsWith(V, FI);
  Leaf.Id = Row.Id;
  Leaf.Kind = Row.Kind;
  Leaf.PerTask = Row.PerTask;
  Leaf.V = V;
  // Narrow values, as they are used.
  auto *A = dyn_cast<Argument>(V);
  Leaf.Signed =
      !(A && A->hasZExtAttr()) && (none_of(V->users(), IsaPred<ZExtInst>) ||
                                   any_of(V->users(), IsaPred<SExtInst>));
  Leaf.F = FI.F;
  Leaf.Name = Row.Name;
  Leaves.push_back(Leaf);
  return LeafIds[V] = Row.Id;
}

/// Makes a symbol that only a run tells. Copies of one place, inlined into
/// several others, are told apart by where they were inlined; as other units
/// may see one copy only, the recorder takes down both (see chooseCopies).
uint64_t Analyzer::measure(StringRef What, Value *V, BasicBlock *B, DebugLoc D,
                           FunctionInfo &FI, std::optional<unsigned> Nth,
                           CountRef ScalesWith) {
  Place P = D ? Source.locateUser(D) : Place();
  if (!P.known())
    P = Source.locateFunction(FI.F->getSubprogram());
  std::string Chain;
  for (const DILocation *At = D ? D->getInlinedAt() : nullptr; At;
       At = At->getInlinedAt())
    if (Place Q = Source.locate(At); Q.known())
      Chain += " < " + Q.Function + ":" + Q.at();
  std::string Key = (What + FI.F->getName() + "\n" + P.at()).str();
  unsigned Ordinal = Nth ? *Nth : BlockOrdinals[Key]++;
  SymbolRow Row;
  std::string Outer = qualifier(P, FI);
  Row.Kind = SymbolLeaf::Measured;
  Row.PerTask = OnTeam.count(FI.F);
  Row.At = P.at();
  Row.Name = Outer.empty() ? P.Function + ":" : Outer + P.Function + ".";
  Row.Name += What.str() + "." + std::to_string(P.Line);
  if (Ordinal)
    Row.Name += "#" + std::to_string(Ordinal);
  if (ScalesWith && ScalesWith->Kind != Count::Const)
    Row.ScalesWith = ScalesWith;
  auto Make = [&](const std::string &Of, unsigned Ordinal) {
    Row.Id = idAt("symbol:" + Outer + Of, P, Ordinal);
    Symbols.try_emplace(Row.Id, Row);
    SymbolLeaf Leaf;
    Leaf.Id = Row.Id;
    Leaf.Kind = Row.Kind;
    Leaf.PerTask = Row.PerTask;
    Leaf.V = V;
    Leaf.Block = B;
    Leaf.F = FI.F;
    Leaf.Name = Row.Name;
    Leaves.push_back(Leaf);
    return Row.Id;
  };
  uint64_t Plain = Make(What.str(), Ordinal);
  ++Copies[Plain];
  if (Chain.empty())
    return Plain;
  uint64_t Own = Make(What.str() + Chain, Ordinal);
  PlainOf[Own] = Plain;
  return Own;
}

/// Where a place has one copy in the module its plain symbol says it all, also
/// to units that inlined it elsewhere.
CountRef Analyzer::chooseCopies(const CountRef &C) const {
  if (!C || C->Kind == Count::Const || C->Kind == Count::Index)
    return C;
  if (C->Kind == Count::Symbol) {
    auto It = PlainOf.find(C->Sym);
    return It != PlainOf.end() && Copies.at(It->second) == 1
               ? countSymbol(It->second)
               : C;
  }
  std::vector<CountRef> Args;
  for (const CountRef &A : C->Args)
    Args.push_back(chooseCopies(A));
  return countOp(C->Name, Args);
}

/// The lines that a block operation touches, over all its executions in a task.
uint64_t Analyzer::linesSymbol(MemIntrinsic &I, FunctionInfo &FI,
                               CountRef ScalesWith) {
  if (auto It = LeafIds.find(&I); It != LeafIds.end())
    return It->second;
  return LeafIds[&I] = measure("lines", &I, nullptr, I.getDebugLoc(), FI,
                               std::nullopt, ScalesWith);
}

/// How often the block \p B runs in a task. \p What: "trip" for the header of
/// a loop, "taken" for a block behind a condition, "calls" for a function's
/// entry.
uint64_t Analyzer::blockSymbol(BasicBlock *B, StringRef What, FunctionInfo &FI,
                               CountRef ScalesWith) {
  if (auto It = LeafIds.find(B); It != LeafIds.end())
    return It->second;
  Loop *L = FI.LI->getLoopFor(B);
  bool Header = L && L->getHeader() == B;
  DebugLoc D;
  if (Header)
    D = L->getStartLoc();
  else if (What != "calls")
    for (Instruction &I : *B)
      if (!D && I.getDebugLoc() && !isa<DbgInfoIntrinsic>(I))
        D = I.getDebugLoc();
  uint64_t Id = measure(What, nullptr, B, D, FI,
                        Header ? std::optional<unsigned>(FI.LoopOrdinal[L])
                               : std::nullopt,
                        ScalesWith);
  giveUp(What == "trip"    ? "unknown-trip-count"
         : What == "taken" ? "conditional"
                           : "unknown-number-of-calls");
  return LeafIds[B] = Id;
}

/// \p S as a count, where all its leaves keep their value while \p Within (and
/// what surrounds it) runs, but for the rounds of the levels of \p Open.
/// Integer conversions are transparent: counts are mathematical integers, not
/// machine words.
CountRef Analyzer::toCount(const SCEV *S, const Loop *Within, FunctionInfo &FI,
                           std::string &Why, const Times *Open) {
  auto Many = [&](const SCEVNAryExpr *E, StringRef Op) -> CountRef {
    std::vector<CountRef> Args;
    for (const SCEV *O : E->operands()) {
      CountRef A = toCount(O, Within, FI, Why, Open);
      if (!A)
        return nullptr;
      Args.push_back(A);
    }
    return countOp(Op, Args);
  };
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &V = cast<SCEVConstant>(S)->getAPInt();
    if (V.getSignificantBits() > 62)
      break;
    return countConst(V.getSExtValue());
  }
  case scUnknown: {
    Value *V = cast<SCEVUnknown>(S)->getValue();
    if (!V->getType()->isIntegerTy()) {
      Why = "pointer-difference";
      return nullptr;
    }
    if (auto *I = dyn_cast<Instruction>(V))
      for (const Loop *L = Within; L; L = L->getParentLoop())
        if (L->contains(I)) {
          Why = "varies";
          return nullptr;
        }
    if (isa<UndefValue>(V))
      break;
    // new T[n] asks for -1 bytes when the product overflows; a program that
    // gets there does not go on.
    if (auto *Sel = dyn_cast<SelectInst>(V))
      for (unsigned Arm : {1u, 2u})
        if (auto *C = dyn_cast<ConstantInt>(Sel->getOperand(Arm));
            C && C->isMinusOne())
          return toCount(FI.SE->getSCEV(Sel->getOperand(3 - Arm)), Within, FI,
                         Why, Open);
    if (auto *E = dyn_cast<ExtractValueInst>(V))
      if (auto *O = dyn_cast<WithOverflowInst>(E->getAggregateOperand());
          O && *E->idx_begin() == 0) {
        CountRef A =
            toCount(FI.SE->getSCEV(O->getLHS()), Within, FI, Why, Open);
        CountRef B =
            A ? toCount(FI.SE->getSCEV(O->getRHS()), Within, FI, Why, Open)
              : nullptr;
        StringRef Op = O->getBinaryOp() == Instruction::Mul   ? "*"
                       : O->getBinaryOp() == Instruction::Add ? "+"
                                                              : "-";
        return B ? countOp(Op, {A, B}) : nullptr;
      }
    // The recorder keeps one value for a task: a loop that runs to another
    // bound in each call is measured.
    if (!PerCall && !Inv.Regions.count(FI.F) && !isSame(V)) {
      Why = "varies-by-call";
      return nullptr;
    }
    return countSymbol(valueSymbol(V, FI));
  }
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt: {
    const SCEV *From = cast<SCEVCastExpr>(S)->getOperand();
    CountRef C = toCount(From, Within, FI, Why, Open);
    // x % 4, x & 7: what is cut off is meant to be.
    uint64_t Bits = FI.SE->getTypeSizeInBits(From->getType());
    if (C && isa<SCEVZeroExtendExpr>(S) && Bits < 16 &&
        isa<SCEVTruncateExpr, SCEVAddRecExpr, SCEVAddExpr, SCEVMulExpr>(From)) {
      CountRef Range = countConst(int64_t(1) << Bits);
      return countAdd(C, countMul(countMul(countConst(-1), Range),
                                  countOp("floordiv", {C, Range})));
    }
    return C;
  }
  case scAddExpr:
    return Many(cast<SCEVAddExpr>(S), "+");
  case scMulExpr:
    return Many(cast<SCEVMulExpr>(S), "*");
  case scSMaxExpr:
  case scUMaxExpr:
    return Many(cast<SCEVNAryExpr>(S), "max");
  case scSMinExpr:
  case scUMinExpr:
  case scSequentialUMinExpr:
    return Many(cast<SCEVNAryExpr>(S), "min");
  case scUDivExpr: {
    auto *D = cast<SCEVUDivExpr>(S);
    CountRef A = toCount(D->getLHS(), Within, FI, Why, Open);
    CountRef B = A ? toCount(D->getRHS(), Within, FI, Why, Open) : nullptr;
    return B ? countOp("floordiv", {A, B}) : nullptr;
  }
  case scAddRecExpr: {
    auto *AR = cast<SCEVAddRecExpr>(S);
    const Loop *Around = AR->getLoop();
    if (FI.Chunks.count(Around))
      return toCount(AR->getStart(), Within, FI, Why, Open);
    if (!Open ||
        none_of(Open->Levels, [&](const Level &V) { return V.L == Around; })) {
      Why = "varies";
      return nullptr;
    }
    if (AR->getNumOperands() > 3)
      break;
    // Where chunks begin: the round of the loop that is dealt out knows.
    auto Shared = FI.Shared.find(Around);
    CountRef Round = countIndex(indexOf(Around)), Sum;
    for (unsigned K = 0; K < AR->getNumOperands(); ++K) {
      const SCEV *Part = AR->getOperand(K);
      if (Shared != FI.Shared.end())
        Part =
            SCEVParameterRewriter::rewrite(Part, *FI.SE, Shared->second.First);
      CountRef C = toCount(Part, Within, FI, Why, Open);
      if (!C)
        return nullptr;
      // Binomials of the round (Bachmann, Wang and Zima 1994).
      CountRef Choose =
          K == 0   ? countConst(1)
          : K == 1 ? Round
                   : countOp("floordiv",
                             {countMul(Round, countAdd(Round, countConst(-1))),
                              countConst(2)});
      C = countMul(C, Choose);
      Sum = Sum ? countAdd(Sum, C) : C;
    }
    return Sum;
  }
  default:
    break;
  }
  Why = "non-affine";
  return nullptr;
}

/// Says of symbols what they are in terms of others: of what a caller hands
/// over, or what was stored where they are loaded from. So one given value
/// speaks for all that follow from it, in other functions too.
void Analyzer::defineSymbols() {
  Provenance From(M, Obj);
  // What each symbol may be; a null stands for something that has no formula.
  std::map<uint64_t, std::vector<CountRef>> Candidates;
  std::function<CountRef(Value *, unsigned)> CountOf = [&](Value *O,
                                                           unsigned Depth) {
    std::string Why;
    CountRef E;
    if (auto *C = dyn_cast<ConstantInt>(O))
      return C->getValue().getSignificantBits() <= 62
                 ? countConst(C->getSExtValue())
                 : nullptr;
    auto *D = dyn_cast<Instruction>(O);
    auto *A = dyn_cast<Argument>(O);
    if (!D && !A)
      return E;
    FunctionInfo &FI = info(D ? *D->getFunction() : *A->getParent());
    const Loop *Within = D ? FI.LI->getLoopFor(home(*D)) : nullptr;
    E = toCount(FI.SE->getSCEV(O), Within, FI, Why);
    if (E || Depth > 4)
      return E;
    // Loaded anew in each round of a loop: still what was stored once.
    for (Value *Origin : From.originsOf(O)) {
      CountRef Each = CountOf(Origin, Depth + 1);
      if (!Each || (E && !sameCount(E, Each)))
        return CountRef();
      E = Each;
    }
    return E;
  };
  // Formulas make symbols in turn, at the end of Leaves.
  for (size_t I = 0; I < Leaves.size(); ++I)
    if (Value *V = Leaves[I].V;
        V && !isa<MemIntrinsic>(V) && !Leaves[I].PerTask) {
      uint64_t Id = Leaves[I].Id;
      for (Value *O : From.originsOf(V)) {
        CountRef E = CountOf(O, 0);
        // The variable itself, captured or handed on.
        if (!E || E->Kind != Count::Symbol || E->Sym != Id)
          Candidates[Id].push_back(E && mentions(E, Id) ? nullptr : E);
      }
    }
  // Several are one if they say the same of the symbols that have no formula.
  std::map<uint64_t, CountRef> Expanded;
  std::set<uint64_t> Open;
  std::function<CountRef(const CountRef &)> Expand;
  auto ExpandSymbol = [&](uint64_t Id) -> CountRef {
    auto [At, New] = Expanded.try_emplace(Id, countSymbol(Id));
    if (!New || !Open.insert(Id).second)
      return At->second;
    CountRef Only;
    bool One = Candidates.count(Id) != 0;
    for (const CountRef &C : Candidates[Id]) {
      CountRef E = C ? Expand(C) : nullptr;
      One &= E && !mentions(E, Id) && (!Only || sameCount(Only, E));
      Only = E;
    }
    Open.erase(Id);
    if (One) {
      Symbols[Id].Value = Candidates[Id].front();
      Expanded[Id] = Only;
    }
    return Expanded[Id];
  };
  Expand = [&](const CountRef &C) -> CountRef {
    if (C->Kind == Count::Symbol)
      return ExpandSymbol(C->Sym);
    if (C->Kind != Count::Op)
      return C;
    std::vector<CountRef> Args;
    for (const CountRef &A : C->Args)
      Args.push_back(Expand(A));
    return countOp(C->Name, Args);
  };
  for (auto &[Id, Row] : Symbols)
    ExpandSymbol(Id);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

void Analyzer::leavesOf(const SCEV *S, SmallPtrSetImpl<const Value *> &Out) {
  struct Visitor {
    SmallPtrSetImpl<const Value *> &Out;
    bool follow(const SCEV *S) {
      if (auto *U = dyn_cast<SCEVUnknown>(S))
        Out.insert(U->getValue());
      return true;
    }
    bool isDone() const { return false; }
  } V{Out};
  visitAll(S, V);
}

/// Last store to \p Slot before \p Call.
static Value *storedBefore(AllocaInst *Slot, CallBase *Call,
                           const DominatorTree &DT) {
  StoreInst *Last = nullptr;
  for (User *U : Slot->users())
    if (auto *S = dyn_cast<StoreInst>(U); S && DT.dominates(S, Call))
      if (!Last || DT.dominates(Last, S))
        Last = S;
  return Last ? Last->getValueOperand() : nullptr;
}

void Analyzer::findSharedLoops(FunctionInfo &FI) {
  struct Sharing {
    SmallPtrSet<const Value *, 4> Slots;
    Value *Lower = nullptr, *Upper = nullptr;
    CallBase *Call = nullptr;
    Value *First = nullptr; // slot of the lower bound
    Value *Chunk = nullptr;
    Value *Stride = nullptr; // slot of the distance from chunk to chunk
    bool Dynamic = false, Chunked = false;
  };
  SmallVector<Sharing, 4> All;
  for (Instruction &I : instructions(*FI.F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    Function *Callee = CB ? calleeOf(*CB) : nullptr;
    if (!Callee)
      continue;
    Sharing S;
    S.Call = CB;
    if (isStaticInit(*CB)) {
      auto *LB = dyn_cast<AllocaInst>(CB->getArgOperand(4));
      auto *UB = dyn_cast<AllocaInst>(CB->getArgOperand(5));
      if (!LB || !UB)
        continue;
      S.Slots.insert(LB);
      S.Slots.insert(UB);
      // kmp.h: kmp_sch_static_chunked 33; modifiers lie in the high bits.
      if (auto *Schedule = dyn_cast<ConstantInt>(CB->getArgOperand(2)))
        S.Chunked = (Schedule->getZExtValue() & 0xffff) == 33;
      S.First = LB;
      if (S.Chunked)
        S.Chunk = CB->getArgOperand(8), S.Stride = CB->getArgOperand(6);
      S.Lower = storedBefore(LB, CB, *FI.DT);
      S.Upper = storedBefore(UB, CB, *FI.DT);
    } else if (Callee->getName().starts_with("__kmpc_dispatch_init_")) {
      S.Dynamic = true;
      S.Lower = CB->getArgOperand(3);
      S.Upper = CB->getArgOperand(4);
      // The slots belong to the dispatch_next calls this init dominates.
      for (Instruction &J : instructions(*FI.F))
        if (auto *Next = dyn_cast<CallBase>(&J))
          if (Function *G = calleeOf(*Next);
              G && G->getName().starts_with("__kmpc_dispatch_next_") &&
              FI.DT->dominates(CB, Next)) {
            S.First = Next->getArgOperand(3);
            S.Slots.insert(Next->getArgOperand(3));
            S.Slots.insert(Next->getArgOperand(4));
            if (Loop *L = FI.LI->getLoopFor(Next->getParent()))
              FI.Chunks.insert(L);
          }
    } else {
      continue;
    }
    All.push_back(S);
  }
  if (All.empty())
    return;

  // A loop is work-shared when its trip count or its start depends on a slot.
  auto SharingOf = [&](Loop *L, SmallPtrSetImpl<const Value *> &Values) {
    const SCEV *B = FI.SE->getBackedgeTakenCount(L);
    if (!isa<SCEVCouldNotCompute>(B))
      leavesOf(B, Values);
    for (PHINode &P : L->getHeader()->phis())
      if (FI.SE->isSCEVable(P.getType()))
        if (auto *AR = dyn_cast<SCEVAddRecExpr>(FI.SE->getSCEV(&P));
            AR && AR->getLoop() == L)
          leavesOf(AR->getStart(), Values);
    // Seen through selects and minima, at most a few steps.
    SmallVector<const Value *, 8> Work(Values.begin(), Values.end());
    Sharing *Mine = nullptr;
    for (unsigned Step = 0; !Work.empty() && Step < 64; ++Step) {
      const Value *V = Work.pop_back_val();
      if (auto *Load = dyn_cast<LoadInst>(V)) {
        for (Sharing &S : All)
          if (S.Slots.count(Load->getPointerOperand()) &&
              FI.DT->dominates(S.Call, Load))
            Mine = &S; // the last init that dominates wins
      } else if (isa<PHINode, SelectInst, MinMaxIntrinsic, CastInst,
                     BinaryOperator>(V)) {
        for (const Use &U : cast<User>(V)->operands())
          if (!isa<Constant>(U))
            Work.push_back(U);
      }
    }
    return Mine;
  };
  // Chunked static schedules walk their chunks in a loop that moves the bounds.
  auto MovesBounds = [&](const Loop &L, const Sharing &S) {
    for (PHINode &P : L.getHeader()->phis()) {
      auto *AR = FI.SE->isSCEVable(P.getType())
                     ? dyn_cast<SCEVAddRecExpr>(FI.SE->getSCEV(&P))
                     : nullptr;
      SmallPtrSet<const Value *, 4> Step;
      if (AR && AR->getLoop() == &L)
        leavesOf(AR->getStepRecurrence(*FI.SE), Step);
      if (any_of(Step, [&](const Value *V) {
            auto *Load = dyn_cast<LoadInst>(V);
            return Load && Load->getPointerOperand() == S.Stride;
          }))
        return true;
    }
    return any_of(S.Slots, [&](const Value *Slot) {
      return any_of(Slot->users(), [&](const User *U) {
        auto *Store = dyn_cast<StoreInst>(U);
        return Store && L.contains(Store) && !L.contains(S.Call);
      });
    });
  };
  for (Loop *L : FI.LI->getLoopsInPreorder()) {
    if (FI.Chunks.count(L))
      continue;
    SmallPtrSet<const Value *, 8> Values;
    Sharing *Mine = SharingOf(L, Values);
    if (Mine && Mine->Chunked && MovesBounds(*L, *Mine)) {
      FI.Chunks.insert(L);
      continue;
    }
    // An inner loop may start at a shared index; only the outermost is dealt
    // out.
    bool Nested = false;
    for (Loop *P = L->getParentLoop(); P; P = P->getParentLoop())
      Nested |= FI.Shared.count(P);
    if (!Mine || Nested)
      continue;
    SharedLoop SL;
    if (Mine->Lower && Mine->Upper) {
      const SCEV *Lo = FI.SE->getSCEV(Mine->Lower);
      const SCEV *Up = FI.SE->getSCEV(Mine->Upper);
      std::string Why;
      const Loop *Around = FI.LI->getLoopFor(Mine->Call->getParent());
      CountRef A = toCount(Lo, Around, FI, Why);
      CountRef B = toCount(Up, Around, FI, Why);
      if (A && B)
        SL.N = countAdd(countOp("-", {B, A}), countConst(1));
      leavesOf(Lo, SL.Bounds);
      leavesOf(Up, SL.Bounds);
      for (PHINode &P : L->getHeader()->phis())
        if (auto *AR = dyn_cast<SCEVAddRecExpr>(
                FI.SE->isSCEVable(P.getType()) ? FI.SE->getSCEV(&P) : Lo);
            AR && AR->getLoop() == L && P.getType() == Lo->getType())
          if (auto *U = dyn_cast<SCEVUnknown>(AR->getStart()))
            if (isa<PHINode>(U->getValue()))
              SL.First[U->getValue()] = Lo;
      for (User *U : Mine->First->users())
        if (auto *Load = dyn_cast<LoadInst>(U);
            Load && Load->getType() == Lo->getType())
          SL.First[Load] = Lo;
      if (Mine->Chunked) {
        SL.Chunk = toCount(FI.SE->getSCEV(Mine->Chunk), Around, FI, Why);
        if (!SL.Chunk)
          SL.N = nullptr;
      }
    }
    SL.Bounds.insert(Values.begin(), Values.end());
    if (Mine->Dynamic)
      SL.Mode = Level::Dynamic;
    FI.Shared[L] = SL;
  }
}

/// For loops ScalarEvolution refuses (symbolic step, calls inside): an
/// induction variable with loop-invariant start, step and bound.
CountRef Analyzer::inductionTrips(Loop &L, FunctionInfo &FI,
                                  const Times &Open) {
  BasicBlock *Exiting = L.getExitingBlock();
  if (!Exiting)
    return nullptr;
  auto *Br = dyn_cast<BranchInst>(Exiting->getTerminator());
  auto *Cmp = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
  if (!Cmp || !FI.SE->isSCEVable(Cmp->getOperand(0)->getType()))
    return nullptr;
  const SCEV *A = FI.SE->getSCEV(Cmp->getOperand(0));
  const SCEV *B = FI.SE->getSCEV(Cmp->getOperand(1));
  CmpInst::Predicate Stay = L.contains(Br->getSuccessor(0))
                                ? Cmp->getPredicate()
                                : Cmp->getInversePredicate();
  if (!isa<SCEVAddRecExpr>(A)) {
    std::swap(A, B);
    Stay = CmpInst::getSwappedPredicate(Stay);
  }
  auto *AR = dyn_cast<SCEVAddRecExpr>(A);
  if (!AR || AR->getLoop() != &L || !AR->isAffine() ||
      !FI.SE->isLoopInvariant(B, &L))
    return nullptr;
  // The compared value may be the next one; count from the variable itself.
  const SCEV *Start = AR->getStart();
  const SCEV *Step = AR->getStepRecurrence(*FI.SE);
  if (L.getLoopLatch() == Exiting)
    Start = FI.SE->getMinusSCEV(Start, Step);
  std::string Why;
  CountRef From = toCount(Start, &L, FI, Why, &Open);
  CountRef By = From ? toCount(Step, &L, FI, Why, &Open) : nullptr;
  CountRef To = By ? toCount(B, &L, FI, Why, &Open) : nullptr;
  if (!To)
    return nullptr;
  switch (Stay) {
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_NE:
    return countOp("ceildiv", {countOp("-", {To, From}), By});
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    return countAdd(countOp("floordiv", {countOp("-", {To, From}), By}),
                    countConst(1));
  default:
    return nullptr;
  }
}

/// A number that stands for the loop in count expressions.
uint64_t Analyzer::indexOf(const Loop *L) {
  return LoopNumbers.try_emplace(L, LoopNumbers.size() + 1).first->second;
}

/// \p Each summed over all rounds of \p T.
CountRef Analyzer::closed(const Times &T, CountRef Each) {
  for (const Level &V : reverse(T.Levels))
    switch (V.Mode) {
    case Level::Own:
      Each = countSum(indexOf(V.L), V.N, Each);
      break;
    case Level::Static:
      Each = countShareSum(indexOf(V.L), V.N, V.Chunk, Each);
      break;
    case Level::Dynamic:
      Each = countOp("evenly", {countSum(indexOf(V.L), V.N, Each)});
    }
  assert(!hasFreeIndex(Each) && "a round of a loop that is not around");
  return countMul(T.C, Each);
}

/// Rounds of loops around an access that do not move it; null: none, or none
/// that is one number.
CountRef Analyzer::reuse(const Walk &W, const Times &T) {
  if (!W.Moving || !W.Pointer)
    return nullptr;
  CountRef C = countConst(1);
  for (const Level &V : T.Levels) {
    bool Moves = SCEVExprContains(W.Pointer, [&](const SCEV *S) {
      if (auto *AR = dyn_cast<SCEVAddRecExpr>(S))
        return AR->getLoop() == V.L;
      auto *U = dyn_cast<SCEVUnknown>(S);
      auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
      return I && V.L->contains(I);
    });
    if (Moves)
      continue;
    if (hasFreeIndex(V.N) || any_of(T.Levels, [&](const Level &Other) {
          return mentionsIndex(Other.N, indexOf(V.L));
        }))
      return nullptr;
    Times Own;
    Own.Levels.push_back(V);
    C = countMul(C, closed(Own));
  }
  return isConst(C, 1) ? nullptr : C;
}

/// \p C, but not below 0 in any round of \p Open.
CountRef Analyzer::clamped(const CountRef &C, const Times &Open) {
  std::vector<CountRef> Known; // rounds left
  for (const Level &V : Open.Levels)
    Known.push_back(countAdd(countOp("-", {V.N, countIndex(indexOf(V.L))}),
                             countConst(-1)));
  // A maximum with a number that the rest is not below.
  if (C->Kind == Count::Op && C->Name == "max" && C->Args.size() == 2 &&
      C->Args[0]->Kind == Count::Const && C->Args[0]->Value >= 0 &&
      neverNegative(countOp("-", {C->Args[1], C->Args[0]}), Known))
    return C->Args[1];
  return neverNegative(C, Known) ? C : countOp("max", {countConst(0), C});
}

namespace {
/// Puts one operand of a maximum in its place.
struct WithoutMaximum : SCEVRewriteVisitor<WithoutMaximum> {
  const SCEV *Maximum;
  unsigned Operand;
  WithoutMaximum(ScalarEvolution &SE, const SCEV *Maximum, unsigned Operand)
      : SCEVRewriteVisitor(SE), Maximum(Maximum), Operand(Operand) {}
  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *S) {
    return S == Maximum ? S->getOperand(Operand)
                        : SCEVRewriteVisitor::visitSMaxExpr(S);
  }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *S) {
    return S == Maximum ? S->getOperand(Operand)
                        : SCEVRewriteVisitor::visitUMaxExpr(S);
  }
};
} // namespace

/// Rounds of \p L each time it is entered. ScalarEvolution gives a maximum with
/// what holds behind a guard it does not know; which is it without one. First
/// what fits all guards found by now.
ArrayRef<const SCEV *> Analyzer::tripsOf(const Loop &L, FunctionInfo &FI) {
  auto [It, New] = FI.Trips.try_emplace(&L);
  SmallVector<const SCEV *, 2> &Out = It->second;
  const SCEV *Back = New ? FI.SE->getBackedgeTakenCount(&L) : nullptr;
  if (!New || isa<SCEVCouldNotCompute>(Back))
    return Out;
  Out.push_back(FI.SE->getAddExpr(Back, FI.SE->getOne(Back->getType())));
  const SCEV *Maximum = nullptr;
  SCEVExprContains(Out.front(), [&](const SCEV *S) {
    if (isa<SCEVSMaxExpr, SCEVUMaxExpr>(S))
      Maximum = S;
    return Maximum != nullptr;
  });
  if (Maximum)
    for (unsigned K = 0; K < cast<SCEVNAryExpr>(Maximum)->getNumOperands();
         ++K) {
      WithoutMaximum Rewriter(*FI.SE, Maximum, K);
      Out.push_back(Rewriter.visit(Out.front()));
    }
  return Out;
}

CountRef Analyzer::tripCount(Loop &L, FunctionInfo &FI, const Times &Open,
                             std::string &Why, std::string &Assumes) {
  ArrayRef<const SCEV *> Trips = tripsOf(L, FI);
  CountRef C;
  if (Trips.empty()) {
    Why = "unknown-trip-count";
    C = inductionTrips(L, FI, Open);
    if (C)
      Assumes = "assumes-positive-step";
  } else {
    C = toCount(Trips.front(), &L, FI, Why, &Open);
  }
  return C ? clamped(C, Open) : nullptr;
}

/// The loop that counted up the bound of \p L (`if (..) used[found++] = ..;`
/// before `for (f = 0; f < found; f++)`), or null. Such a bound grows with the
/// iterations of that loop, not with those around \p L.
Loop *Analyzer::countedBy(Loop &L, FunctionInfo &FI) {
  const SCEV *Bound = FI.SE->getBackedgeTakenCount(&L);
  SmallVector<const Value *, 16> Work;
  SmallPtrSet<const Value *, 32> Seen;
  if (!isa<SCEVCouldNotCompute>(Bound))
    SCEVExprContains(Bound, [&](const SCEV *S) {
      if (auto *U = dyn_cast<SCEVUnknown>(S))
        Work.push_back(U->getValue());
      return false;
    });
  Loop *Deepest = nullptr;
  while (!Work.empty() && Seen.size() < 64) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (isa<PHINode, SelectInst, CastInst>(V)) {
      auto *I = cast<Instruction>(V);
      unsigned First = isa<SelectInst>(I) ? 1 : 0; // not its condition
      Work.append(I->op_begin() + First, I->op_end());
    } else if (auto *I = dyn_cast<BinaryOperator>(V);
               I && I->getOpcode() == Instruction::Add &&
               isa<ConstantInt>(I->getOperand(1))) {
      Work.push_back(I->getOperand(0));
      Loop *In = FI.LI->getLoopFor(I->getParent());
      if (In && (!Deepest || In->getLoopDepth() > Deepest->getLoopDepth()))
        Deepest = In;
    }
  }
  // It must be over when L starts. A loop that may be skipped dominates
  // nothing, but what leads into the outermost one that does not hold L does.
  Loop *Top = Deepest;
  while (Top && Top->getParentLoop() && !Top->getParentLoop()->contains(&L))
    Top = Top->getParentLoop();
  if (!Top || Top->contains(&L) || L.contains(Top))
    return nullptr;
  const BasicBlock *Before = Top->getLoopPreheader();
  return Before && FI.DT->properlyDominates(Before, L.getHeader()) ? Deepest
                                                                   : nullptr;
}

/// Rounds of the loop: executions of its header.
const Times &Analyzer::nest(Loop *L, Below Under, FunctionInfo &FI) {
  std::pair<const Loop *, const Loop *> Key(L, Under.Bottom);
  if (auto It = FI.Nest.find(Key); It != FI.Nest.end() && !Under.Length)
    return It->second;
  auto Measured = [&](Loop *Within) {
    Times T;
    CountRef Outer = Within ? closed(nest(Within, {Within}, FI)) : nullptr;
    T.C = countSymbol(blockSymbol(L->getHeader(), "trip", FI, Outer));
    T.Absolute = true;
    return T;
  };
  Times T = entries(*L, Under, FI);
  bool Conditional = T.Conditional;
  std::string Why, Assumes;
  if (FI.Chunks.count(L)) {
    // adds no iterations of its own
  } else if (auto It = FI.Shared.find(L); It != FI.Shared.end()) {
    const SharedLoop &S = It->second;
    if (!S.N) {
      T = Measured(L->getParentLoop());
    } else {
      T.Levels.push_back({L, S.N, S.Mode, S.Chunk});
      if (S.Mode == Level::Dynamic) {
        T.Levels.back().N = clamped(S.N, Times());
        T.doubt("dynamic-schedule");
      }
    }
  } else if (CountRef C = tripCount(*L, FI, T, Why, Assumes)) {
    T.Levels.push_back({L, C});
    if (T.Why.empty())
      T.Why = Assumes;
  } else {
    Loop *By = countedBy(*L, FI);
    T = Measured(By ? By : L->getParentLoop());
  }
  T.Conditional |= Conditional;
  return FI.Nest[Key] = T;
}

/// How often control comes to \p L from outside.
Times Analyzer::entries(Loop &L, Below Under, FunctionInfo &FI) {
  const BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    Before = FI.DT->getNode(L.getHeader())->getIDom()->getBlock();
  return executions(Before, Under, FI);
}

/// Control that goes from \p From to \p B has failed: the program aborts, or
/// main returns a constant other than 0.
static bool endsInFailure(const BasicBlock *From, const BasicBlock *B) {
  for (unsigned Step = 0; B && Step < 4; ++Step) {
    if (isa<UnreachableInst>(B->getTerminator()))
      return true;
    if (auto *R = dyn_cast<ReturnInst>(B->getTerminator())) {
      const Value *V = R->getReturnValue();
      if (auto *P = dyn_cast_or_null<PHINode>(V); P && P->getParent() == B)
        V = P->getIncomingValueForBlock(From);
      auto *C = dyn_cast_or_null<ConstantInt>(V);
      return C && !C->isZero() && B->getParent()->getName() == "main";
    }
    From = B;
    B = B->getSingleSuccessor();
  }
  return false;
}

namespace {
/// Values of expressions for made-up inputs.
struct Sample {
  uint64_t State;
  DenseMap<const Value *, int64_t> Values;
  DenseMap<const Loop *, int64_t> Rounds;
  bool Undefined = false; // no input of a program that works

  explicit Sample(uint64_t Seed) : State(Seed) {}
  int64_t draw(int64_t Low, int64_t High) {
    State = State * 6364136223846793005ull + 1442695040888963407ull;
    return Low + int64_t((State >> 33) % uint64_t(High - Low + 1));
  }
  std::optional<int64_t> of(const SCEV *S);
};
} // namespace

std::optional<int64_t> Sample::of(const SCEV *S) {
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &V = cast<SCEVConstant>(S)->getAPInt();
    if (V.getSignificantBits() > 62)
      return std::nullopt;
    return V.getSExtValue();
  }
  case scUnknown: {
    const Value *V = cast<SCEVUnknown>(S)->getValue();
    auto [It, New] = Values.try_emplace(V);
    if (New) // elements are no larger than the distance of pointers
      It->second =
          V->getType()->isPointerTy() ? 4096 * draw(0, 6) : draw(-2, 9);
    return It->second;
  }
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt:
    return of(cast<SCEVCastExpr>(S)->getOperand());
  case scUDivExpr: {
    auto *D = cast<SCEVUDivExpr>(S);
    auto A = of(D->getLHS()), B = of(D->getRHS());
    if (!A || !B)
      return std::nullopt;
    if (*B <= 0) {
      Undefined = true;
      return 0;
    }
    return *A < 0 ? (*A - *B + 1) / *B : *A / *B;
  }
  case scAddRecExpr: {
    auto *AR = cast<SCEVAddRecExpr>(S);
    auto [It, New] = Rounds.try_emplace(AR->getLoop());
    if (New)
      It->second = draw(0, 6);
    int64_t Round = It->second, Choose = 1, Sum = 0;
    for (unsigned K = 0; K < AR->getNumOperands(); ++K) {
      auto Part = of(AR->getOperand(K));
      if (!Part)
        return std::nullopt;
      Sum += *Part * Choose; // round over K
      Choose = Choose * (Round - int64_t(K)) / int64_t(K + 1);
    }
    return Sum;
  }
  case scAddExpr:
  case scMulExpr:
  case scSMaxExpr:
  case scUMaxExpr:
  case scSMinExpr:
  case scUMinExpr:
  case scSequentialUMinExpr: {
    std::optional<int64_t> Out;
    for (const SCEV *Op : cast<SCEVNAryExpr>(S)->operands()) {
      auto V = of(Op);
      if (!V)
        return std::nullopt;
      switch (S->getSCEVType()) {
      case scAddExpr:
        Out = Out.value_or(0) + *V;
        break;
      case scMulExpr:
        Out = Out.value_or(1) * *V;
        break;
      case scSMaxExpr:
      case scUMaxExpr:
        Out = Out ? std::max(*Out, *V) : *V;
        break;
      default:
        Out = Out ? std::min(*Out, *V) : *V;
      }
    }
    return Out;
  }
  default:
    return std::nullopt;
  }
}

/// Whether \p A and \p B are the same wherever \p L compares with \p R.
static bool agree(const SCEV *A, const SCEV *B, const SCEV *L, const SCEV *R,
                  const ICmpInst &Cmp, bool Sense) {
  for (uint64_t Seed = 1; Seed <= 256; ++Seed) {
    Sample S(Seed);
    auto X = S.of(L), Y = S.of(R), T = S.of(A), U = S.of(B);
    if (!X || !Y || !T || !U)
      return false;
    if (!S.Undefined &&
        ICmpInst::compare(APInt(64, *X, true), APInt(64, *Y, true),
                          Cmp.getPredicate()) == Sense &&
        *T != *U)
      return false;
  }
  return true;
}

/// Does nothing run (0 times the rounds of \p Loops, 0 bytes of \p Length)
/// whenever \p Cond is not \p Sense? Tried out, not proved. What the rounds of
/// a loop would be without the guard is no longer among tripsOf.
bool Analyzer::guards(const Value *Cond, bool Sense, const SCEV *Length,
                      ArrayRef<const Loop *> Loops, FunctionInfo &FI,
                      unsigned Depth) {
  using namespace PatternMatch;
  const Value *A, *B;
  if (Depth > 4)
    return false;
  if (match(Cond, m_Not(m_Value(A))))
    return guards(A, !Sense, Length, Loops, FI, Depth + 1);
  bool And = match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (And || match(Cond, m_LogicalOr(m_Value(A), m_Value(B)))) {
    bool First = guards(A, Sense, Length, Loops, FI, Depth + 1);
    bool Second = guards(B, Sense, Length, Loops, FI, Depth + 1);
    return And == Sense ? First && Second : First || Second;
  }
  auto *Cmp = dyn_cast<ICmpInst>(Cond);
  if (!Cmp || !FI.SE->isSCEVable(Cmp->getOperand(0)->getType()))
    return false;
  const SCEV *L = FI.SE->getSCEV(Cmp->getOperand(0));
  const SCEV *R = FI.SE->getSCEV(Cmp->getOperand(1));
  // Like i < n where i comes down from n - 1: no condition at all.
  if (auto *D = dyn_cast<SCEVAddRecExpr>(FI.SE->getMinusSCEV(L, R));
      D && D->isAffine() && Cmp->isRelational() && Cmp->isSigned()) {
    auto *From = dyn_cast<SCEVConstant>(D->getStart());
    auto *By = dyn_cast<SCEVConstant>(D->getStepRecurrence(*FI.SE));
    if (From && By && From->getAPInt().getSignificantBits() < 32 &&
        By->getAPInt().getSignificantBits() < 32) {
      auto HoldsIn = [&](int64_t Round) {
        int64_t V = From->getAPInt().getSExtValue() +
                    By->getAPInt().getSExtValue() * Round;
        return ICmpInst::compare(APInt(64, V, true), APInt(64, 0),
                                 Cmp->getPredicate()) == Sense;
      };
      if (HoldsIn(0) && HoldsIn(int64_t(1) << 31)) {
        for (const Loop *Below : Loops) {
          SmallVector<const SCEV *, 2> Fitting;
          ArrayRef<const SCEV *> Trips = tripsOf(*Below, FI);
          for (const SCEV *T : Trips)
            if (agree(T, Trips.front(), L, R, *Cmp, Sense))
              Fitting.push_back(T);
          // The shortest: a maximum knew no better.
          if (Fitting.size() > 1)
            FI.Trips[Below] = {Fitting.back()};
        }
        return true;
      }
    }
  }
  // Behind the guard Trips are Behind.
  auto Fits = [&](const SCEV *Trips, const SCEV *Behind) {
    bool Seen = false;
    for (uint64_t Seed = 1; Seed <= 256; ++Seed) {
      Sample S(Seed);
      auto X = S.of(L), Y = S.of(R), T = S.of(Trips), U = S.of(Behind);
      if (!X || !Y || !T || !U)
        return false;
      if (S.Undefined || (Cmp->isUnsigned() && (*X < 0 || *Y < 0)))
        continue;
      bool Holds = ICmpInst::compare(APInt(64, *X, true), APInt(64, *Y, true),
                                     Cmp->getPredicate()) == Sense;
      Seen |= !Holds;
      if (Holds ? *T != *U : *T > 0)
        return false;
    }
    return Seen;
  };
  if (Length && Fits(Length, Length))
    return true;
  for (const Loop *Below : Loops) {
    ArrayRef<const SCEV *> Trips = tripsOf(*Below, FI);
    SmallVector<const SCEV *, 2> Fitting;
    for (const SCEV *T : Trips)
      if (Fits(T, Trips.front()))
        Fitting.push_back(T);
    if (Fitting.empty())
      continue;
    FI.Trips[Below] = Fitting;
    return true;
  }
  return false;
}

/// Whether the branch at the end of \p D that leads to \p B only keeps a loop
/// of \p Under from running no times, or a block operation of no bytes.
bool Analyzer::isGuard(const BasicBlock *D, const BasicBlock *B, Below Under,
                       FunctionInfo &FI) {
  auto *Br = dyn_cast<BranchInst>(D->getTerminator());
  if (!Br || !Br->isConditional())
    return false;
  const Value *Cond = Br->getCondition();
  if (auto *Cmp = dyn_cast<ICmpInst>(Cond))
    if (auto *CB = dyn_cast<CallBase>(Cmp->getOperand(0)))
      if (Function *F = calleeOf(*CB);
          F && F->getName().starts_with("__kmpc_dispatch_next"))
        return true;
  auto Leads = [&](unsigned K) {
    const BasicBlock *S = Br->getSuccessor(K);
    return S == B || FI.DT->dominates(BasicBlockEdge(D, S), B);
  };
  bool Sense = Leads(0) || !Leads(1);
  SmallVector<const Loop *, 4> Loops; // outermost first
  const SharedLoop *Shared = nullptr;
  for (const Loop *L = Under.Bottom; L && !L->contains(D);
       L = L->getParentLoop())
    if (auto It = FI.Shared.find(L); It != FI.Shared.end())
      Shared = &It->second;
    else
      Loops.insert(Loops.begin(), L);
  if (Shared) {
    SmallPtrSet<const Value *, 16> Leaves;
    SmallVector<const Value *, 8> Work{Cond};
    for (unsigned Step = 0; !Work.empty() && Step < 16; ++Step) {
      const Value *V = Work.pop_back_val();
      Leaves.insert(V);
      if (FI.SE->isSCEVable(V->getType()))
        leavesOf(FI.SE->getSCEV(const_cast<Value *>(V)), Leaves);
      if (auto *I = dyn_cast<Instruction>(V);
          I && isa<CmpInst, CastInst, BinaryOperator, SelectInst>(I))
        Work.append(I->op_begin(), I->op_end());
    }
    if (any_of(Leaves, [&](const Value *V) {
          return !isa<Constant>(V) && Shared->Bounds.count(V);
        }))
      return true;
  }
  return guards(Cond, Sense, Under.Length, Loops, FI);
}

/// Empty when \p B runs each time \p Top does, but for guards of what lies
/// \p Under it and exits that end the program; else the reason, and \p B is the
/// block above it, run as often, that the condition leads to.
std::string Analyzer::controlled(const BasicBlock *&B, const BasicBlock *Top,
                                 Below Under, FunctionInfo &FI) {
  const BasicBlock *BehindExit = nullptr;
  while (B != Top) {
    auto *Node = FI.DT->getNode(B);
    if (!Node || !Node->getIDom())
      return "";
    const BasicBlock *D = Node->getIDom()->getBlock();
    const Instruction *Term = D->getTerminator();
    const Loop *Around = FI.LI->getLoopFor(D);
    if (!BehindExit && Around && Around->contains(B) &&
        Around->isLoopExiting(D))
      BehindExit = B; // what lies above runs more often
    if (Term->getNumSuccessors() > 1 && !FI.PDT->dominates(B, D) &&
        !isa<InvokeInst>(Term)) {
      unsigned Alive = 0;
      for (const BasicBlock *S : successors(D))
        Alive += !endsInFailure(D, S);
      const Loop *DL = FI.LI->getLoopFor(D);
      bool Leaves = false;
      if (DL && DL->contains(B)) {
        Leaves = DL->isLoopExiting(D); // the trip count knows
      } else if (DL) {
        // Behind a loop: all that leave it alive come here.
        while (DL->getParentLoop() && !DL->getParentLoop()->contains(B))
          DL = DL->getParentLoop();
        SmallVector<Loop::Edge, 4> Exits;
        DL->getExitEdges(Exits);
        Leaves = all_of(Exits, [&](const Loop::Edge &E) {
          return FI.PDT->dominates(B, E.second) ||
                 endsInFailure(E.first, E.second);
        });
      }
      if (Alive > 1 && !Leaves && !isGuard(D, B, Under, FI)) {
        B = BehindExit ? BehindExit : B;
        return "conditional";
      }
    }
    B = D;
  }
  return "";
}

/// Executions of \p B in a loop with several exits, per entry: what lies
/// behind an exit test runs as often as the test fails to leave.
CountRef Analyzer::tripsOfBlock(const BasicBlock *B, Loop &L, FunctionInfo &FI,
                                const Times &Open) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  std::vector<CountRef> Limits;
  for (BasicBlock *E : Exiting) {
    const SCEV *S = FI.SE->getExitCount(&L, E);
    std::string Why;
    CountRef C =
        isa<SCEVCouldNotCompute>(S) ? nullptr : toCount(S, &L, FI, Why, &Open);
    if (!C)
      return nullptr;
    bool Behind = E != B && FI.DT->dominates(E, B);
    Limits.push_back(Behind ? C : countAdd(C, countConst(1)));
  }
  return clamped(countOp("min", Limits), Open);
}

/// Where \p B lies behind a test that may leave the loop: the first block
/// behind the last such test. Else null: \p B runs as often as the header.
static const BasicBlock *behindExit(const BasicBlock *B, const Loop &L,
                                    const FunctionInfo &FI) {
  while (B != L.getHeader()) {
    const BasicBlock *Above = FI.DT->getNode(B)->getIDom()->getBlock();
    if (L.isLoopExiting(Above))
      return B;
    B = Above;
  }
  return nullptr;
}

/// How often \p B runs. Guards of what lies \p Under it are no conditions; what
/// others lead to is measured.
Times Analyzer::executions(const BasicBlock *B, Below Under, FunctionInfo &FI) {
  Loop *L = FI.LI->getLoopFor(B);
  const BasicBlock *Top = L ? L->getHeader() : &FI.F->getEntryBlock();
  const BasicBlock *At = B;
  std::string Why = controlled(At, Top, Under, FI);
  if (!Under.Bottom)
    Under.Bottom = L;
  Times T = L ? nest(L, Under, FI) : Times();
  if (!Why.empty()) {
    CountRef Outer = closed(T);
    T = Times();
    T.C = countSymbol(
        blockSymbol(const_cast<BasicBlock *>(At), "taken", FI, Outer));
    T.Absolute = T.Conditional = true;
    return T;
  }
  if (!L || FI.Shared.count(L) || FI.Chunks.count(L))
    return T;
  const BasicBlock *Behind = behindExit(B, *L, FI);
  bool Measured = T.Levels.empty() && T.C->Kind == Count::Symbol &&
                  LeafIds.lookup(L->getHeader()) == T.C->Sym;
  if (Measured && Behind) {
    T.C = countSymbol(
        blockSymbol(const_cast<BasicBlock *>(Behind), "taken", FI, T.C));
  } else if (!Measured && (Behind || !L->getExitingBlock())) {
    Times Open = entries(*L, Under, FI);
    if (CountRef C = tripsOfBlock(B, *L, FI, Open)) {
      T = std::move(Open);
      T.Levels.push_back({L, C});
    }
  }
  return T;
}

/// \p Length: of a block operation.
Times Analyzer::timesOf(const Instruction &I, FunctionInfo &FI,
                        const SCEV *Length) {
  return executions(home(I), {nullptr, Length}, FI);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Whether \p From is computed from \p To within \p X.
bool Analyzer::reaches(const Value *From, const PHINode *To, const Loop *X,
                       bool ThroughLoads, bool &SawLoad,
                       SmallPtrSetImpl<const Value *> &Seen) {
  if (From == To)
    return true;
  auto *I = dyn_cast<Instruction>(From);
  if (!I || !X->contains(I) || !Seen.insert(I).second)
    return false;
  auto *Call = dyn_cast<CallBase>(I);
  if (isa<LoadInst>(I) || (Call && followsNodes(*Call))) {
    if (!ThroughLoads)
      return false;
    SawLoad = true;
  } else if (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) {
    return false;
  }
  for (const Use &U : I->operands())
    if (reaches(U, To, X, ThroughLoads, SawLoad, Seen))
      return true;
  return false;
}

/// The constant a header PHI grows by in each iteration in which it changes;
/// nullopt when anything else happens to it.
static std::optional<int64_t> conditionalStep(const PHINode *P, const Loop *X) {
  std::optional<int64_t> Step;
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 16> Seen;
  for (unsigned K = 0; K < P->getNumIncomingValues(); ++K)
    if (X->contains(P->getIncomingBlock(K)))
      Work.push_back(P->getIncomingValue(K));
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (V == P || !Seen.insert(V).second)
      continue;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !X->contains(I))
      return std::nullopt;
    if (isa<PHINode, SelectInst>(I)) {
      for (const Use &U : I->operands())
        if (!(isa<SelectInst>(I) && U.getOperandNo() == 0))
          Work.push_back(U);
      continue;
    }
    std::optional<int64_t> By;
    if (I->getOpcode() == Instruction::Add)
      if (auto *C = dyn_cast<ConstantInt>(I->getOperand(1)))
        By = C->getSExtValue();
    if (auto *G = dyn_cast<GetElementPtrInst>(I)) {
      APInt O(64, 0);
      if (G->accumulateConstantOffset(I->getModule()->getDataLayout(), O))
        By = O.getSExtValue();
    }
    if (!By || (Step && *Step != *By))
      return std::nullopt;
    Step = By;
    Work.push_back(I->getOperand(0));
  }
  return Step;
}

/// Whether \p P's next value, the \p K-th, waits for a load at an address that
/// \p P is part of (a binary search without branches), and does more than take
/// a step or not.
bool Analyzer::isBehindOwnLoad(const PHINode &P, unsigned K, const Loop *X) {
  if (conditionalStep(&P, X))
    return false;
  SmallPtrSet<const Value *, 32> Slice;
  SmallVector<const Value *, 16> Work{P.getIncomingValue(K)};
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || I == &P || !X->contains(I) || !Slice.insert(I).second ||
        (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
      continue;
    if (auto *L = dyn_cast<LoadInst>(I)) {
      SmallPtrSet<const Value *, 32> Seen;
      bool Load = false;
      if (reaches(L->getPointerOperand(), &P, X, true, Load, Seen))
        return true;
    }
    for (const Value *Op : I->operands())
      Work.push_back(Op);
  }
  return false;
}

/// The objects whose elements \p From are computed of within \p X.
void Analyzer::noteIndex(Walk &W, ArrayRef<const Instruction *> From, Loop *X) {
  SmallVector<const Value *, 8> Work(From.begin(), From.end());
  SmallPtrSet<const Value *, 32> Seen;
  std::set<uint64_t> Ids;
  while (!Work.empty() && Seen.size() < 64) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !X->contains(I) || !Seen.insert(I).second)
      continue;
    auto *L = dyn_cast<LoadInst>(I);
    if (!L) {
      Work.append(I->op_begin(), I->op_end());
      continue;
    }
    Access A;
    A.Where = Obj.pointsTo(L->getPointerOperand());
    resolve(A);
    Ids.insert(A.Sites.begin(), A.Sites.end());
  }
  W.IndexSites.assign(Ids.begin(), Ids.end());
}

void Analyzer::irregular(Walk &W, const SCEV *S, Loop *X, uint64_t Bytes,
                         FunctionInfo &FI) {
  SmallPtrSet<const Value *, 8> Set;
  leavesOf(S, Set);
  SmallVector<const Instruction *, 8> Moving;
  for (const Value *V : Set)
    if (auto *I = dyn_cast<Instruction>(V); I && X->contains(I))
      Moving.push_back(I);
  W.Class = AccessClass::Unknown;
  W.Why = "non-affine";
  bool Gather = false;
  for (const Instruction *I : Moving) {
    // Chase: the leaf is, or is loaded through, a header PHI whose next value
    // is loaded through the PHI itself.
    for (PHINode &P : X->getHeader()->phis()) {
      SmallPtrSet<const Value *, 32> Seen;
      bool Load = false;
      if (!reaches(I, &P, X, true, Load, Seen))
        continue;
      for (unsigned K = 0; K < P.getNumIncomingValues(); ++K) {
        if (!X->contains(P.getIncomingBlock(K)))
          continue;
        Seen.clear();
        Load = false;
        SmallPtrSet<const Value *, 32> Direct;
        bool None = false;
        // Through itself, too: a search that goes on from where it is.
        if (reaches(P.getIncomingValue(K), &P, X, true, Load, Seen) && Load &&
            (!reaches(P.getIncomingValue(K), &P, X, false, None, Direct) ||
             isBehindOwnLoad(P, K, X))) {
          W.Class = AccessClass::Chase;
          W.Dependent = true;
          W.Why.clear();
          return;
        }
      }
    }
    auto *Call = dyn_cast<CallBase>(I);
    if (isa<LoadInst>(I) || (Call && followsNodes(*Call))) {
      Gather = true;
      continue;
    }
    if (auto *P = dyn_cast<PHINode>(I);
        P && P->getParent() == X->getHeader() && Moving.size() == 1) {
      auto Step = conditionalStep(P, X);
      // Scale from index to bytes: the PHI's factor in S.
      int64_t Scale = P->getType()->isPointerTy() ? 1 : 0;
      if (!Scale) {
        struct Finder {
          const Value *V;
          int64_t &Scale;
          bool follow(const SCEV *S) {
            if (auto *Mul = dyn_cast<SCEVMulExpr>(S);
                Mul && Mul->getNumOperands() == 2) {
              const SCEV *B = Mul->getOperand(1);
              while (auto *C = dyn_cast<SCEVCastExpr>(B))
                B = C->getOperand();
              auto *C = dyn_cast<SCEVConstant>(Mul->getOperand(0));
              auto *U = dyn_cast<SCEVUnknown>(B);
              if (C && U && U->getValue() == V)
                Scale = C->getAPInt().getSExtValue();
            }
            return true;
          }
          bool isDone() const { return Scale != 0; }
        } Find{P, Scale};
        visitAll(S, Find);
        if (!Scale)
          Scale = 1; // byte arrays
      }
      if (Step) {
        W.Stride = *Step * Scale;
        W.Class = static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes
                      ? AccessClass::Stream
                      : AccessClass::Strided;
        W.Why = "conditional-step";
        return;
      }
      W.Class = AccessClass::Random;
      W.Why = "computed-index";
      continue;
    }
    if (!isa<CallBase>(I) || isa<IntrinsicInst>(I)) {
      // Selected, masked, hashed: no order that a prefetcher could follow.
      SmallPtrSet<const Value *, 32> Seen;
      SmallVector<const Value *, 8> Work{I};
      while (!Work.empty() && Seen.size() < 64) {
        auto *V = dyn_cast<Instruction>(Work.pop_back_val());
        if (!V || !X->contains(V) || !Seen.insert(V).second)
          continue;
        if (isa<LoadInst>(V))
          Gather = true;
        else
          Work.append(V->op_begin(), V->op_end());
      }
      W.Class = AccessClass::Random;
      W.Why = "computed-index";
      continue;
    }
    if (W.Class == AccessClass::Unknown && isa<CallBase>(I))
      W.Why = "opaque-index";
    // A new object in each round; allocators mostly go on behind the last.
    if (Moving.size() == 1 && allocationOf(*cast<CallBase>(I))) {
      W.Class = AccessClass::Strided;
      W.Why = "fresh-object";
      return;
    }
  }
  if (Gather) {
    W.Class = AccessClass::Random;
    W.Why.clear();
    noteIndex(W, Moving, X);
  }
}

/// In how many dimensions points lie, by the distances between them: what is
/// more than this many times as far is another row, as is another symbol.
static unsigned dimensionsOf(const SmallPtrSetImpl<const SCEV *> &Offsets) {
  constexpr uint64_t Farther = 8;
  std::set<uint64_t> Constants;
  SmallPtrSet<const SCEV *, 4> Symbolic;
  for (const SCEV *D : Offsets) {
    SmallVector<const SCEV *, 4> Parts{D};
    if (auto *Sum = dyn_cast<SCEVAddExpr>(D))
      Parts.assign(Sum->operands().begin(), Sum->operands().end());
    for (const SCEV *P : Parts) {
      if (auto *C = dyn_cast<SCEVConstant>(P)) {
        if (!C->isZero())
          Constants.insert(C->getAPInt().abs().getLimitedValue());
        continue;
      }
      // Apart from its factor.
      if (auto *Mul = dyn_cast<SCEVMulExpr>(P);
          Mul && isa<SCEVConstant>(Mul->getOperand(0)) &&
          Mul->getNumOperands() == 2)
        P = Mul->getOperand(1);
      Symbolic.insert(P);
    }
  }
  unsigned Out = Symbolic.size();
  uint64_t Last = 0;
  for (uint64_t C : Constants) {
    Out += !Last || C > Farther * Last;
    Last = C;
  }
  return std::max(Out, 1u);
}

/// What \p S is where functions that may be called, virtual ones, say, return
/// the object's address: as it moves in the loops around the call. Empty: it is
/// nothing of the kind, or not known.
SmallVector<const SCEV *, 2> Analyzer::returned(const SCEV *S,
                                                FunctionInfo &FI) {
  SmallVector<const SCEV *, 2> Out;
  const SCEV *Base = FI.SE->getPointerBase(S);
  auto *U = dyn_cast<SCEVUnknown>(Base);
  auto *CB = U ? dyn_cast<CallBase>(U->getValue()) : nullptr;
  if (!CB || isa<IntrinsicInst>(CB) || allocationOf(*CB))
    return Out;
  const SCEV *Rest = FI.SE->getMinusSCEV(S, Base);
  if (isa<SCEVCouldNotCompute>(Rest))
    return Out;
  for (Function *F : Obj.callees(*CB)) {
    if (F->isDeclaration() || F->getReturnType() != CB->getType())
      return {};
    FunctionInfo &Callee = info(*F);
    for (BasicBlock &B : *F) {
      auto *R = dyn_cast<ReturnInst>(B.getTerminator());
      if (!R)
        continue;
      AtCall At(*FI.SE, *CB);
      const SCEV *Here =
          At.translate(Callee.SE->getSCEV(R->getReturnValue()), *Callee.SE);
      for (Loop *X = FI.LI->getLoopFor(home(*CB)); X; X = X->getParentLoop())
        if (At.dependsOn(*X))
          return {};
      Here = FI.SE->getAddExpr(Here, Rest);
      if (!is_contained(Out, Here))
        Out.push_back(Here);
    }
  }
  return Out;
}

/// \p More is true of an access, too.
static void join(Walk &All, const Walk &More, StringRef Why) {
  auto Regular = [](const Walk &W) {
    return W.Class == AccessClass::Stream || W.Class == AccessClass::Strided;
  };
  if (Regular(All) && Regular(More)) {
    if (All.Stride == More.Stride)
      return;
    All.Class = AccessClass::Strided;
  } else if (All.Class != More.Class) {
    All.Class = AccessClass::Random;
    All.Dependent = false;
    All.Why = Why.str();
  }
  All.Stride.reset();
  All.Step = nullptr;
}

Walk Analyzer::walk(Access &A, FunctionInfo &FI) {
  if (!FI.SE->isSCEVable(A.Pointer->getType()))
    return Walk();
  const SCEV *S = FI.SE->getSCEV(A.Pointer);
  SmallVector<const SCEV *, 2> Options = returned(S, FI);
  if (Options.empty())
    return walkOf(S, *A.I, A.Bytes, FI);
  Walk W = walkOf(Options.front(), *A.I, A.Bytes, FI);
  for (const SCEV *Option : drop_begin(Options))
    join(W, walkOf(Option, *A.I, A.Bytes, FI), "callees-differ");
  return W;
}

/// A step so long that what is even but for wrapping around (i * 37 % n, hashed
/// numbers) hardly goes on where it was.
static bool wrapsAround(const SCEVAddRecExpr &AR, ScalarEvolution &SE) {
  constexpr uint64_t Farthest = 4096; // a page
  auto *C = dyn_cast<SCEVConstant>(AR.getStepRecurrence(SE));
  return C && C->getAPInt().abs().ugt(Farthest);
}

/// How the address \p S moves in the loops around \p I.
Walk Analyzer::walkOf(const SCEV *S, const Instruction &I, uint64_t Bytes,
                      FunctionInfo &FI) {
  Walk W;
  W.Pointer = S;
  for (Loop *X = FI.LI->getLoopFor(home(I)); X; X = X->getParentLoop()) {
    if (FI.SE->isLoopInvariant(S, X))
      continue;
    W.Moving = X;
    auto *AR = dyn_cast<SCEVAddRecExpr>(S);
    if (!AR || AR->getLoop() != X || !AR->isAffine()) {
      AR = evenSteps(S, *X, *FI.SE);
      if (!AR || wrapsAround(*AR, *FI.SE)) {
        irregular(W, S, X, Bytes, FI);
        return W;
      }
      W.Pointer = AR;
    }
    W.Step = AR->getStepRecurrence(*FI.SE);
    if (auto *C = dyn_cast<SCEVConstant>(W.Step)) {
      W.Stride = C->getAPInt().getSExtValue();
      W.Class = static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes
                    ? AccessClass::Stream
                    : AccessClass::Strided;
    } else {
      W.Class = AccessClass::Strided;
    }
    return W;
  }
  return W;
}

/// Several reads of one object that move in step, a whole number of steps (or
/// rows) apart. A value that loop-carried reuse keeps in a PHI is a point too.
void Analyzer::findStencils(FunctionInfo &FI) {
  for (Access &First : FI.Accesses) {
    if (!First.W.Step || !First.Reads || First.Writes || First.Sites.empty() ||
        First.W.Class == AccessClass::Stencil)
      continue;
    SmallVector<Access *, 8> Group;
    SmallPtrSet<const SCEV *, 8> Offsets;
    for (Access &A : FI.Accesses) {
      if (A.W.Moving != First.W.Moving || A.W.Step != First.W.Step ||
          !A.Reads || A.Writes || A.Bytes != First.Bytes ||
          A.Sites != First.Sites || A.Contexts != First.Contexts)
        continue;
      const SCEV *D = FI.SE->getMinusSCEV(A.W.Pointer, First.W.Pointer);
      if (isa<SCEVCouldNotCompute>(D))
        continue;
      bool Fixed = true;
      for (Loop *X = First.W.Moving; X; X = X->getParentLoop())
        Fixed &= FI.SE->isLoopInvariant(D, X);
      if (!Fixed)
        continue;
      if (auto *C = dyn_cast<SCEVConstant>(D); C && First.W.Stride)
        if (C->getAPInt().getSExtValue() % *First.W.Stride)
          continue;
      Group.push_back(&A);
      Offsets.insert(D);
    }
    unsigned Points = Offsets.size();
    for (Access *A : Group) {
      const Value *Carried = A->I;
      for (unsigned Step = 0; Step < 16; ++Step) {
        const PHINode *Next = nullptr;
        for (PHINode &P : A->W.Moving->getHeader()->phis())
          for (unsigned K = 0; K < P.getNumIncomingValues(); ++K)
            if (P.getIncomingValue(K) == Carried &&
                A->W.Moving->contains(P.getIncomingBlock(K)))
              Next = &P;
        if (!Next)
          break;
        ++Points;
        Carried = Next;
      }
    }
    if (Points < 3)
      continue;
    for (Access *A : Group) {
      A->W.Class = AccessClass::Stencil;
      A->W.Points = Points;
      // No more than loops move it, where they are not flattened.
      SmallPtrSet<const Loop *, 4> Loops;
      SCEVExprContains(A->W.Pointer, [&](const SCEV *S) {
        if (auto *AR = dyn_cast<SCEVAddRecExpr>(S))
          Loops.insert(AR->getLoop());
        return false;
      });
      A->W.Dimensions = dimensionsOf(Offsets);
      if (Loops.size() > 1)
        A->W.Dimensions = std::min<unsigned>(A->W.Dimensions, Loops.size());
    }
  }
}

/// How the C library moves the elements that a function compares for it.
/// Sorting merges runs of elements in order, but of large ones only pointers
/// (glibc's qsort, above 32 bytes); a search jumps.
std::optional<Walk> Analyzer::walkOfLibrary(const SCEV *S, uint64_t Bytes,
                                            FunctionInfo &FI) {
  auto *Base = dyn_cast<SCEVUnknown>(FI.SE->getPointerBase(S));
  if (!Base || !isa<Argument>(Base->getValue()))
    return std::nullopt;
  for (const Use &U : FI.F->uses()) {
    auto *CB = dyn_cast<CallBase>(U.getUser());
    Function *Callee = CB && CB->isArgOperand(&U) ? calleeOf(*CB) : nullptr;
    if (!Callee || !Callee->isDeclaration())
      continue;
    StringRef Name = Callee->getName();
    bool Sorts = Name == "qsort" || Name == "qsort_r";
    if (!Sorts && Name != "bsearch")
      continue;
    Walk W;
    W.Class = AccessClass::Random;
    W.Why = Sorts ? "library-sort" : "library-search";
    auto *Size = dyn_cast<ConstantInt>(CB->getArgOperand(Sorts ? 2 : 3));
    if (Sorts && Size && Size->getZExtValue() <= 32) {
      W.Stride = Size->getZExtValue();
      W.Class = Size->getZExtValue() == Bytes ? AccessClass::Stream
                                              : AccessClass::Strided;
    }
    return W;
  }
  return std::nullopt;
}

/// How an address moves with the loops around the calls of its function, where
/// it stays at \p S; it depends on \p Depends, too. Nothing: it does not move.
std::optional<Walk> Analyzer::walkOfCallers(const SCEV *S,
                                            ArrayRef<Value *> Depends,
                                            uint64_t Bytes, FunctionInfo &FI,
                                            unsigned Depth) {
  auto Calls = CallSites.find(FI.F);
  if (Depth > 8 || Inv.Regions.count(FI.F))
    return std::nullopt; // each task starts anew
  std::optional<Walk> All = walkOfLibrary(S, Bytes, FI);
  if (Calls == CallSites.end())
    return All;
  for (const CallBase *CB : Calls->second) {
    if (isForkCall(*CB))
      continue;
    std::optional<Walk> One = walkAround(*CB, S, Depends, Bytes, FI, Depth);
    if (!One)
      continue;
    if (!All) {
      All = One;
      continue;
    }
    join(*All, *One, "callers-differ");
  }
  return All;
}

std::optional<Walk> Analyzer::walkAround(const CallBase &CB, const SCEV *S,
                                         ArrayRef<Value *> Depends,
                                         uint64_t Bytes, FunctionInfo &FI,
                                         unsigned Depth) {
  FunctionInfo &Caller = info(*const_cast<Function *>(CB.getFunction()));
  ScalarEvolution &SE = *Caller.SE;
  AtCall At(SE, CB);
  const SCEV *Here = At.translate(S, *FI.SE);
  for (Value *V : Depends)
    At.addDependences(V);
  Walk W;
  W.Class = AccessClass::Random;
  if (Recursive.count(FI.F) && Recursive.count(Caller.F)) {
    // Handed on as it is, or loaded through itself, or computed.
    const SCEV *Same = S;
    if (auto *U = dyn_cast<SCEVUnknown>(SE.getPointerBase(Here));
        U && isa<LoadInst>(U->getValue())) {
      W.Class = AccessClass::Chase;
      W.Dependent = true;
      return W;
    }
    if (Caller.F == FI.F && At.Depends.empty()) {
      if (Here == Same)
        return std::nullopt;
      if (auto *By = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Here, Same))) {
        W.Stride = By->getAPInt().getSExtValue();
        W.Class = static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes
                      ? AccessClass::Stream
                      : AccessClass::Strided;
        return W;
      }
    }
    W.Why = "computed-index";
    return W;
  }
  for (Loop *X = Caller.LI->getLoopFor(home(CB)); X; X = X->getParentLoop()) {
    if (At.dependsOn(*X)) {
      W.Why = At.ThroughLoads ? "" : "computed-index";
      return W;
    }
    if (SE.isLoopInvariant(Here, X))
      continue;
    auto *AR = dyn_cast<SCEVAddRecExpr>(Here);
    if (!AR || AR->getLoop() != X || !AR->isAffine())
      AR = evenSteps(Here, *X, SE);
    if (!AR) {
      irregular(W, Here, X, Bytes, Caller);
      return W;
    }
    W.Class = AccessClass::Strided;
    if (auto *C = dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE))) {
      W.Stride = C->getAPInt().getSExtValue();
      if (static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes)
        W.Class = AccessClass::Stream;
    }
    return W;
  }
  return walkOfCallers(Here, At.Depends.getArrayRef(), Bytes, Caller,
                       Depth + 1);
}

/// Accesses that stay where they are for as long as their function runs, but
/// are elsewhere when it is called again.
void Analyzer::moveWithCallers(FunctionInfo &FI) {
  for (Access &A : FI.Accesses) {
    if (A.W.Class != AccessClass::Invariant || A.W.Moving || !A.W.Pointer ||
        A.Sites.empty())
      continue;
    auto *Base = dyn_cast<SCEVUnknown>(FI.SE->getPointerBase(A.W.Pointer));
    auto *Fresh = Base ? dyn_cast<CallBase>(Base->getValue()) : nullptr;
    if (Fresh && allocationOf(*Fresh)) {
      if (!runsOnce(FI.F)) { // allocators mostly go on behind the last
        A.W.Class = AccessClass::Strided;
        A.W.Why = "fresh-object";
      }
      continue;
    }
    if (std::optional<Walk> W =
            walkOfCallers(A.W.Pointer, {}, A.Bytes, FI, /*Depth=*/0)) {
      A.W.Class = W->Class;
      A.W.Stride = W->Stride;
      A.W.Dependent = W->Dependent;
      A.W.Why = W->Why;
    }
  }
}

/// Sites of an access, or why there are none. Stack, task records and small
/// globals are no objects to place: those accesses are dropped.
void Analyzer::resolve(Access &A) {
  SetVector<uint64_t> Ids;
  std::set<uint64_t> Contexts;
  bool External = false, Unnamed = false, Other = false, Anything = false;
  for (const Location &L : A.Where) {
    const MemoryObject &O = Obj.objects()[L.first];
    switch (O.Kind) {
    case MemoryObject::Heap: {
      // Nobody runs the body of what was inlined into all callers.
      if (!Live.contains(cast<CallBase>(O.V)->getFunction()))
        break;
      auto It = Inv.Sites.find(cast<CallBase>(O.V));
      if (It == Inv.Sites.end())
        Unnamed = true;
      else
        Ids.insert(It->second.Id);
      if (It != Inv.Sites.end() && It->second.Context)
        Contexts.insert(It->second.Context);
      break;
    }
    case MemoryObject::Global: {
      auto It = Inv.Globals.find(cast<GlobalVariable>(O.V));
      if (It == Inv.Globals.end())
        Other = true;
      else
        Ids.insert(It->second.Id);
      break;
    }
    case MemoryObject::Stack: {
      auto It = Inv.Stacks.find(cast<AllocaInst>(O.V));
      if (It == Inv.Stacks.end())
        Other = true;
      else
        Ids.insert(It->second.Id);
      break;
    }
    case MemoryObject::External:
      External = true;
      break;
    case MemoryObject::Anything:
      Anything = true;
      break;
    default:
      Other = true;
    }
  }
  A.Sites.assign(Ids.begin(), Ids.end());
  llvm::sort(A.Sites);
  A.Contexts.assign(Contexts.begin(), Contexts.end());
  if (!A.Sites.empty() || (Other && !External && !Unnamed && !Anything))
    return;
  A.Lost = Unnamed    ? "site-without-id"
           : External ? "external-object"
                      : "unknown-object";
}

/// Somebody may read or write there; if he is \p Outside, also wherever the
/// pointers there lead.
void Analyzer::touch(const LocationSet &Where, bool Outside) {
  std::vector<unsigned> Work;
  for (const Location &L : Where) {
    Touched.set(L.first);
    if (Outside)
      Work.push_back(L.first);
  }
  while (!Work.empty()) {
    unsigned K = Work.back();
    Work.pop_back();
    if (Handed.test(K))
      continue;
    Handed.set(K);
    Touched.set(K);
    for (auto &[Offset, Inside] : Obj.contents(K))
      for (const Location &L : Inside)
        Work.push_back(L.first);
  }
}

/// Without a main, callers are elsewhere.
bool Analyzer::isTouched(Value *Maker) const {
  unsigned K = Obj.indexOf(Maker);
  return !M.getFunction("main") || K == ExternalObject ||
         Touched.test(AnythingObject) || Touched.test(K);
}

/// What a library does to an object it is handed stays unseen: counted.
void Analyzer::noteExternal(const CallBase &CB) {
  // What a user's allocator hands out may be parts of what it is given.
  if (std::optional<Allocation> A = allocationOf(CB);
      A && A->From == AllocatorOrigin::Chosen &&
      Live.contains(CB.getFunction()))
    for (const Use &U : CB.args())
      touch(Obj.pointsTo(U), /*Outside=*/true);
  Function *F = calleeOf(CB);
  if (!F || !F->isDeclaration() || F->isIntrinsic() ||
      F->getName().starts_with("__kmpc_") || F->getName() == "free" ||
      F->getName().starts_with("_Zd") || allocationOf(CB))
    return;
  bool Seen = false;
  for (const Use &U : CB.args()) {
    Access A;
    A.Where = Obj.pointsTo(U);
    if (Live.contains(CB.getFunction()))
      touch(A.Where, /*Outside=*/true);
    resolve(A);
    Seen |= !A.Sites.empty();
  }
  if (Seen)
    giveUp("external-call");
}

/// Whether \p I is a block operation that begins somewhere else in a line from
/// time to time, and so may touch one more than its length tells.
static bool straddles(const Walk &W, const Instruction &I, FunctionInfo &FI) {
  auto *Mem = dyn_cast<MemIntrinsic>(&I);
  if (!Mem || !W.Step)
    return false;
  auto *Step = dyn_cast<SCEVConstant>(W.Step);
  auto *Length = dyn_cast<ConstantInt>(Mem->getLength());
  if (!Step)
    return true;
  uint64_t By = Step->getAPInt().abs().getLimitedValue();
  uint64_t Bytes = Length ? Length->getZExtValue() : 0;
  return By % 64 && !(Bytes && 64 % Bytes == 0 && By % Bytes == 0);
}

void Analyzer::collect(FunctionInfo &FI) {
  const DataLayout &DL = M.getDataLayout();
  auto RI = Inv.Regions.find(FI.F);
  bool Body = isOutlinedHelper(*FI.F);
  for (Instruction &I : instructions(*FI.F)) {
    SmallVector<Access, 2> New;
    auto Add = [&](Value *P, uint64_t Bytes, bool Reads, bool Writes) {
      Access A;
      A.Atomic = isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
      A.I = &I;
      A.Pointer = P;
      A.Bytes = Bytes;
      A.Reads = Reads;
      A.Writes = Writes;
      New.push_back(A);
    };
    if (auto *L = dyn_cast<LoadInst>(&I)) {
      Add(L->getPointerOperand(), DL.getTypeStoreSize(L->getType()), true,
          false);
    } else if (auto *S = dyn_cast<StoreInst>(&I)) {
      Add(S->getPointerOperand(),
          DL.getTypeStoreSize(S->getValueOperand()->getType()), false, true);
    } else if (auto *X = dyn_cast<AtomicRMWInst>(&I)) {
      Add(X->getPointerOperand(), DL.getTypeStoreSize(X->getType()), true,
          true);
    } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
      Add(X->getPointerOperand(),
          DL.getTypeStoreSize(X->getCompareOperand()->getType()), true, true);
    } else if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
      // Counted in cache lines: what a block operation asks of memory.
      Add(Mem->getDest(), 64, false, true);
      if (auto *T = dyn_cast<MemTransferInst>(Mem))
        Add(T->getSource(), 64, true, false);
    }
    if (auto *CB = dyn_cast<CallBase>(&I))
      noteExternal(*CB);
    for (Access &A : New) {
      const Value *Base = A.Pointer->stripInBoundsOffsets();
      // Thread ids of an outlined body.
      if (auto *Arg = dyn_cast<Argument>(Base);
          Arg && Body && Arg->getArgNo() < 2 &&
          !(RI != Inv.Regions.end() && RI->second.Kind == "task"))
        continue;
      if (A.Pointer->getType()->getPointerAddressSpace() != 0)
        continue;
      A.Where = Obj.pointsTo(A.Pointer);
      if (Live.contains(FI.F))
        touch(A.Where, /*Outside=*/false);
      resolve(A);
      if (A.Sites.empty() && A.Lost.empty())
        continue;
      A.W = walk(A, FI);
      bool Straddles = straddles(A.W, I, FI);
      // More than a line goes from line to line, wherever it begins.
      auto *Block = dyn_cast<MemIntrinsic>(&I);
      auto *Known = Block ? dyn_cast<ConstantInt>(Block->getLength()) : nullptr;
      bool Short = Known && Known->getValue().ule(64);
      if (Block && !(Short && (A.W.Class == AccessClass::Random ||
                               A.W.Class == AccessClass::Chase))) {
        A.W.Class = AccessClass::Stream;
        A.W.Stride = 64;
        A.W.Step = nullptr;
        A.W.Dependent = false;
        A.W.Why.clear();
      }
      if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
        const SCEV *Length = FI.SE->getSCEV(Mem->getLength());
        A.T = timesOf(I, FI, Length);
        std::string Why;
        if (CountRef Bytes =
                toCount(Length, FI.LI->getLoopFor(home(I)), FI, Why, &A.T)) {
          CountRef Lines = countOp("ceildiv", {Bytes, countConst(64)});
          A.T.C =
              closed(A.T, clamped(countAdd(Lines, countConst(Straddles)), A.T));
          if (Straddles)
            A.T.doubt("unaligned-block");
        } else {
          A.T.C = countSymbol(linesSymbol(*Mem, FI, closed(A.T)));
          A.T.Absolute = true;
          giveUp("variant-length");
        }
      } else {
        A.T = timesOf(I, FI);
        A.Reuse = reuse(A.W, A.T);
        A.T.C = closed(A.T);
      }
      if (A.W.Step && !A.W.Stride) {
        std::string Why;
        A.StrideBy = toCount(A.W.Step, FI.LI->getLoopFor(home(I)), FI, Why);
      }
      A.T.Levels.clear();
      FI.Accesses.push_back(std::move(A));
    }
  }
  findStencils(FI);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Code that runs outside all regions: before main, in threads of the program's
/// own, where a library calls back that nobody was seen to hand it to.
void Analyzer::noteOutside() {
  if (!M.getFunction("main"))
    return;
  for (const Function *F : Live)
    if (auto It = Infos.find(F); It != Infos.end() && !InRegions.count(F))
      if (size_t N = It->second->Accesses.size())
        giveUp("outside-regions", N);
}

void Analyzer::noteCalls() {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I); CB && !isForkCall(*CB))
        for (Function *Callee : Obj.callees(*CB)) {
          Callees[&F].insert(Callee);
          CallsOf[Callee].push_back(CB);
        }
}

/// A team within a team is one thread, OpenMP's default of one active level:
/// its body is called.
void Analyzer::noteNestedTeams() {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I);
          CB && isForkCall(*CB) && OnTeam.count(&F))
        if (Function *Body = outlinedCallee(*CB)) {
          Callees[&F].insert(Body);
          CallsOf[Body].push_back(CB);
          Nested.insert(Body);
        }
}

/// \p C where one thread is the team.
static CountRef alone(const CountRef &C) {
  if (C->Kind != Count::Op)
    return C;
  std::vector<CountRef> Args;
  for (const CountRef &A : C->Args)
    Args.push_back(alone(A));
  if (C->Name == "evenly")
    return Args[0];
  if (C->Name == "share")
    return neverNegative(Args[0]) ? Args[0]
                                  : countOp("max", {countConst(0), Args[0]});
  if (C->Name == "sharesum")
    return countOp("sum", {Args[0], Args[1]});
  return countOp(C->Name, std::move(Args));
}

void Analyzer::reachFrom(Function &F, SetVector<Function *> &Out) {
  SmallVector<Function *, 8> Work{&F};
  while (!Work.empty()) {
    Function *G = Work.pop_back_val();
    if (G->isDeclaration() || !Out.insert(G))
      continue;
    if (auto It = Callees.find(G); It != Callees.end())
      Work.append(It->second.begin(), It->second.end());
  }
}

/// Functions that may call themselves, directly or not.
void Analyzer::findRecursion() {
  for (Function &F : M)
    if (!M.getFunction("main") || F.getName() == "main" ||
        any_of(F.users(), [](User *U) { return !isa<Instruction>(U); }))
      Live.insert(&F);
  for (size_t K = 0; K < Live.size(); ++K)
    for (const Instruction &I : instructions(*Live[K]))
      for (const Value *Op : I.operands())
        if (auto *F = dyn_cast<Function>(Op->stripPointerCastsAndAliases()))
          Live.insert(F);
  for (const Function *F : Live)
    for (const Instruction &I : instructions(*F))
      if (auto *CB = dyn_cast<CallBase>(&I)) {
        if (isForkCall(*CB)) {
          if (Function *Body = outlinedCallee(*CB))
            CallSites[Body].push_back(CB);
        } else {
          for (Function *Callee : Obj.callees(*CB))
            CallSites[Callee].push_back(CB);
        }
      }
  // Tarjan (1972) on the call graph, with a stack of its own.
  struct State {
    unsigned Index = 0, Low = 0;
    bool Open = false;
  };
  DenseMap<Function *, State> States;
  std::vector<Function *> Stack;
  unsigned Next = 0;
  auto CalleesOf = [&](Function *F) {
    SetVector<Function *> Out;
    for (Instruction &I : instructions(*F))
      if (auto *CB = dyn_cast<CallBase>(&I); CB && !isForkCall(*CB))
        for (Function *Callee : Obj.callees(*CB))
          if (!Callee->isDeclaration())
            Out.insert(Callee);
    return Out;
  };
  struct Visit {
    Function *F;
    SetVector<Function *> Callees;
    unsigned Next = 0;
  };
  for (Function &Root : M) {
    if (Root.isDeclaration() || States.count(&Root))
      continue;
    std::vector<Visit> Work;
    auto Enter = [&](Function *F) {
      State &S = States[F];
      S.Index = S.Low = ++Next;
      S.Open = true;
      Stack.push_back(F);
      Work.push_back({F, CalleesOf(F)});
    };
    Enter(&Root);
    while (!Work.empty()) {
      Visit &V = Work.back();
      if (V.Next < V.Callees.size()) {
        Function *Callee = V.Callees[V.Next++];
        if (Callee == V.F)
          Recursive.insert(Callee);
        if (!States.count(Callee))
          Enter(Callee);
        else if (States[Callee].Open)
          States[V.F].Low = std::min(States[V.F].Low, States[Callee].Index);
        continue;
      }
      Function *F = V.F;
      Work.pop_back();
      State &S = States[F];
      if (!Work.empty()) {
        State &Above = States[Work.back().F];
        Above.Low = std::min(Above.Low, S.Low);
      }
      if (S.Low != S.Index)
        continue;
      bool Cycle = Stack.back() != F;
      for (Function *Member = nullptr; Member != F;) {
        Member = Stack.back();
        Stack.pop_back();
        States[Member].Open = false;
        if (Cycle)
          Recursive.insert(Member);
      }
    }
  }
}

/// How often one task of the region calls \p F. Where calls are recursive, or
/// choose between functions when they run, that is measured.
Times Analyzer::callsOf(Function &F, Function &Root,
                        const SetVector<Function *> &Reached,
                        DenseMap<Function *, Times> &Memo) {
  bool Counted = Recursive.count(&F);
  if (&F == &Root && !Counted)
    return Times();
  if (auto It = Memo.find(&F); It != Memo.end())
    return It->second;
  SmallVector<CallBase *, 8> Calls;
  if (auto It = CallsOf.find(&F); !Counted && It != CallsOf.end())
    for (CallBase *CB : It->second)
      if (Reached.contains(CB->getFunction())) {
        Calls.push_back(CB);
        Counted |= calleeOf(*CB) != &F && !isForkCall(*CB) &&
                   Obj.callees(*CB).size() > 1;
      }
  Times Total;
  if (Counted) {
    Total.C =
        countSymbol(blockSymbol(&F.getEntryBlock(), "calls", info(F), nullptr));
    return Memo[&F] = Total;
  }
  std::vector<CountRef> Sum;
  Total.Conditional = !Calls.empty();
  for (CallBase *CB : Calls) {
    Function *G = CB->getFunction();
    Times Here = timesOf(*CB, info(*G));
    Here.C = closed(Here);
    Here.Levels.clear();
    Times Outer = callsOf(*G, Root, Reached, Memo);
    Sum.push_back(Here.Absolute ? Here.C : countMul(Here.C, Outer.C));
    Total.Conditional &= Here.Conditional || Outer.Conditional;
    for (const Times *T : {&Here, &Outer})
      if (!T->Exact)
        Total.doubt(T->Why);
    // External code calls back as often as it likes.
    if (Function *Callee = calleeOf(*CB);
        Callee && Callee != &F && !isForkCall(*CB))
      Total.doubt("callback");
  }
  Total.C = countOp("+", std::move(Sum));
  return Memo[&F] = Total;
}

void Analyzer::region(Function &Root, const RegionInfo &RI) {
  SetVector<Function *> Reached;
  reachFrom(Root, Reached);
  // Only ever a part of other tasks?
  auto Forks = CallSites.find(&Root);
  bool Own = !Nested.count(&Root) || Forks == CallSites.end() ||
             any_of(Forks->second, [&](const CallBase *CB) {
               return !OnTeam.count(CB->getFunction());
             });
  if (!Own)
    Reached.clear();
  // What only nested teams run is run by one thread each.
  SetVector<Function *> Direct, Work;
  Work.insert(&Root);
  for (size_t K = 0; K < Work.size(); ++K)
    if (Direct.insert(Work[K]))
      if (auto It = Callees.find(Work[K]); It != Callees.end())
        for (Function *F : It->second)
          if (!Nested.count(F))
            Work.insert(F);
  DenseMap<Function *, Times> Memo;
  struct Entry {
    AccessRow Row;
    unsigned Line = ~0u;
    // Added up at once.
    std::vector<CountRef> Reads, Writes, Atomics, Conditional;
    std::set<uint64_t> Index;
  };
  std::map<std::string, Entry> Rows;
  for (Function *F : Reached) {
    InRegions.insert(F);
    FunctionInfo &FI = info(*F);
    Times Calls = callsOf(*F, Root, Reached, Memo);
    for (Access &A : FI.Accesses) {
      Times T = A.T;
      if (!Direct.contains(F)) {
        T.C = alone(T.C);
        if (T.Why == "dynamic-schedule") {
          T.Exact = true;
          T.Why.clear();
        }
      }
      if (!T.Absolute) {
        T.C = countMul(T.C, Calls.C);
        T.Conditional |= Calls.Conditional;
        if (!Calls.Exact)
          T.doubt(Calls.Why);
      }
      if (!T.Exact && T.Why.empty())
        T.Why = "conditional";
      std::string Key;
      raw_string_ostream OS(Key);
      for (uint64_t S : A.Sites)
        OS << S << ' ';
      for (uint64_t C : A.Contexts)
        OS << '<' << C << ' ';
      OS << A.Lost << '|' << accessClassName(A.W.Class) << '|'
         << A.W.Stride.value_or(0) << '|' << bool(A.W.Stride) << '|' << A.Bytes
         << '|' << A.W.Dependent << '|' << A.W.Points << '|' << A.W.Dimensions
         << '|' << A.W.Why << '|' << keyOfCount(A.StrideBy);
      auto [It, New] = Rows.try_emplace(OS.str());
      AccessRow &Row = It->second.Row;
      Place P = Source.locateUser(A.I->getDebugLoc());
      if (New) {
        Row.Region = RI.Id;
        Row.Sites = A.Sites;
        Row.Contexts = A.Contexts;
        Row.Class = A.W.Class;
        Row.Stride = A.W.Stride;
        Row.ElementBytes = A.Bytes;
        Row.Dependent = A.W.Dependent;
        Row.StrideBy = A.StrideBy;
        Row.Reuse = A.Reuse;
        if (A.W.Class == AccessClass::Stencil)
          Row.Points = A.W.Points;
        if (A.W.Dimensions)
          Row.Dimensions = A.W.Dimensions;
        Row.At = RI.At;
      }
      if (P.known() && P.Line < It->second.Line) {
        It->second.Line = P.Line;
        Row.At = P.at();
        Row.Place = A.I->getDebugLoc();
      }
      if (!sameCount(Row.Reuse, A.Reuse))
        Row.Reuse = nullptr; // not one number
      // What callers or a library tell may have made it regular since.
      if (A.W.Class == AccessClass::Random || A.W.Class == AccessClass::Chase)
        It->second.Index.insert(A.W.IndexSites.begin(), A.W.IndexSites.end());
      if (A.Reads)
        It->second.Reads.push_back(T.C);
      if (A.Writes)
        It->second.Writes.push_back(T.C);
      if (A.Atomic)
        It->second.Atomics.push_back(T.C);
      for (bool Does : {A.Reads, A.Writes})
        if (Does && T.Conditional)
          It->second.Conditional.push_back(T.C);
      Row.Exact &= T.Exact;
      for (StringRef Why :
           {StringRef(A.Lost), StringRef(A.W.Why), StringRef(T.Why)})
        if (!Why.empty() && !StringRef(Row.Why).contains(Why))
          Row.Why += (Row.Why.empty() ? "" : ", ") + Why.str();
    }
  }
  for (auto &[Key, E] : Rows) {
    E.Row.Reads = countOp("+", std::move(E.Reads));
    E.Row.Writes = countOp("+", std::move(E.Writes));
    E.Row.IndexSites.assign(E.Index.begin(), E.Index.end());
    if (!E.Atomics.empty())
      E.Row.Atomics = countOp("+", std::move(E.Atomics));
    if (!E.Conditional.empty())
      E.Row.Conditional = countOp("+", std::move(E.Conditional));
    if (E.Row.Sites.empty() || E.Row.Class == AccessClass::Unknown ||
        !E.Row.Exact)
      for (StringRef Rest = E.Row.Why; !Rest.empty();) {
        auto [Why, Next] = Rest.split(", ");
        giveUp(Why);
        Rest = Next;
      }
    R.Rows.push_back(E.Row);
  }
  // A template's region is one, however many instances have their rows.
  if (none_of(R.RegionRows, [&](const RegionInfo &G) { return G.Id == RI.Id; }))
    R.RegionRows.push_back(RI);
}

/// Sizes of sites as far as their allocation calls tell.
void Analyzer::sites() {
  PerCall = true; // each instance has its size
  std::map<uint64_t, SiteRow> Rows;
  auto addSize = [&](SiteRow &Row, const CountRef &C) {
    if (!C)
      giveUp("unknown-size");
    else if (llvm::none_of(Row.Sizes, [&](const CountRef &Other) {
               return sameCount(C, Other);
             }))
      Row.Sizes.push_back(C);
  };
  auto Enter = [&](const InventoryEntry &E, SiteRow::StateType State) {
    SiteRow Row;
    Row.Info = {E.Id, E.Detail, E.Where.at(), E.Where.Function, 0, {}};
    Row.State = State;
    Rows.try_emplace(E.Id, Row);
  };
  for (const InventoryEntry &E : Inv.Entries)
    if (isSite(E))
      Enter(E, SiteRow::Elided);
  for (const InventoryEntry &E : Inv.Unlinked)
    Enter(E, SiteRow::Unlinked);
  for (auto &Entry : Inv.Sites) {
    CallBase *CB = Entry.first;
    const SiteInfo &S = Entry.second;
    SiteRow &Row = Rows[S.Id];
    if (!Row.Info.Id)
      Row.Info = S;
    if (!Live.contains(CB->getFunction())) {
      // What was inlined into all callers stays behind, exported.
      Row.State = std::max(Row.State, SiteRow::Dead);
      continue;
    }
    bool Used = isTouched(CB) || isNamedAllocator(*CB->getFunction());
    Row.State = Used ? SiteRow::Live : std::max(Row.State, SiteRow::Dead);
    FunctionInfo &FI = info(*CB->getFunction());
    std::string Why;
    auto Argument = [&](int Arg) {
      return Arg < 0 ? nullptr
                     : toCount(FI.SE->getSCEV(CB->getArgOperand(Arg)),
                               FI.LI->getLoopFor(CB->getParent()), FI, Why);
    };
    CountRef C;
    ArrayRef<const Function *> Chosen = Obj.allocators(*CB);
    std::optional<Allocation> A =
        Chosen.size() == 1 ? allocationOf(*CB, *Chosen[0]) : allocationOf(*CB);
    if (A) {
      C = Argument(A->Size);
      if (C && A->Count >= 0) {
        CountRef N = Argument(A->Count);
        C = N ? countMul(N, C) : nullptr;
      }
    }
    if (S.Context) {
      SiteRow::Caller &Caller = Row.Contexts[S.Context];
      Caller.Calls = S.Calls;
      Caller.Size = C;
    }
    addSize(Row, C);
  }
  for (auto &Entry : Inv.Stacks) {
    AllocaInst *A = Entry.first;
    SiteRow &Row = Rows[Entry.second.Id];
    bool Alive = Live.contains(A->getFunction()) && isTouched(A);
    Row.State = Alive ? SiteRow::Live : std::max(Row.State, SiteRow::Dead);
    FunctionInfo &FI = info(*A->getFunction());
    std::string Why;
    CountRef N = toCount(FI.SE->getSCEV(A->getArraySize()),
                         FI.LI->getLoopFor(A->getParent()), FI, Why);
    uint64_t Each = M.getDataLayout().getTypeAllocSize(A->getAllocatedType());
    addSize(Row, N ? countMul(N, countConst(int64_t(Each))) : nullptr);
  }
  for (auto &[Id, Row] : Rows) {
    if (Row.Sizes.size() > 1) {
      giveUp("several-sizes");
    } else if (!Row.Sizes.empty()) {
      Row.Size = Row.Sizes.front();
      Row.Sizes.clear();
    }
  }
  for (auto &[G, S] : Inv.Globals) {
    SiteRow &Row = Rows[S.Id];
    Row.State = isTouched(G) ? SiteRow::Live : SiteRow::Dead;
    Row.Size =
        countConst(M.getDataLayout().getTypeAllocSize(G->getValueType()));
  }
  std::map<uint64_t, std::set<uint64_t>> Elements;
  for (const AccessRow &A : R.Rows)
    for (uint64_t S : A.Sites)
      if (A.ElementBytes != 64) // block operations have no element
        Elements[S].insert(A.ElementBytes);
  for (auto &[Id, Row] : Rows) {
    if (auto It = Elements.find(Id);
        It != Elements.end() && It->second.size() == 1)
      Row.ElementBytes = *It->second.begin();
    R.SiteRows.push_back(Row);
  }
}

/// What people call an object; empty: nothing to show.
std::string Analyzer::objectName(unsigned Index) {
  const MemoryObject &O = Obj.objects()[Index];
  switch (O.Kind) {
  case MemoryObject::Heap:
    if (auto It = Inv.Sites.find(cast<CallBase>(O.V)); It != Inv.Sites.end())
      return It->second.Kind + " " + It->second.At;
    return "site without an id";
  case MemoryObject::Global:
    if (auto It = Inv.Globals.find(cast<GlobalVariable>(O.V));
        It != Inv.Globals.end())
      return It->second.Kind + " " + It->second.At;
    [[fallthrough]];
  case MemoryObject::Stack: {
    if (auto *A = dyn_cast<AllocaInst>(O.V); A && Inv.Stacks.count(A))
      return Inv.Stacks[A].Kind + " " + Inv.Stacks[A].At;
    auto Name = nameOfMemory(O.V);
    if (!Name || Name->Text.empty() || Name->Text[0] == '.')
      return "";
    if (!Name->Function)
      return "variable " + Name->Text;
    return "variable " + Source.locateFunction(Name->Function).Function + ":" +
           Name->Text;
  }
  case MemoryObject::Function: {
    auto *F = cast<Function>(O.V);
    const DISubprogram *SP = F->getSubprogram();
    return SP && !isOutlinedHelper(*F) ? "function " + SP->getName().str() : "";
  }
  case MemoryObject::Task:
  case MemoryObject::Shareds: {
    Place P = Source.locateDirective(*cast<CallBase>(O.V));
    return P.known() ? "task " + P.at() : "";
  }
  case MemoryObject::External:
    return "outside";
  case MemoryObject::Anything:
    return "anything";
  }
  llvm_unreachable("object of no kind");
}

void Analyzer::pointers() {
  std::vector<std::string> Names;
  for (unsigned K = 0; K < Obj.objects().size(); ++K)
    Names.push_back(objectName(K));
  std::set<std::tuple<std::string, std::optional<int64_t>, std::string>> All;
  for (unsigned K = 0; K < Names.size(); ++K)
    for (auto &[Offset, Where] : Obj.contents(K))
      for (const Location &L : Where)
        if (!Names[K].empty() && !Names[L.first].empty())
          All.insert({Names[K],
                      Offset == AnyOffset ? std::nullopt
                                          : std::optional<int64_t>(Offset),
                      Names[L.first]});
  for (auto &[From, Offset, To] : All)
    R.Pointers.push_back({From, To, Offset});
}

/// Distinct symbols get distinct names, in the order of their coordinates.
void Analyzer::finishNames(const std::set<uint64_t> &Used) {
  std::map<std::string, std::vector<SymbolRow *>> ByName;
  for (auto &[Id, Row] : Symbols)
    if (Used.count(Id))
      ByName[Row.Name].push_back(&Row);
  for (auto &[Name, Rows] : ByName) {
    llvm::sort(Rows, [](const SymbolRow *A, const SymbolRow *B) {
      return std::tie(A->At, A->Id) < std::tie(B->At, B->Id);
    });
    for (size_t K = 1; K < Rows.size(); ++K)
      Rows[K]->Name += "~" + std::to_string(K);
  }
}

/// Allocations through pointers: known now that pointers are.
void Analyzer::findIndirectSites() {
  for (const MemoryObject &O : Obj.objects()) {
    auto *CB = O.Kind == MemoryObject::Heap ? cast<CallBase>(O.V) : nullptr;
    if (CB && !Obj.allocators(*CB).empty())
      addIndirectSite(Inv, Source, *CB, Obj.allocators(*CB));
  }
}

void Analyzer::run() {
  findIndirectSites();
  noteCalls();
  noteWriters();
  for (Function &F : M)
    if (!F.isDeclaration()) {
      forwardBounds(F);
      mergeTwins(F);
    }
  for (Function &F : M)
    if (!F.isDeclaration())
      hoistInvariantLoads(F);
  FAM.clear();

  findRecursion();
  Touched.resize(Obj.objects().size());
  Handed.resize(Obj.objects().size());
  for (auto &[F, RI] : Inv.Regions)
    if (RI.Kind != "serial") {
      SetVector<Function *> Reached;
      reachFrom(*F, Reached);
      OnTeam.insert(Reached.begin(), Reached.end());
    }
  noteNestedTeams();
  for (Function &F : M)
    if (!F.isDeclaration())
      collect(info(F));
  for (Function &F : M)
    if (!F.isDeclaration())
      moveWithCallers(info(F));

  for (auto &[F, RI] : Inv.Regions)
    region(*F, RI);
  noteOutside();
  sites();
  if (WithPointers)
    pointers();
  defineSymbols();
  for (AccessRow &Row : R.Rows) {
    Row.Reads = chooseCopies(Row.Reads);
    Row.Writes = chooseCopies(Row.Writes);
    for (CountRef *C :
         {&Row.Atomics, &Row.Conditional, &Row.Reuse, &Row.StrideBy})
      *C = chooseCopies(*C);
  }
  for (auto &[Id, Row] : Symbols) {
    Row.ScalesWith = chooseCopies(Row.ScalesWith);
    Row.Value = chooseCopies(Row.Value);
  }

  // Show what a formula uses; the recorder takes all, as other units' regions
  // may call into this one.
  std::set<uint64_t> Used;
  std::vector<CountRef> Work;
  for (const AccessRow &A : R.Rows) {
    Work.push_back(A.Reads);
    Work.push_back(A.Writes);
    Work.push_back(A.Reuse);
    Work.push_back(A.StrideBy);
  }
  for (const SiteRow &S : R.SiteRows) {
    Work.push_back(S.Size);
    Work.insert(Work.end(), S.Sizes.begin(), S.Sizes.end());
    for (auto &[Id, Caller] : S.Contexts)
      Work.push_back(Caller.Size);
  }
  while (!Work.empty()) {
    CountRef C = Work.back();
    Work.pop_back();
    if (!C)
      continue;
    if (C->Kind == Count::Symbol && Used.insert(C->Sym).second)
      for (const CountRef &E :
           {Symbols[C->Sym].ScalesWith, Symbols[C->Sym].Value})
        Work.push_back(E);
    Work.insert(Work.end(), C->Args.begin(), C->Args.end());
  }
  finishNames(Used);
  for (auto &[Id, Row] : Symbols)
    if (Used.count(Id))
      R.SymbolRows.push_back(Row);
  for (SymbolLeaf &L : Leaves)
    L.Name = Symbols[L.Id].Name;
  R.Symbols = Leaves;
  std::map<uint64_t, SyncInfo> Syncs;
  for (const InventoryEntry &E : Inv.Entries)
    if (StringRef(E.Key).starts_with("sync-"))
      Syncs[E.Id] = {E.Id, E.Key.substr(5), E.Where.at(), E.Where.Function,
                     E.Detail == "team"};
  for (auto &[Id, S] : Syncs)
    R.SyncRows.push_back(S);
  std::set<std::string> Units;
  for (DICompileUnit *CU : M.debug_compile_units())
    Units.insert(Source.path(CU->getFile()).first);
  R.Units.assign(Units.begin(), Units.end());
  for (auto &[Why, N] : Inv.GiveUps)
    R.GiveUps[Why] += N;

  for (auto &[F, FI] : Infos)
    for (Access &A : FI->Accesses) {
      AccessInfo &AI = R.Accesses[A.I];
      AI.Class = A.W.Class;
      AI.Dependent |= A.W.Dependent;
      AI.ElementBytes = A.Bytes;
      AI.Reads |= A.Reads;
      AI.Writes |= A.Writes;
      AI.Stride = A.W.Stride;
      AI.Points = A.W.Points;
      AI.Why = A.Lost.empty() ? A.W.Why : A.Lost;
      AI.Sites.insert(AI.Sites.end(), A.Sites.begin(), A.Sites.end());
    }
  R.Sites = Inv.Sites;
  R.GlobalSites = Inv.Globals;
  R.StackSites = Inv.Stacks;
  R.Regions = Inv.Regions;
  R.Syncs = Inv.Syncs;
}

EkAccess::Result EkAccess::run(Module &M, ModuleAnalysisManager &) {
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Clone = CloneModule(M, Map);
  DenseMap<const Value *, Value *> Back;
  for (auto Entry : Map)
    if (Entry.second)
      Back[Entry.second] = const_cast<Value *>(Entry.first);

  EkAccessResult R;
  {
    LoopAnalysisManager LAM;
    FunctionAnalysisManager FAM;
    CGSCCAnalysisManager CGAM;
    ModuleAnalysisManager MAM;
    PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
    for (Function &F : *Clone)
      pointersOfIntegers(F);
    Analyzer A(*Clone, FAM);
    A.WithPointers = WithPointers;
    A.run();
    R = std::move(A.R);
  }

  // From the clone back to the module itself.
  auto Mapped = [&](auto &From) {
    std::decay_t<decltype(From)> To;
    for (auto &Entry : From) {
      using Key = std::remove_pointer_t<std::decay_t<decltype(Entry.first)>>;
      if (Value *B = Back.lookup(Entry.first))
        To[cast<Key>(B)] = Entry.second;
    }
    From = std::move(To);
  };
  Mapped(R.Accesses);
  Mapped(R.Sites);
  Mapped(R.GlobalSites);
  Mapped(R.StackSites);
  Mapped(R.Regions);
  Mapped(R.Syncs);
  std::vector<SymbolLeaf> Leaves;
  for (SymbolLeaf L : R.Symbols) {
    if (L.V)
      L.V = Back.lookup(L.V);
    if (L.Block)
      L.Block = cast_or_null<BasicBlock>(Back.lookup(L.Block));
    L.F = cast_or_null<Function>(Back.lookup(L.F));
    if (L.F && (L.V || L.Block))
      Leaves.push_back(L);
  }
  std::vector<size_t> Order(Leaves.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::sort(Order, [&](size_t A, size_t B) {
    return std::tie(Leaves[A].Id, A) < std::tie(Leaves[B].Id, B);
  });
  R.Symbols.clear();
  for (size_t K : Order)
    R.Symbols.push_back(Leaves[K]);

  auto ByCoordinate = [](const auto &A, const auto &B) {
    return std::tie(A.At, A.Id) < std::tie(B.At, B.Id);
  };
  llvm::sort(R.RegionRows, ByCoordinate);
  llvm::sort(R.SyncRows, ByCoordinate);
  llvm::sort(R.SymbolRows, ByCoordinate);
  llvm::sort(R.SiteRows, [](const SiteRow &A, const SiteRow &B) {
    return std::tie(A.Info.At, A.Info.Id) < std::tie(B.Info.At, B.Info.Id);
  });
  llvm::sort(R.Rows, [](const AccessRow &A, const AccessRow &B) {
    return std::tie(A.Region, A.At, A.Sites, A.Contexts, A.Class, A.Stride,
                    A.ElementBytes, A.Dependent, A.Points, A.Why) <
           std::tie(B.Region, B.At, B.Sites, B.Contexts, B.Class, B.Stride,
                    B.ElementBytes, B.Dependent, B.Points, B.Why);
  });
  return R;
}

} // namespace evenkeel
