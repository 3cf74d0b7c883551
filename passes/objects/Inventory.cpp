//===- Inventory.cpp - sites, regions and sync points of a module ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: allocation functions (format/Allocators.h), the entry points of LLVM's
// OpenMP runtime, kmp.h's ident flags. Makes: ids by format/Identity.h, and the
// metadata that carries them. Not here: sites inside system headers; the access
// analysis names them by the user's line (kind "container").
//===----------------------------------------------------------------------===//
#include "objects/Inventory.h"
#include "format/Identity.h"
#include "format/ek_sizes.h"
#include "objects/Libraries.h"
#include "objects/Waits.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <set>

using namespace llvm;

namespace evenkeel {

/// The id written in an annotated allocation; 0: none. The tag of `new
/// (ek::site(ID)) T` is a temporary that its constructor fills.
static uint64_t literalId(const CallBase &CB) {
  auto Number = [](const Value *V) {
    auto *C = dyn_cast<ConstantInt>(V);
    return C ? C->getZExtValue() : 0;
  };
  if (annotationArguments(CB))
    return Number(CB.getArgOperand(0));
  StringRef Name = calleeOf(CB)->getName();
  size_t Tag = Name.find("N2ek4siteE");
  // If the type has extended alignment, the alignment argument precedes the
  // tag.
  unsigned At = Name.find("St11align_val_t") < Tag ? 2 : 1;
  if (Tag == StringRef::npos || CB.arg_size() <= At)
    return 0;
  auto *L = dyn_cast<LoadInst>(CB.getArgOperand(At));
  if (!L)
    return Number(CB.getArgOperand(At));
  for (const User *U : L->getPointerOperand()->stripInBoundsOffsets()->users())
    if (auto *Make = dyn_cast<CallBase>(U))
      if (Function *F = calleeOf(*Make);
          F && F->getName().starts_with("_ZN2ek4siteC") && Make->arg_size() > 1)
        return Number(Make->getArgOperand(1));
  return 0;
}

void sortEntries(std::vector<InventoryEntry> &Entries) {
  llvm::sort(Entries, [](const InventoryEntry &A, const InventoryEntry &B) {
    return std::tie(A.Where.Path, A.Where.Line, A.Where.Column, A.Key,
                    A.Ordinal, A.Id) < std::tie(B.Where.Path, B.Where.Line,
                                                B.Where.Column, B.Key,
                                                B.Ordinal, B.Id);
  });
}

namespace {
class Builder {
  Module &M;
  SourceMap Source;
  Inventory I;
  /// By id and coordinate, because annotated code may repeat an id.
  std::map<std::pair<uint64_t, std::string>, InventoryEntry> ById;
  /// Take ordinals from !ek.id if the call kept it.
  bool Recalling;

  /// Entities with the same key on different lines (two lambdas that begin
  /// alike) also need ordinals: key -> line -> number of entities on it.
  using KeyTuple =
      std::tuple<std::string, std::string, std::string, int, unsigned>;
  std::map<KeyTuple, std::map<unsigned, unsigned>> Equals;
  static KeyTuple keyTuple(StringRef Key, const Place &P) {
    return {Key.str(), P.Path, P.Function, P.LineOffset, P.Column};
  }
  std::optional<std::pair<StringRef, Place>> counted(const CallBase &CB) const;
  void countEquals(Function &F);

  /// Coordinates of parallel directives, including combined ones.
  std::set<std::string> Forks;
  /// Coordinates of `cancel`, where threads leave a team through a separate
  /// barrier.
  std::set<std::string> Cancels;

  void skip(StringRef Why) { ++I.GiveUps[Why.str()]; }

  bool usable(const Place &P) {
    if (!P.known()) {
      skip("no-debug-location");
      return false;
    }
    if (P.System) {
      skip("system-header");
      return false;
    }
    return true;
  }

  /// The id of \p E, whose place is \p P. \p Literal: the id that the source
  /// gives it; 0: none.
  uint64_t note(InventoryEntry E, const Place &P, unsigned Ordinal,
                uint64_t Literal = 0) {
    E.Where = P;
    E.Ordinal = Ordinal;
    E.Id = Literal ? Literal : idAt(E.Key, P, Ordinal);
    ById.try_emplace({E.Id, P.at()}, E);
    return E.Id;
  }
  uint64_t noteSite(StringRef Key, StringRef Kind, const Place &P,
                    unsigned Ordinal = 0, uint64_t Literal = 0) {
    InventoryEntry E;
    E.Key = Key.str();
    E.Detail = Kind.str();
    return note(std::move(E), P, Ordinal, Literal);
  }
  uint64_t noteRegion(RegionKind Kind, const Place &P, unsigned Ordinal) {
    InventoryEntry E;
    E.Class = InventoryEntry::Group::Region;
    E.Key = RegionKey;
    E.Detail = regionKindName(Kind);
    return note(std::move(E), P, Ordinal);
  }
  SyncInfo noteSync(SyncKind Kind, bool Team, const Place &P, unsigned Ordinal,
                    uint64_t Literal = 0) {
    InventoryEntry E;
    E.Class = InventoryEntry::Group::Sync;
    E.Key = syncKey(Kind);
    E.Detail = detailOfSync(Team);
    E.Wait = Kind;
    E.Team = Team;
    const uint64_t Id = note(std::move(E), P, Ordinal, Literal);
    return {Id, Kind, P.at(), P.Function, Team};
  }

  static std::optional<unsigned> recalledOrdinal(const CallBase &CB) {
    if (MDNode *N = CB.getMetadata("ek.id"))
      return mdconst::extract<ConstantInt>(N->getOperand(0))->getZExtValue();
    return std::nullopt;
  }

  std::vector<SiteInfo> usersOf(Function &F) const;
  using SeenPlaces =
      std::map<std::tuple<std::string, std::string, const DILocation *>,
               unsigned>;
  unsigned ordinalOf(const CallBase &CB, StringRef Key, const Place &P,
                     SeenPlaces &Seen);
  void visitCalls(Function &F);
  void visitGlobal(GlobalVariable &G);
  void visitAlloca(AllocaInst &A);

public:
  explicit Builder(Module &M)
      : M(M), Source(M), Recalling(M.getNamedMetadata("ek.inventory")) {
    I.Contexts = std::make_shared<ContextFinder>(M, Source);
  }
  Inventory run();
};
} // namespace

/// Key and place of a call that creates a site or starts a region.
std::optional<std::pair<StringRef, Place>>
Builder::counted(const CallBase &CB) const {
  // A call that carries its id needs no ordinal.
  if (allocationOf(CB)) {
    if (literalId(CB))
      return std::nullopt;
    return std::make_pair(StringRef("site"), Source.locate(CB.getDebugLoc()));
  }
  if (outlinedCallee(CB))
    return std::make_pair(StringRef(RegionKey), Source.locateDirective(CB));
  if (std::optional<SyncKind> Wait = libraryWaitOf(CB);
      Wait && !waitLiteral(CB))
    return std::make_pair(StringRef(syncKindName(*Wait)),
                          Source.locate(CB.getDebugLoc()));
  return std::nullopt;
}

void Builder::countEquals(Function &F) {
  std::map<std::pair<KeyTuple, unsigned>, unsigned> Here;
  for (Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I))
      if (auto E = counted(*CB);
          E && E->second.known() && !E->second.Included) {
        KeyTuple K = keyTuple(E->first, E->second);
        unsigned N = ++Here[{K, E->second.Line}];
        // Copies of one place in several functions (templates, constructors)
        // are one entity.
        unsigned &Most = Equals[K][E->second.Line];
        Most = std::max(Most, N);
      }
}

/// The user's lines that grow a container through \p F, library code that was
/// not inlined; empty if there are too many.
std::vector<SiteInfo> Builder::usersOf(Function &F) const {
  constexpr size_t MostFunctions = 32, MostUsers = 8;
  std::map<std::string, SiteInfo> Found; // by coordinate
  SetVector<Function *> Work;
  Work.insert(&F);
  for (size_t K = 0; K < Work.size() && K < MostFunctions; ++K)
    for (User *U : Work[K]->users()) {
      auto *CB = dyn_cast<CallBase>(U);
      if (!CB)
        continue;
      if (Place P = Source.locateUser(CB->getDebugLoc()); P.known())
        Found.try_emplace(
            P.at(),
            SiteInfo{
                idAt("site", P, 0), "container", P.at(), P.Function, 0, {}});
      else
        Work.insert(CB->getFunction());
    }
  std::vector<SiteInfo> Out;
  if (Work.size() <= MostFunctions && Found.size() <= MostUsers)
    for (auto &[At, S] : Found)
      Out.push_back(S);
  return Out;
}

/// An inlined copy is not another entity of the source. So ordinals are counted
/// at PipelineStart and recalled later; if a link is the first to see the code,
/// they are counted in each copy. \p Seen: the number of entities seen so far
/// in the function.
unsigned Builder::ordinalOf(const CallBase &CB, StringRef Key, const Place &P,
                            SeenPlaces &Seen) {
  if (P.Included)
    return 0;
  if (auto O = recalledOrdinal(CB))
    return *O;
  if (Recalling) {
    if (Seen[{Key.str(), P.at(), nullptr}]++)
      ++I.GiveUps["ordinal-lost"];
    return 0;
  }
  const DebugLoc &D = CB.getDebugLoc();
  const DILocation *Copy = D ? D->getInlinedAt() : nullptr;
  unsigned Before = 0;
  for (auto &[Line, N] : Equals[keyTuple(Key, P)])
    if (Line < P.Line)
      Before += N;
  return Before + Seen[{Key.str(), P.at(), Copy}]++;
}

static std::set<std::string> placesOfTaskloops(Function &F,
                                               const SourceMap &Source) {
  std::set<std::string> Out;
  for (Instruction &Inst : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&Inst))
      if (Function *C = calleeOf(*CB);
          C && C->getName().starts_with("__kmpc_taskloop"))
        Out.insert(Source.locateDirective(*CB).at());
  return Out;
}

void Builder::visitCalls(Function &F) {
  SeenPlaces Seen;
  auto ordinal = [&](const CallBase &CB, StringRef Key, const Place &P) {
    return ordinalOf(CB, Key, P, Seen);
  };
  const std::set<std::string> Taskloops = placesOfTaskloops(F, Source);
  for (Instruction &Inst : instructions(F)) {
    if (auto *A = dyn_cast<AllocaInst>(&Inst))
      visitAlloca(*A);
    auto *CB = dyn_cast<CallBase>(&Inst);
    if (!CB)
      continue;
    if (std::optional<Allocation> A = allocationOf(*CB)) {
      Place P = Source.locate(CB->getDebugLoc());
      if (Recalling && P.System) {
        // A container's growth, visible after inlining, has the user's line:
        // the object can be placed, though no id can be inserted there.
        P = Source.locateUser(CB->getDebugLoc());
        if (P.known()) {
          uint64_t Id = idAt("site", P, 0);
          I.Sites[CB] = {Id, "container", P.at(), P.Function, 0, {}};
          continue;
        }
        if (std::vector<SiteInfo> Users = usersOf(F); !Users.empty()) {
          SiteInfo &S = I.Sites[CB] = Users.front();
          S.Others.assign(Users.begin() + 1, Users.end());
          continue;
        }
        P = Source.locate(CB->getDebugLoc());
      }
      if (!usable(P))
        continue;
      uint64_t Literal = literalId(*CB);
      unsigned O = Literal ? 0 : ordinal(*CB, "site", P);
      SiteInfo &S = I.Sites[CB];
      S.Id = noteSite("site", A->Kind, P, O, Literal);
      S.Kind = A->Kind;
      S.At = P.at();
      S.Function = P.Function;
      I.Contexts->find(Source, *CB, S);
      continue;
    }
    if (Recalling && growsContainer(*CB)) {
      // A call into precompiled code of the C++ library.
      if (Place P = Source.locateUser(CB->getDebugLoc()); P.known())
        I.Sites[CB] = {idAt("site", P, 0), "container", P.at(),
                       P.Function,         0,           {}};
      continue;
    }
    unsigned RegionOrdinal = 0;
    if (Function *Body = outlinedCallee(*CB)) {
      Place P = Source.locateDirective(*CB);
      if (usable(P)) {
        const auto Kind =
            isForkCall(*CB) ? RegionKind::Parallel : RegionKind::Task;
        RegionOrdinal = ordinal(*CB, RegionKey, P);
        const uint64_t Id = noteRegion(Kind, P, RegionOrdinal);
        I.Regions[Body] = {Id, Kind, P.at(), P.Function, 0, {}};
      }
    }
    if (std::optional<SyncKind> Wait = libraryWaitOf(*CB)) {
      Place P = Source.locate(CB->getDebugLoc());
      if (!usable(P))
        continue;
      uint64_t Literal = waitLiteral(*CB);
      bool InTeam = Wait == SyncKind::ThreadBarrier || isOutlinedHelper(F);
      unsigned O = Literal ? 0 : ordinal(*CB, syncKindName(*Wait), P);
      I.Syncs[CB] = noteSync(*Wait, InTeam, P, O, Literal);
      continue;
    }
    if (std::optional<SyncKind> Kind = openMPWaitOf(*CB)) {
      Place P = Source.locateDirective(*CB);
      if (!usable(P))
        continue;
      if (Kind == SyncKind::For && Cancels.count(P.at()))
        continue;
      if (Kind == SyncKind::Taskgroup && Taskloops.count(P.at())) {
        Kind = SyncKind::Taskloop;
        if (Forks.count(P.at()))
          continue; // `parallel master taskloop` waits once, as its parallel
      }
      bool InTeam = Kind != SyncKind::Parallel && isOutlinedHelper(F);
      // Code generation may repeat a barrier; only joins in one place can
      // belong to different directives.
      unsigned O =
          Kind == SyncKind::Parallel ? recalledOrdinal(*CB).value_or(0) : 0;
      if (Kind == SyncKind::Parallel && !Recalling)
        O = RegionOrdinal;
      I.Syncs[CB] = noteSync(*Kind, InTeam, P, O);
    }
  }
}

void Builder::visitGlobal(GlobalVariable &G) {
  if (G.isDeclaration() || G.isConstant() || !G.getValueType()->isSized() ||
      M.getDataLayout().getTypeAllocSize(G.getValueType()) < EK_LARGE_BYTES)
    return;
  SmallVector<DIGlobalVariableExpression *, 1> Infos;
  G.getDebugInfo(Infos);
  if (Infos.empty()) {
    skip("no-debug-location");
    return;
  }
  const DIGlobalVariable *D = Infos[0]->getVariable();
  Place P = Source.locateGlobal(D);
  if (!usable(P))
    return;
  bool Local = P.Function != "file" || D->isLocalToUnit();
  std::string Kind = Local ? "static" : "global";
  uint64_t Id = noteSite(("global:" + D->getName()).str(), Kind, P);
  I.Globals[&G] = {Id, Kind, P.at(), P.Function, 0, {}};
}

/// The source variable that \p A holds; null: none.
static const DILocalVariable *variableOf(AllocaInst &A) {
  auto Spelled = [](const DILocalVariable *V) {
    return !V->getName().empty() && V->getName()[0] != '.';
  };
  for (DbgVariableRecord *D : findDVRDeclares(&A))
    if (Spelled(D->getVariable()))
      return D->getVariable();
  for (DbgVariableRecord *D : at::getDVRAssignmentMarkers(&A))
    if (Spelled(D->getVariable()))
      return D->getVariable();
  return nullptr;
}

/// Adds arrays on the stack that are large or whose size is known only at run
/// time: variable-length arrays and alloca().
void Builder::visitAlloca(AllocaInst &A) {
  const DataLayout &DL = M.getDataLayout();
  bool Fixed = isa<ConstantInt>(A.getArraySize());
  if (Fixed) {
    std::optional<TypeSize> Size = A.getAllocationSize(DL);
    if (!A.getAllocatedType()->isAggregateType() || !Size ||
        Size->getKnownMinValue() < EK_LARGE_BYTES)
      return;
  }
  const DILocalVariable *V = variableOf(A);
  if (Fixed && (!V || !V->getLine())) { // made by the compiler
    if (isOutlinedHelper(*A.getFunction()))
      skip("private-copy"); // a private copy made by an OpenMP clause
    return;
  }
  if (!V && !A.getAllocatedType()->isIntegerTy(8))
    return;
  Place P = V ? Source.locateVariable(V) : Source.locate(A.getDebugLoc());
  if (!usable(P))
    return;
  std::string Kind = V ? "stack" : "alloca";
  uint64_t Id = V ? noteSite(("stack:" + V->getName()).str(), Kind, P)
                  : noteSite("site", Kind, P);
  I.Stacks[&A] = {Id, Kind, P.at(), P.Function, 0, {}};
}

Inventory Builder::run() {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I)) {
        if (isForkCall(*CB))
          Forks.insert(Source.locateDirective(*CB).at());
        else if (openMPWaitOf(*CB) == SyncKind::Cancel)
          Cancels.insert(Source.locateDirective(*CB).at());
      }
  for (Function &F : M)
    if (!F.isDeclaration() && !Recalling)
      countEquals(F);
  for (Function &F : M)
    if (!F.isDeclaration())
      visitCalls(F);
  for (GlobalVariable &G : M.globals())
    visitGlobal(G);
  if (Function *Main = M.getFunction("main"))
    if (Main->getSubprogram() && !Main->isDeclaration()) {
      // The serial part has no coordinate of its own; it gets offset and column
      // 0.
      Place P = Source.locateFunction(Main->getSubprogram());
      P.LineOffset = 0;
      if (usable(P))
        I.Regions[Main] = {noteRegion(RegionKind::Serial, P, 0),
                           RegionKind::Serial,
                           P.at(),
                           P.Function,
                           0,
                           {}};
    }
  for (auto &[Id, E] : ById)
    I.Entries.push_back(E);
  sortEntries(I.Entries);
  return std::move(I);
}

bool addIndirectSite(Inventory &I, const SourceMap &Source, CallBase &CB,
                     ArrayRef<const Function *> Callees) {
  Place P = Source.locateUser(CB.getDebugLoc());
  if (!P.known())
    return false;
  SiteInfo &S = I.Sites[&CB];
  S.Id = idAt("site", P);
  S.Kind = "indirect";
  if (Callees.size() == 1)
    if (std::optional<Allocation> A = allocationOf(CB, *Callees[0]))
      S.Kind = A->Kind;
  S.At = P.at();
  S.Function = P.Function;
  I.Contexts->find(Source, CB, S);
  return true;
}

Inventory takeInventory(Module &M) { return Builder(M).run(); }

} // namespace evenkeel
