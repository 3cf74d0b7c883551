//===- Analyzer.h - parts of the analysis -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the parts of the analysis share: how often something runs, how an
// access moves, what is known of a function; and the class whose members are
// spread over the files of this folder, one concept each.
// Leaves out: what others see of it (Access.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_ANALYZER_H
#define EVENKEEL_PASSES_ACCESS_ANALYZER_H

#include "access/Rows.h"
#include "access/walks/AtCall.h"
#include "objects/Entities.h"
#include "objects/Inventory.h"
#include "objects/Objects.h"
#include "objects/Ranges.h"
#include "unit/Distances.h"
#include "unit/Source.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class DominatorTree;
class ICmpInst;
class Loop;
class LoopInfo;
class MemIntrinsic;
class PHINode;
class PostDominatorTree;
class SCEV;
class SCEVUDivExpr;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

struct Geometric;
struct LibraryAccess;
class Provenance;

/// A loop around what is counted, and its rounds each time it is entered. They
/// may depend on the rounds of the loops around it (countIndex). Without a
/// loop: a condition; 1 where it holds, else 0.
struct Level {
  const llvm::Loop *L;
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
  llvm::SmallVector<Level, 4> Levels;
  bool Absolute = false;
  bool Conditional = false; // behind a condition
  bool Exact = true;
  std::string Why;

  void doubt(llvm::StringRef Reason) {
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
  const llvm::SCEV *Rounds = nullptr; // N, where all of it is known
  /// What the task learns of its share: its bounds.
  llvm::SmallPtrSet<const llvm::Value *, 8> Bounds;
  /// Values of the slot with the lower bound, which start at the task's first
  /// iteration, and what they are at the first of all.
  llvm::DenseMap<const llvm::Value *, const llvm::SCEV *> First;
};

/// What a task learns of its contiguous share of a loop: a load of a bound.
struct ShareBound {
  CountRef Value;
  const llvm::SCEV *Rounds = nullptr;  // of the whole team
  const llvm::SCEV *Highest = nullptr; // upper bounds: what they do not exceed
};

/// What lies below a place: loops from Bottom up, a block operation's length.
struct Below {
  const llvm::Loop *Bottom = nullptr;
  const llvm::SCEV *Length = nullptr;
};

/// How one access moves.
struct Walk {
  AccessClass Class = AccessClass::Invariant;
  std::optional<int64_t> Stride;
  bool Dependent = false;
  std::string Why;
  const llvm::SCEV *Address = nullptr; // all of it
  const llvm::SCEV *Pointer = nullptr; // as it moves most of the time
  const llvm::SCEV *Step = nullptr;
  CountRef StepBy; // where the loops of a caller move it; may be null
  llvm::Loop *Moving = nullptr;
  unsigned Points = 1, Dimensions = 0;
  std::vector<uint64_t> IndexSites;
};

struct Access {
  llvm::Instruction *I = nullptr;
  llvm::Value *Pointer = nullptr;
  uint64_t Bytes = 0;
  bool Reads = false, Writes = false, Atomic = false;
  CountRef StrideBy, Reuse, Run; // may be null
  LocationSet Where;
  std::vector<uint64_t> Sites, Contexts, Ranges;
  Walk W;
  /// Of a block operation: how the block moves, W being how it is gone through.
  std::optional<Walk> Block;
  std::optional<AccessClass> Blocks; // these three as in AccessRow
  CountRef BlockBytes, BlockStride;
  Times T;
  std::string Lost;    // reason why Sites is empty
  std::string Private; // whose memory it is, where it is nothing to place
  /// The function that makes it, where that is not the instruction.
  std::string Library;
  /// It may also go to what is no site: how often to a site is not known.
  bool Elsewhere = false;
};

/// Analyses and results of one function.
struct FunctionInfo {
  llvm::Function *F = nullptr;
  llvm::LoopInfo *LI = nullptr;
  llvm::DominatorTree *DT = nullptr;
  llvm::PostDominatorTree *PDT = nullptr;
  llvm::ScalarEvolution *SE = nullptr;
  llvm::DenseMap<const llvm::Loop *, SharedLoop> Shared;
  llvm::DenseMap<const llvm::Value *, ShareBound> ShareBounds;
  /// Formulas may say where shares begin and end.
  bool InShares = false;
  /// Loops that hand out chunks of a work-shared loop: they add no iterations.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Chunks;
  /// Rounds of loops; [1]: in formulas that name what differs by call.
  std::map<std::pair<const llvm::Loop *, const llvm::Loop *>, Times> Nest[2];
  /// What a loop's rounds may be, by ScalarEvolution or with its guards.
  llvm::DenseMap<const llvm::Loop *, llvm::SmallVector<const llvm::SCEV *, 2>>
      Trips;
  /// How often a test that leaves a loop of several such goes on, likewise.
  llvm::DenseMap<std::pair<const llvm::Loop *, const llvm::BasicBlock *>,
                 llvm::SmallVector<const llvm::SCEV *, 2>>
      ExitTrips;
  std::optional<llvm::SmallVector<llvm::MemIntrinsic *, 4>> Blocks;
  /// What was found by asksForWork.
  llvm::DenseMap<const llvm::BasicBlock *, bool> Belongs;
  /// What trying out has shown (Guards.cpp), of a condition and whether it
  /// holds: that it is a loop's entry test; that rounds depend on it.
  std::map<std::tuple<const llvm::Value *, bool, const llvm::Loop *>, bool>
      EntryTests;
  std::map<std::tuple<const llvm::Value *, bool, const llvm::SCEV *,
                      const llvm::SCEV *>,
           bool>
      Fitting;
  llvm::DenseMap<const llvm::Loop *, unsigned> LoopOrdinal;
  /// Numbers of elements between pointers that the code computes, by the base
  /// of the pointer behind the last element; none: not yet looked for.
  std::optional<llvm::DenseMap<
      const llvm::SCEV *,
      llvm::SmallVector<std::pair<Distance, llvm::Instruction *>, 2>>>
      Distances;
  /// Words that the code widens, and whether it says each time that they are
  /// not below 0; none: not yet looked for.
  std::optional<llvm::DenseMap<const llvm::SCEV *, bool>> Widened;
  std::vector<Access> Accesses;
  /// Loads and stores that are none of Accesses, by whose memory they touch.
  std::map<std::string, uint64_t> Private;
};

class Analyzer {
  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  Inventory Inv;
  SourceMap Source;
  Objects Obj;
  /// Where hoisted loads were.
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> Home;
  llvm::MapVector<const llvm::Function *, std::unique_ptr<FunctionInfo>> Infos;
  /// Reached from a parallel or task.
  llvm::SmallPtrSet<const llvm::Function *, 16> OnTeam;
  llvm::SmallPtrSet<const llvm::Function *, 16> Recursive;
  /// What may run. What was inlined into all of the program's callers stays
  /// behind, exported: calls from there are none.
  llvm::SetVector<const llvm::Function *> Live;
  /// Objects that live code, or code outside, may read or write; those that
  /// code outside may.
  llvm::BitVector Touched, Handed;
  std::map<uint64_t, SymbolRow> Symbols;
  std::vector<SymbolLeaf> Leaves;
  std::vector<SymbolLeaf> OutOfLine; // see takeDownOutOfLine
  llvm::DenseMap<const llvm::Value *, uint64_t> LeafIds;
  llvm::DenseMap<const llvm::Value *, uint64_t> SourceIds; // of copies' sources
  std::map<std::string, unsigned> ValueOrdinals, BlockOrdinals;
  /// Measured symbols of one copy of an inlined place, and of the place.
  std::map<uint64_t, uint64_t> PlainOf;
  std::map<uint64_t, unsigned> Copies;
  /// Where measured symbols are counted.
  std::map<uint64_t, llvm::SmallVector<llvm::Function *, 1>> CountedIn;
  /// Calls of a function on the same thread, and forks that start it.
  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallVector<const llvm::CallBase *, 4>>
      CallSites;
  /// Formulas may name what differs from call to call.
  bool PerCall = false;
  bool Catches = false; // see catchesThrows
  /// Functions that may end by a jump, or by a throw, to a function above;
  /// those that are called below where such ends; calls of the former there
  /// that may also come back; blocks that control comes to behind these; blocks
  /// that call setjmp, and those behind them.
  llvm::SmallPtrSet<const llvm::Function *, 4> Jumping, Throwing;
  llvm::SetVector<llvm::Function *> BelowSetjmp, BelowHandler;
  llvm::SmallPtrSet<const llvm::CallBase *, 4> Leaving;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> Behind, Twice, Again;
  /// What was found by endsInFailure and findWayTo.
  using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;
  mutable llvm::DenseMap<Edge, bool> Failing, Coming;
  /// Where a loop stores to, what its calls write by themselves, and the
  /// functions that they lead to.
  struct LoopChanges {
    llvm::SmallVector<const llvm::Value *, 8> Stored;
    LocationSet Written;
    llvm::SetVector<llvm::Function *> Called;
  };
  llvm::DenseMap<const llvm::Loop *, LoopChanges> Changes;
  llvm::DenseMap<const llvm::Loop *, uint64_t> LoopNumbers; // see indexOf

  const llvm::BasicBlock *home(const llvm::Instruction &I) const {
    auto It = Home.find(&I);
    return It == Home.end() ? I.getParent() : It->second;
  }
  void giveUp(llvm::StringRef Why, uint64_t N = 1) {
    R.GiveUps[Why.str()] += N;
  }

  // Access.cpp
  FunctionInfo &info(llvm::Function &F);

  // Loads.cpp
  /// By object: the functions whose own code may write to it.
  std::map<unsigned, std::vector<llvm::Function *>> Writers;
  /// What a function's own code may write to.
  llvm::DenseMap<const llvm::Function *, LocationSet> Written;
  void forwardBounds(llvm::Function &F);
  void mergeTwins(llvm::Function &F);
  void hoistInvariantLoads(llvm::Function &F);
  void noteWriters();
  bool mayWrite(const llvm::SetVector<llvm::Function *> &Who,
                const LocationSet &Where);

  // Sameness.cpp
  bool isProgramWideAtForks(const llvm::Argument &A, unsigned Depth);
  bool isProgramWide(const llvm::Value *V, const llvm::Function &F,
                     unsigned Depth = 0);
  bool isSame(const llvm::Value *V, unsigned Depth = 0);
  bool changesAround(const llvm::Value *Op, const llvm::CallBase &CB);
  bool changesBetweenForks(const llvm::Argument &A);
  bool differsByCall(const llvm::Value *V, unsigned Depth = 0);
  bool differsByTask(const LocationSet &Where);
  bool runsOnce(const llvm::Function *F, unsigned Depth = 0);

  // Between.cpp
  /// Functions by number: there are many sets, and some have most functions.
  class FunctionSet {
    const llvm::DenseMap<const llvm::Function *, unsigned> *Numbers;
    llvm::BitVector Has;

  public:
    explicit FunctionSet(
        const llvm::DenseMap<const llvm::Function *, unsigned> &Numbers)
        : Numbers(&Numbers), Has(Numbers.size() + 1) {}
    bool has(const llvm::Function *F) const {
      return Has.test(Numbers->lookup(F));
    }
    bool insert(const llvm::Function *F) {
      const unsigned N = Numbers->lookup(F);
      const bool IsNew = !Has.test(N);
      Has.set(N);
      return IsNew;
    }
  };
  llvm::DenseMap<const llvm::Function *, unsigned> FunctionNumbers; // from 1
  std::map<const LocationSet *, FunctionSet> Changers;
  llvm::DenseMap<std::pair<const llvm::Function *, const LocationSet *>, bool>
      Varying;
  const FunctionSet &changersOf(const LocationSet &Where);
  bool writesTo(const llvm::Instruction &I, const LocationSet &Where);
  bool changesBetween(const llvm::Instruction &From,
                      const llvm::Instruction &To, const LocationSet &Where);
  bool changesBetweenCalls(const llvm::Function &F, const LocationSet &Where,
                           unsigned Depth);
  bool isOfKnownPlace(const llvm::LoadInst &V);
  bool variesBetweenCalls(const llvm::LoadInst &V);
  using WaysTo =
      llvm::DenseMap<const llvm::Function *,
                     llvm::SmallVector<const llvm::Instruction *, 4>>;
  WaysTo waysTo(const llvm::Instruction &V);
  bool differ(const llvm::LoadInst &A, const llvm::LoadInst &B);

  // Symbols.cpp
  /// By symbol: loads of the variable that it is, in each function one that is
  /// followed by no other value.
  std::map<uint64_t, llvm::SmallVector<const llvm::LoadInst *, 2>> LoadsOf;
  /// By symbol: the value that it is where its variable is declared.
  std::map<uint64_t, const llvm::Value *> RootOf;
  std::string qualifier(const Place &P, const FunctionInfo &FI);
  CountRef growsWith(llvm::Value *V, FunctionInfo &FI);
  uint64_t valueSymbol(llvm::Value *V, FunctionInfo &FI);
  uint64_t measure(llvm::StringRef What, llvm::Value *V, llvm::BasicBlock *B,
                   llvm::DebugLoc D, FunctionInfo &FI,
                   std::optional<unsigned> Nth, CountRef ScalesWith);
  void takeDownOutOfLine();
  CountRef chooseCopies(const CountRef &C) const;
  uint64_t linesSymbol(llvm::MemIntrinsic &I, bool Source, FunctionInfo &FI,
                       CountRef ScalesWith);
  uint64_t blockSymbol(llvm::BasicBlock *B, llvm::StringRef What,
                       FunctionInfo &FI, CountRef ScalesWith);
  void finishNames(const std::set<uint64_t> &Used);

  // Definitions.cpp
  void defineSymbols();

  // Growth.cpp
  void growSymbols(const Provenance &From);

  // Formulas.cpp
  CountRef toCount(const llvm::SCEV *S, const llvm::Loop *Within,
                   FunctionInfo &FI, std::string &Why,
                   const Times *Open = nullptr);
  // Words.cpp
  CountRef asWord(const llvm::SCEV *S, bool Signed, const llvm::Loop *Within,
                  FunctionInfo &FI, std::string &Why,
                  const Times *Open = nullptr);

  // Formulas.cpp
  CountRef distanceCount(const llvm::SCEVUDivExpr &S, const llvm::Loop *Within,
                         FunctionInfo &FI, std::string &Why, const Times *Open);
  uint64_t indexOf(const llvm::Loop *L);

  // Operations.cpp
  unsigned Operations = 0; // that operationCount is in
  CountRef operationCount(llvm::Value *V, const llvm::Loop *Within,
                          FunctionInfo &FI, std::string &Why,
                          const Times *Open = nullptr);
  bool hasNames(const llvm::SCEV *S, FunctionInfo &FI, unsigned Depth = 0);
  CountRef counterCount(const Geometric &G, const llvm::Loop *Within,
                        FunctionInfo &FI, std::string &Why, const Times *Open);
  CountRef geometricTrips(llvm::Loop &L, FunctionInfo &FI, const Times &Open);
  CountRef tripsOfCounter(const Geometric &G, int64_t Scale, int64_t Over,
                          llvm::CmpInst::Predicate Stay, CountRef From,
                          CountRef To, FunctionInfo &FI);
  bool isTestedInFront(llvm::Loop &L, FunctionInfo &FI);

  // Formulas.cpp
  /// Symbols that formulas take to be 0 or more: they say nothing of others.
  std::set<uint64_t> Assumed;
  bool neverNegative(const CountRef &C, llvm::ArrayRef<CountRef> Known = {});
  CountRef notBelow0(const CountRef &C);
  std::vector<CountRef> knownIn(llvm::ArrayRef<Level> Open);
  CountRef closed(const Times &T, CountRef Each = countConst(1));
  CountRef reuse(const Walk &W, const Times &T);
  CountRef run(const Walk &W, const Times &T, FunctionInfo &FI);
  void noteJumps(Access &A, FunctionInfo &FI);
  CountRef clamped(const CountRef &C, const Times &Open);
  void leavesOf(const llvm::SCEV *S,
                llvm::SmallPtrSetImpl<const llvm::Value *> &Out);

  // Shares.cpp
  CountRef inAll(const CountRef &Rounds);
  void findSharedLoops(FunctionInfo &FI);
  void noteShareBounds(llvm::CallBase &Init, FunctionInfo &FI);

  // Taskloops.cpp
  struct Taskloop {
    CountRef N;                                      // rounds of all its tasks
    llvm::SmallPtrSet<const llvm::Value *, 4> Slots; // of a task's bounds
    llvm::SmallVector<llvm::LoadInst *, 2> First;    // of the lower one
  };
  /// Calls that make tasks of a loop, by the tasks' body.
  llvm::DenseMap<const llvm::Function *, llvm::SmallVector<llvm::CallBase *, 1>>
      Taskloops;
  void noteTaskloops();
  const llvm::Function *dealtOutOnceBy(const llvm::CallBase &Call);
  CountRef taskloopRounds(llvm::CallBase &Call);
  bool isProgramWide(const CountRef &C) const;
  std::optional<Taskloop> taskloopOf(llvm::Function &Body);

  // Trips.cpp
  llvm::SmallVector<llvm::BasicBlock *, 4>
  aliveExits(const llvm::Loop &L) const;
  llvm::Loop *countedBy(llvm::Loop &L, FunctionInfo &FI);
  llvm::ArrayRef<const llvm::SCEV *> tripsOf(const llvm::Loop &L,
                                             FunctionInfo &FI);
  llvm::SmallVector<const llvm::SCEV *, 2> &
  exitTripsOf(const llvm::Loop &L, llvm::BasicBlock &Exiting, FunctionInfo &FI);
  CountRef tripCount(llvm::Loop &L, FunctionInfo &FI, const Times &Open,
                     std::string &Why, std::string &Assumes);
  CountRef inductionTrips(llvm::Loop &L, FunctionInfo &FI, const Times &Open);
  const Times &nest(llvm::Loop *L, Below Under, FunctionInfo &FI);
  CountRef growthInCalls(FunctionInfo &FI, llvm::function_ref<CountRef()> Of);
  CountRef tripsOfBlock(const llvm::BasicBlock *B, llvm::Loop &L,
                        FunctionInfo &FI, const Times &Open);
  Times entries(llvm::Loop &L, Below Under, FunctionInfo &FI);

  // Guards.cpp
  Times timesOf(const llvm::Instruction &I, FunctionInfo &FI,
                const llvm::SCEV *Length = nullptr);
  bool endsInFailure(const llvm::BasicBlock *From,
                     const llvm::BasicBlock *B) const;
  bool fails(const llvm::BasicBlock *From, const llvm::BasicBlock *B) const;
  bool findWayTo(const llvm::BasicBlock *D, const llvm::BasicBlock *B,
                 const FunctionInfo &FI) const;
  bool comesTo(const llvm::BasicBlock *D, const llvm::BasicBlock *B,
               const FunctionInfo &FI) const;
  std::string controlled(const llvm::BasicBlock *&B,
                         const llvm::BasicBlock *Top, Below Under,
                         FunctionInfo &FI);
  bool guards(const llvm::Value *Cond, bool Sense, const llvm::SCEV *Length,
              llvm::ArrayRef<const llvm::Loop *> Loops, FunctionInfo &FI,
              unsigned Depth = 0);
  bool isGuard(const llvm::BasicBlock *D, const llvm::BasicBlock *B,
               Below Under, FunctionInfo &FI);
  bool asksForWork(const llvm::BasicBlock *B, FunctionInfo &FI);
  bool belongsToCondition(const llvm::BasicBlock *B, FunctionInfo &FI);
  bool isConditional(const llvm::BasicBlock *B, const llvm::BasicBlock *Top,
                     Below Under, FunctionInfo &FI);
  Times executions(const llvm::BasicBlock *B, Below Under, FunctionInfo &FI);

  // Leaving.cpp
  void noteLeaving();
  bool leaves(const llvm::CallBase &CB) const;
  bool isBehindLeaving(const llvm::Instruction &I, bool InBlock) const;
  bool runsAgain(const llvm::BasicBlock &B, const llvm::Loop *L) const;
  bool isLeftByCalls(const llvm::Loop &L) const;

  // Conditions.cpp
  CountRef truth(const llvm::Value *Cond, bool Sense, const llvm::Loop *Within,
                 FunctionInfo &FI, const Times &Open, unsigned Depth = 0);
  CountRef holds(llvm::CmpInst::Predicate P, const CountRef &L,
                 const CountRef &R, llvm::ArrayRef<CountRef> Known);
  CountRef truthOfBits(const llvm::ICmpInst &Cmp, bool Sense,
                       const llvm::Loop *Within, FunctionInfo &FI,
                       const Times &Open);
  std::optional<Times> behindCondition(const llvm::BasicBlock *B, Below Under,
                                       FunctionInfo &FI);

  // Walks.cpp
  Walk walk(Access &A, FunctionInfo &FI);
  Walk walkOf(const llvm::SCEV *S, const llvm::Instruction &I, uint64_t Bytes,
              FunctionInfo &FI);
  /// Keeps what addresses read in other functions have in them.
  ForeignValues Foreign;
  struct Returned {
    const llvm::SCEV *Moving, *Address; // what of it moves; all of it
  };
  llvm::SmallVector<Returned, 2> returned(const llvm::SCEV *S,
                                          FunctionInfo &FI);

  // Irregular.cpp
  bool isReadAgain(const llvm::Value &V, const llvm::Loop &X,
                   unsigned Depth = 0);
  void irregular(Walk &W, const llvm::SCEV *S, llvm::Loop *X, uint64_t Bytes,
                 FunctionInfo &FI);
  bool reaches(const llvm::Value *From, const llvm::PHINode *To,
               const llvm::Loop *X, bool ThroughLoads, bool &SawLoad,
               llvm::SmallPtrSetImpl<const llvm::Value *> &Seen);
  bool isBehindOwnLoad(const llvm::PHINode &P, unsigned K, const llvm::Loop *X);
  void noteIndex(Walk &W, llvm::ArrayRef<const llvm::Instruction *> From,
                 llvm::Loop *X);

  // Indices.cpp
  /// Elements that many bytes apart differ by By.
  struct EvenIndices {
    int64_t Bytes, By;
  };
  /// By object and size of its elements; nullopt: not even, or not yet known.
  std::map<std::pair<unsigned, uint64_t>, std::optional<EvenIndices>> Indices;
  std::optional<int64_t> stepIn(const llvm::SCEV *S, const llvm::Loop &X,
                                FunctionInfo &FI, unsigned Depth);
  std::optional<EvenIndices> evenStore(const llvm::StoreInst &S, uint64_t Bytes,
                                       unsigned Depth, FunctionInfo &FI,
                                       const llvm::Loop *&X);
  bool keepsIndices(const llvm::Instruction &I, unsigned O);
  std::optional<EvenIndices> evenIndices(unsigned O, uint64_t Bytes,
                                         unsigned Depth);
  std::optional<int64_t> gatherStep(const llvm::SCEV *S, const llvm::Loop *X,
                                    FunctionInfo &FI);

  // Stencils.cpp
  struct Read;
  void findStencils(FunctionInfo &FI);
  void stencilOfCalls(Access &A, llvm::ArrayRef<Read> Calls);

  // Callers.cpp
  void moveWithCallers(FunctionInfo &FI);
  void settleBlock(Access &A, FunctionInfo &FI);
  std::optional<Walk> walkOfCallers(const llvm::SCEV *S,
                                    const llvm::SCEV *Address,
                                    llvm::ArrayRef<llvm::Value *> Depends,
                                    uint64_t Bytes, FunctionInfo &FI,
                                    unsigned Depth, std::vector<Read> &Reads);
  std::optional<Walk> walkOfLibrary(const llvm::SCEV *S, uint64_t Bytes,
                                    FunctionInfo &FI);
  std::optional<Walk> walkAround(const llvm::CallBase &CB, const llvm::SCEV *S,
                                 const llvm::SCEV *Address,
                                 llvm::ArrayRef<llvm::Value *> Depends,
                                 uint64_t Bytes, FunctionInfo &FI,
                                 unsigned Depth, std::vector<Read> &Reads);

  // Collect.cpp
  void collect(FunctionInfo &FI);
  void noteExternal(llvm::CallBase &CB, FunctionInfo &FI);
  void noteOpaque(const llvm::CallBase &CB);
  bool isMovedByCalls(const llvm::Argument &A);
  bool isOneOfBlocks(const llvm::Value &Base);
  CountRef growthOfLines(const llvm::MemIntrinsic &I, FunctionInfo &FI,
                         const Times &T);
  CountRef blockLines(const Access &A, const llvm::MemIntrinsic &I,
                      FunctionInfo &FI, bool &Straddles);
  CountRef libraryCount(const LibraryAccess &L, llvm::CallBase &CB,
                        FunctionInfo &FI, const Times &T);
  void touch(const LocationSet &Where, bool Outside);
  bool mayLieBefore(const Access &A, FunctionInfo &FI);
  bool isTouched(llvm::Value *Maker) const;
  void resolve(Access &A);
  void nameRanges(Access &A, FunctionInfo &FI);

  // Calls.cpp
  /// Bodies that a team's tasks fork.
  llvm::SmallPtrSet<const llvm::Function *, 8> Nested;
  llvm::DenseMap<const llvm::Function *, std::vector<llvm::CallBase *>> CallsOf;
  /// Calls on the same thread, both ways.
  llvm::DenseMap<const llvm::Function *, llvm::SetVector<llvm::Function *>>
      Callees;
  bool isTeamOfOne(const llvm::CallBase &CB) const;
  void noteCalls();
  void noteNestedTeams();
  void reachFrom(llvm::Function &F, llvm::SetVector<llvm::Function *> &Out);
  void findRecursion();
  CountRef callsOfTask(const llvm::Function &F);
  Times callsOf(llvm::Function &F, llvm::Function &Root,
                const llvm::SetVector<llvm::Function *> &Reached,
                llvm::DenseMap<llvm::Function *, Times> &Memo);

  // RegionBodies.cpp
  struct RegionBody {
    CountRef Runs;      // how often a task of the region runs this function
    bool Alike = false; // another cannot be told from it
    /// Others come of the same code; calls of them hand over what they like.
    bool Copied = false;
    llvm::SmallPtrSet<llvm::Function *, 8> Alone; // none of the others runs
  };
  /// Of regions that are several functions.
  llvm::DenseMap<const llvm::Function *, RegionBody> RegionBodies;
  CountRef runsSymbol(llvm::Function &Body, const RegionInfo &RI,
                      const std::string &Which);
  void noteRegionBodies();
  bool isCountedIn(const RegionBody &Of, const CountRef &C) const;
  void onlyIn(const llvm::Function &Root, Times &T) const;

  // Nested.cpp
  CountRef aloneInTeam(const CountRef &C);
  CountRef forkedBy(const llvm::CallBase &CB, const Times &Forks,
                    const Times &T, llvm::Function &F);
  Times asPart(const Access &A, llvm::Function &F, const Times &Calls,
               const llvm::SetVector<llvm::Function *> &Reached);

  // Regions.cpp
  llvm::SmallPtrSet<const llvm::Function *, 32> InRegions; // reached from one
  void noteOutside();
  void region(llvm::Function &Root, const RegionInfo &RI);

  // Sites.cpp
  void findIndirectSites();
  /// Ranges (Ranges.h), each with the object, that accesses name.
  std::set<std::pair<unsigned, unsigned>> NamedRanges;
  uint64_t rangeId(unsigned K) const;
  CountRef rangeOffset(unsigned K, unsigned O, unsigned Depth = 0);
  void ranges(llvm::Value *Maker, SiteRow &Row);
  void sizeRanges(SiteRow &Row);
  void sites();

  // Pointers.cpp
  std::string objectName(unsigned Index);
  void pointers();

public:
  EkAccessResult R;
  bool WithPointers = false;
  Analyzer(llvm::Module &M, llvm::FunctionAnalysisManager &FAM)
      : M(M), FAM(FAM), Inv(recall(M)), Source(M),
        Obj(M, findCarvings(M, Source)) {}
  void run();
};

/// Threads and truth values are as many on every input.
bool isSameOnEveryInput(const llvm::Value *V);
/// The call that gives a thread its share of a statically scheduled loop.
bool isStaticInit(const llvm::CallBase &CB);
/// Whether no handler of the function that \p Call stands in goes on behind
/// what \p Call throws. A function left like that is as one whose calls throw
/// without a pad to land on: nothing is thrown, until something is.
bool leavesByUnwinding(const llvm::InvokeInst &Call);
/// A library's function called so throws where memory is at an end.
bool endsPrograms(llvm::StringRef Name);
/// Whether \p M has a handler that does not throw once more.
bool catchesThrows(const llvm::Module &M);
/// \p More is true of an access, too; else \p Why.
void join(Walk &All, const Walk &More, llvm::StringRef Why);

} // namespace evenkeel

#endif
