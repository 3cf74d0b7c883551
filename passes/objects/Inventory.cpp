//===- Inventory.cpp - sites, regions and sync points of a module ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: allocation functions (format/Allocators.h), the entry points of LLVM's
// OpenMP runtime, kmp.h's ident flags. Makes: ids by format/Identity.h, and the
// metadata that carries them. Leaves out: sites inside system headers; the
// access analysis names those by the user's line (kind "container").
//===----------------------------------------------------------------------===//
#include "objects/Inventory.h"
#include "format/Identity.h"
#include "format/WaitCalls.h"
#include "objects/Libraries.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <set>

using namespace llvm;

namespace evenkeel {

Function *calleeOf(const CallBase &CB) {
  return dyn_cast<Function>(
      CB.getCalledOperand()->stripPointerCastsAndAliases());
}

std::string qualifiedName(const Function &F) {
  std::string Mangled = F.getName().str();
  ItaniumPartialDemangler D;
  if (!StringRef(Mangled).starts_with("_Z") ||
      D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return Mangled;
  char *Text = D.getFunctionName(nullptr, nullptr);
  std::string Out;
  unsigned Depth = 0;
  for (const char *C = Text; C && *C; ++C) {
    Depth += *C == '<';
    if (!Depth)
      Out += *C;
    Depth -= *C == '>' && Depth;
  }
  std::free(Text);
  return Out;
}

/// Those that people name, in the environment.
static const AllocatorList &namedAllocators() {
  static const AllocatorList List = [] {
    AllocatorList L;
    if (const char *Text = std::getenv("EVENKEEL_ALLOCATORS"))
      if (std::string Wrong = readAllocators(Text, L); !Wrong.empty())
        report_fatal_error(Twine("EVENKEEL_ALLOCATORS: ") + Wrong,
                           /*gen_crash_diag=*/false);
    return L;
  }();
  return List;
}

static const Allocator *namedAllocator(const Function &F) {
  const AllocatorList &List = namedAllocators();
  if (List.empty() || F.isIntrinsic())
    return nullptr;
  auto It = List.find(qualifiedName(F));
  return It == List.end() ? nullptr : &It->second;
}

bool isNamedAllocator(const Function &F) { return namedAllocator(F); }

void keepNamedAllocators(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && isNamedAllocator(F)) {
      F.removeFnAttr(Attribute::AlwaysInline);
      F.addFnAttr(Attribute::NoInline);
    }
}

/// An external function whose declaration says that what it returns is new.
static std::optional<Allocation> declaredAllocation(const Function &F) {
  if (!F.getReturnType()->isPointerTy() || F.isIntrinsic() ||
      returnsNoData(std::string_view(F.getName())))
    return std::nullopt;
  Allocation A;
  A.Kind = qualifiedName(F);
  A.From = AllocatorOrigin::Chosen;
  bool Sized = F.hasFnAttribute(Attribute::AllocSize);
  if (Sized) {
    auto [Size, Count] =
        F.getFnAttribute(Attribute::AllocSize).getAllocSizeArgs();
    A.Size = static_cast<int>(Size);
    A.Count = Count ? static_cast<int>(*Count) : -1;
  }
  if (F.returnDoesNotAlias())
    return A;
  if (!Sized)
    return std::nullopt;
  // As realloc: the result may be the old block.
  for (const Argument &Arg : F.args())
    if (A.Old < 0 && Arg.getType()->isPointerTy())
      A.Old = static_cast<int>(Arg.getArgNo());
  return A;
}

std::optional<Allocation> allocationOf(const CallBase &CB, const Function &F) {
  if (const Allocator *Named = namedAllocator(F)) {
    Allocation A{qualifiedName(F), Named->From, Named->Size,
                 Named->Count,     Named->Out,  -1};
    int Last = std::max({A.Size, A.Count, A.Out});
    return Last < static_cast<int>(CB.arg_size()) ? std::make_optional(A)
                                                  : std::nullopt;
  }
  // _mm_malloc is inline in the compilers' header.
  if (!F.isDeclaration() && F.getName() != "_mm_malloc")
    return std::nullopt;
  StringRef N = F.getName();
  int First = 0;
  if (N.consume_front("ek_")) {
    First = N.consume_back("_at") ? 2 : 1;
    if (N == "mm_malloc")
      N = "_mm_malloc";
  }
  Allocation Out;
  if (N.starts_with("_Znw") || N.starts_with("_Zna")) {
    Out.Kind = N[3] == 'w' ? "new" : "new[]";
    Out.Size = First;
    return CB.arg_size() > 0 ? std::make_optional(Out) : std::nullopt;
  }
  const Allocator *A = findAllocator(std::string_view(N));
  if (!A)
    return First ? std::nullopt : declaredAllocation(F);
  Out.Kind = A->Name;
  Out.From = A->From;
  auto Shifted = [&](int Arg) { return Arg < 0 ? -1 : Arg + First; };
  Out.Size = Shifted(A->Size);
  Out.Count = Shifted(A->Count);
  Out.Out = Shifted(A->Out);
  Out.Old = Shifted(A->Old);
  // Own prototypes of old programs may say less.
  int Last = std::max({Out.Size, Out.Count, Out.Out, Out.Old});
  bool Fits = Last < static_cast<int>(CB.arg_size()) &&
              CB.getArgOperand(Out.Size)->getType()->isIntegerTy() &&
              (Out.Out >= 0 || CB.getType()->isPointerTy());
  return Fits ? std::make_optional(Out) : std::nullopt;
}

std::optional<Allocation> allocationOf(const CallBase &CB) {
  const Function *F = calleeOf(CB);
  return F ? allocationOf(CB, *F) : std::nullopt;
}

unsigned annotationArguments(const CallBase &CB) {
  Function *F = calleeOf(CB);
  if (!F || !F->getName().starts_with("ek_"))
    return 0;
  return F->getName().ends_with("_at") ? 2 : 1;
}

/// The id written in an annotated allocation; 0 when there is none. The tag of
/// `new (ek::site(ID)) T` is a temporary that its constructor fills.
static uint64_t literalId(const CallBase &CB) {
  auto Number = [](const Value *V) {
    auto *C = dyn_cast<ConstantInt>(V);
    return C ? C->getZExtValue() : 0;
  };
  if (annotationArguments(CB))
    return Number(CB.getArgOperand(0));
  StringRef Name = calleeOf(CB)->getName();
  size_t Tag = Name.find("N2ek4siteE");
  // Of a type with extended alignment, that comes before the tag.
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

bool isForkCall(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && (F->getName() == "__kmpc_fork_call" ||
               F->getName() == "__kmpc_fork_call_if");
}

unsigned firstCapture(const CallBase &CB) {
  return calleeOf(CB)->getName() == "__kmpc_fork_call_if" ? 4 : 3;
}

const Value *handedOver(const CallBase &CB, const Argument &A) {
  unsigned N = A.getArgNo();
  if (isForkCall(CB))
    N += firstCapture(CB) - 2;
  return N < CB.arg_size() ? CB.getArgOperand(N) : nullptr;
}

bool isTaskAlloc(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && (F->getName() == "__kmpc_omp_task_alloc" ||
               F->getName() == "__kmpc_omp_target_task_alloc");
}

Function *outlinedCallee(const CallBase &CB) {
  unsigned Arg = isForkCall(CB) ? 2 : isTaskAlloc(CB) ? 5 : ~0u;
  if (Arg >= CB.arg_size())
    return nullptr;
  return dyn_cast<Function>(
      CB.getArgOperand(Arg)->stripPointerCastsAndAliases());
}

/// Kind of the wait a runtime call stands for; empty: none.
static StringRef syncKind(const CallBase &CB) {
  Function *F = calleeOf(CB);
  if (!F || !F->getName().starts_with("__kmpc_"))
    return "";
  StringRef N = F->getName();
  if (N == "__kmpc_barrier" || N == "__kmpc_cancel_barrier") {
    // kmp.h: KMP_IDENT_BARRIER_EXPL 0x20, _IMPL_FOR 0x40, _SECTIONS 0xC0,
    // _SINGLE 0x140, _WORKSHARE 0x1C0.
    std::optional<Ident> I = identOf(CB);
    if (!I)
      return "barrier";
    switch (I->Flags & 0x1C0) {
    case 0x40:
      return "for";
    case 0xC0:
      return "sections";
    case 0x140:
      return "single";
    case 0x1C0:
      return "workshare";
    default:
      return "barrier";
    }
  }
  if (isForkCall(CB))
    return "parallel";
  return StringSwitch<StringRef>(N)
      .Cases("__kmpc_omp_taskwait", "__kmpc_omp_taskwait_deps_51",
             "__kmpc_omp_wait_deps", "taskwait")
      .Case("__kmpc_end_taskgroup", "taskgroup")
      .Case("__kmpc_copyprivate", "single")
      .Cases("__kmpc_cancel", "__kmpc_cancellationpoint", "cancel")
      .Default("");
}

/// The family of the wait that a call of a library is (format/WaitCalls.h).
static std::string_view waitFamilyOf(const CallBase &CB) {
  Function *F = calleeOf(CB);
  if (!F || F->isIntrinsic())
    return {};
  StringRef N = F->getName();
  if (!N.starts_with("_ZN"))
    return F->isDeclaration() ? waitFamily(std::string_view(N))
                              : std::string_view();
  ItaniumPartialDemangler D;
  std::string Mangled = N.str(); // which D refers to
  if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return {};
  auto Take = [](char *Text) {
    std::string S = Text ? Text : "";
    std::free(Text);
    return S;
  };
  std::string Class = Take(D.getFunctionDeclContextName(nullptr, nullptr));
  std::string Member = Take(D.getFunctionBaseName(nullptr, nullptr));
  StringRef C = Class;
  if (!C.consume_front("std::"))
    return {};
  return waitFamily(
      std::string_view(C.take_until([](char X) { return X == '<'; })),
      std::string_view(Member));
}

/// The id that a rewritten program has around such a call, or 0.
static uint64_t waitLiteral(const CallBase &CB) {
  auto Literal = [](const User *U, StringRef Name) -> uint64_t {
    auto *Hook = dyn_cast_or_null<CallBase>(U);
    Function *F = Hook ? calleeOf(*Hook) : nullptr;
    auto *Id = F && F->getName() == Name
                   ? dyn_cast<ConstantInt>(Hook->getArgOperand(0))
                   : nullptr;
    return Id ? Id->getZExtValue() : 0;
  };
  if (CB.hasOneUse())
    return Literal(CB.user_back(), "ek_after");
  auto *Invoke = dyn_cast<InvokeInst>(&CB);
  return Literal(Invoke ? &*Invoke->getNormalDest()->begin() : CB.getNextNode(),
                 "ek_sync");
}

static void sortEntries(std::vector<InventoryEntry> &Entries) {
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
  /// By id and coordinate: annotated code may repeat an id.
  std::map<std::pair<uint64_t, std::string>, InventoryEntry> ById;
  /// Ordinals come from !ek.id where the call kept it.
  bool Recalling;

  /// Entities of one key on different lines (two lambdas that begin alike) are
  /// equals too: key -> line -> how many lie on it.
  using KeyTuple =
      std::tuple<std::string, std::string, std::string, int, unsigned>;
  std::map<KeyTuple, std::map<unsigned, unsigned>> Equals;
  static KeyTuple keyTuple(StringRef Key, const Place &P) {
    return {Key.str(), P.Path, P.Function, P.LineOffset, P.Column};
  }
  std::optional<std::pair<StringRef, Place>> counted(const CallBase &CB) const;
  void countEquals(Function &F);

  /// Coordinates of parallel directives, combined ones among them.
  std::set<std::string> Forks;
  /// Coordinates of `cancel`, which leaves a team through a barrier of its own.
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

  uint64_t note(StringRef Key, StringRef Detail, const Place &P,
                unsigned Ordinal, uint64_t Literal = 0) {
    InventoryEntry E{Key.str(), Detail.str(), P, Ordinal, 0};
    E.Id = Literal ? Literal : idAt(Key, P, Ordinal);
    ById.try_emplace({E.Id, P.at()}, E);
    return E.Id;
  }

  static std::optional<unsigned> recalledOrdinal(const CallBase &CB) {
    if (MDNode *N = CB.getMetadata("ek.id"))
      return mdconst::extract<ConstantInt>(N->getOperand(0))->getZExtValue();
    return std::nullopt;
  }

  std::vector<SiteInfo> usersOf(Function &F) const;
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

/// Key and place of a call that makes a site or a region.
std::optional<std::pair<StringRef, Place>>
Builder::counted(const CallBase &CB) const {
  // What carries its id has no equals.
  if (allocationOf(CB)) {
    if (literalId(CB))
      return std::nullopt;
    return std::make_pair(StringRef("site"), Source.locate(CB.getDebugLoc()));
  }
  if (outlinedCallee(CB))
    return std::make_pair(StringRef("region"), Source.locateDirective(CB));
  if (std::string_view Family = waitFamilyOf(CB);
      !Family.empty() && !waitLiteral(CB))
    return std::make_pair(StringRef(Family), Source.locate(CB.getDebugLoc()));
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

/// The user's lines that grow a container through \p F, code of its library
/// that was not inlined; none where they are many.
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

void Builder::visitCalls(Function &F) {
  std::map<std::tuple<std::string, std::string, const DILocation *>, unsigned>
      Seen;
  // An inlined copy is no equal in the source: ordinals are counted at
  // PipelineStart and recalled later; at a link that is the first to see the
  // code, in each copy.
  auto ordinal = [&](const CallBase &CB, StringRef Key, const Place &P) {
    if (P.Included)
      return 0u;
    if (auto O = recalledOrdinal(CB))
      return *O;
    if (Recalling) {
      if (Seen[{Key.str(), P.at(), nullptr}]++)
        ++I.GiveUps["ordinal-lost"];
      return 0u;
    }
    const DebugLoc &D = CB.getDebugLoc();
    const DILocation *Copy = D ? D->getInlinedAt() : nullptr;
    unsigned Before = 0;
    for (auto &[Line, N] : Equals[keyTuple(Key, P)])
      if (Line < P.Line)
        Before += N;
    return Before + Seen[{Key.str(), P.at(), Copy}]++;
  };
  std::map<std::string, bool> Taskloops;
  for (Instruction &Inst : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&Inst))
      if (Function *C = calleeOf(*CB);
          C && C->getName().starts_with("__kmpc_taskloop"))
        Taskloops[Source.locateDirective(*CB).at()] = true;

  for (Instruction &Inst : instructions(F)) {
    if (auto *A = dyn_cast<AllocaInst>(&Inst))
      visitAlloca(*A);
    auto *CB = dyn_cast<CallBase>(&Inst);
    if (!CB)
      continue;
    if (std::optional<Allocation> A = allocationOf(*CB)) {
      Place P = Source.locate(CB->getDebugLoc());
      if (Recalling && P.System) {
        // A container's growth, seen once its code is inlined: named by the
        // user's line. It cannot be edited there, but it can be placed.
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
      S.Id = note("site", A->Kind, P, O, Literal);
      S.Kind = A->Kind;
      S.At = P.at();
      S.Function = P.Function;
      I.Contexts->find(Source, *CB, S);
      continue;
    }
    if (Recalling && growsContainer(*CB)) {
      // In code of the C++ library's that is compiled already.
      if (Place P = Source.locateUser(CB->getDebugLoc()); P.known())
        I.Sites[CB] = {idAt("site", P, 0), "container", P.at(),
                       P.Function,         0,           {}};
      continue;
    }
    unsigned RegionOrdinal = 0;
    if (Function *Body = outlinedCallee(*CB)) {
      Place P = Source.locateDirective(*CB);
      if (usable(P)) {
        StringRef Kind = isForkCall(*CB) ? "parallel" : "task";
        unsigned O = RegionOrdinal = ordinal(*CB, "region", P);
        I.Regions[Body] = {
            note("region", Kind, P, O), Kind.str(), P.at(), P.Function, 0, {}};
      }
    }
    if (std::string_view Family = waitFamilyOf(*CB); !Family.empty()) {
      Place P = Source.locate(CB->getDebugLoc());
      if (!usable(P))
        continue;
      uint64_t Literal = waitLiteral(*CB);
      bool InTeam = Family == "thread-barrier" || isOutlinedHelper(F);
      uint64_t Id =
          note("sync-" + std::string(Family), InTeam ? "team" : "serial", P,
               Literal ? 0 : ordinal(*CB, StringRef(Family), P), Literal);
      I.Syncs[CB] = {Id, std::string(Family), P.at(), P.Function, InTeam};
      continue;
    }
    if (StringRef Kind = syncKind(*CB); !Kind.empty()) {
      Place P = Source.locateDirective(*CB);
      if (!usable(P))
        continue;
      if (Kind == "for" && Cancels.count(P.at()))
        continue;
      if (Kind == "taskgroup" && Taskloops.count(P.at())) {
        Kind = "taskloop";
        if (Forks.count(P.at()))
          continue; // `parallel master taskloop` waits once, as its parallel
      }
      bool InTeam = Kind != "parallel" && isOutlinedHelper(F);
      std::string Key = ("sync-" + Kind).str();
      // Code generation may repeat a barrier; only joins have equals that are
      // different directives.
      unsigned O = Kind == "parallel" ? recalledOrdinal(*CB).value_or(0) : 0;
      if (Kind == "parallel" && !Recalling)
        O = RegionOrdinal;
      uint64_t Id = note(Key, InTeam ? "team" : "serial", P, O);
      I.Syncs[CB] = {Id, Kind.str(), P.at(), P.Function, InTeam};
    }
  }
}

void Builder::visitGlobal(GlobalVariable &G) {
  if (G.isDeclaration() || G.isConstant() || !G.getValueType()->isSized() ||
      M.getDataLayout().getTypeAllocSize(G.getValueType()) < SmallestGlobal)
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
  uint64_t Id = note(("global:" + D->getName()).str(), Kind, P, 0);
  I.Globals[&G] = {Id, Kind, P.at(), P.Function, 0, {}};
}

/// The variable that \p A is; null: none that is spelled.
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

/// Arrays on the stack that are large, or that only the run knows to be: of
/// variable length, or from alloca().
void Builder::visitAlloca(AllocaInst &A) {
  const DataLayout &DL = M.getDataLayout();
  bool Fixed = isa<ConstantInt>(A.getArraySize());
  if (Fixed) {
    std::optional<TypeSize> Size = A.getAllocationSize(DL);
    if (!A.getAllocatedType()->isAggregateType() || !Size ||
        Size->getKnownMinValue() < SmallestGlobal)
      return;
  }
  const DILocalVariable *V = variableOf(A);
  if (Fixed && (!V || !V->getLine())) { // the compiler's own
    if (isOutlinedHelper(*A.getFunction()))
      skip("private-copy"); // that a clause makes of a variable
    return;
  }
  if (!V && !A.getAllocatedType()->isIntegerTy(8))
    return;
  Place P = V ? Source.locateVariable(V) : Source.locate(A.getDebugLoc());
  if (!usable(P))
    return;
  std::string Kind = V ? "stack" : "alloca";
  uint64_t Id = V ? note(("stack:" + V->getName()).str(), Kind, P, 0)
                  : note("site", Kind, P, 0);
  I.Stacks[&A] = {Id, Kind, P.at(), P.Function, 0, {}};
}

Inventory Builder::run() {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I)) {
        if (isForkCall(*CB))
          Forks.insert(Source.locateDirective(*CB).at());
        else if (syncKind(*CB) == "cancel")
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
      // The serial part has no coordinate of its own: offset and column 0.
      Place P = Source.locateFunction(Main->getSubprogram());
      P.LineOffset = 0;
      if (usable(P))
        I.Regions[Main] = {note("region", "serial", P, 0),
                           "serial",
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

bool isSite(const InventoryEntry &E) {
  StringRef Key = E.Key;
  return Key == "site" || Key.starts_with("global:") ||
         Key.starts_with("stack:");
}

/// Metadata form of an entry; strings and numbers only, so that it merges and
/// survives linking.
static MDNode *toMetadata(LLVMContext &C, const InventoryEntry &E) {
  auto Text = [&](StringRef S) { return MDString::get(C, S); };
  return MDNode::get(
      C,
      {Text(E.Key), Text(E.Detail), Text(E.Where.Path), Text(E.Where.Function),
       Text(std::to_string(E.Where.Line)), Text(std::to_string(E.Where.Column)),
       Text(std::to_string(E.Where.LineOffset)),
       Text(std::to_string(E.Ordinal)), Text(idToString(E.Id))});
}

static std::optional<InventoryEntry> fromMetadata(const MDNode &N) {
  if (N.getNumOperands() != 9)
    return std::nullopt;
  auto Text = [&](unsigned K) {
    auto *S = dyn_cast_or_null<MDString>(N.getOperand(K));
    return S ? S->getString() : StringRef();
  };
  InventoryEntry E;
  E.Key = Text(0).str();
  E.Detail = Text(1).str();
  E.Where.Path = Text(2).str();
  E.Where.Function = Text(3).str();
  if (Text(4).getAsInteger(10, E.Where.Line) ||
      Text(5).getAsInteger(10, E.Where.Column) ||
      Text(6).getAsInteger(10, E.Where.LineOffset) ||
      Text(7).getAsInteger(10, E.Ordinal))
    return std::nullopt;
  E.Id = idFromString(Text(8).str());
  return E;
}

void annotate(Module &M, const Inventory &I) {
  LLVMContext &C = M.getContext();
  std::map<uint64_t, unsigned> Ordinal;
  for (const InventoryEntry &E : I.Entries)
    Ordinal[E.Id] = E.Ordinal;
  auto Tag = [&](CallBase *CB, uint64_t Id) {
    CB->setMetadata("ek.id",
                    MDNode::get(C, ConstantAsMetadata::get(ConstantInt::get(
                                       Type::getInt32Ty(C), Ordinal[Id]))));
  };
  for (auto &[CB, S] : I.Sites)
    Tag(CB, S.Id);
  for (auto &[CB, S] : I.Syncs)
    Tag(CB, S.Id);
  for (auto &[F, R] : I.Regions)
    for (User *U : F->users())
      if (auto *CB = dyn_cast<CallBase>(U); CB && outlinedCallee(*CB) == F)
        Tag(CB, R.Id);
  NamedMDNode *N = M.getOrInsertNamedMetadata("ek.inventory");
  for (const InventoryEntry &E : I.Entries)
    N->addOperand(toMetadata(C, E));
  for (auto &[Why, Number] : I.GiveUps)
    noteGiveUp(M, Why, Number);
}

void noteGiveUp(Module &M, StringRef Why, uint64_t Number) {
  LLVMContext &C = M.getContext();
  M.getOrInsertNamedMetadata("ek.giveups")
      ->addOperand(MDNode::get(C, {MDString::get(C, Why),
                                   MDString::get(C, std::to_string(Number))}));
}

void noteUnlinked(Module &Program, Module &Unit) {
  NamedMDNode *N = Program.getOrInsertNamedMetadata("ek.unlinked");
  for (const InventoryEntry &E : takeInventory(Unit).Entries)
    if (isSite(E))
      N->addOperand(toMetadata(Program.getContext(), E));
}

Inventory recall(Module &M) {
  NamedMDNode *N = M.getNamedMetadata("ek.inventory");
  Inventory I = takeInventory(M);
  if (!N)
    return I;
  // Entries and give-ups are those of the source, not of what is left of it.
  std::map<std::pair<uint64_t, std::string>, InventoryEntry> ById;
  for (MDNode *Node : N->operands())
    if (auto E = fromMetadata(*Node))
      ById.try_emplace({E->Id, E->Where.at()}, *E);
  I.Entries.clear();
  for (auto &[Id, E] : ById)
    I.Entries.push_back(E);
  sortEntries(I.Entries);
  uint64_t Lost = I.GiveUps["ordinal-lost"];
  I.GiveUps.clear();
  if (Lost)
    I.GiveUps["ordinal-lost"] = Lost;
  if (NamedMDNode *U = M.getNamedMetadata("ek.unlinked"))
    for (MDNode *Node : U->operands())
      if (auto E = fromMetadata(*Node))
        I.Unlinked.push_back(*E);
  if (NamedMDNode *G = M.getNamedMetadata("ek.giveups"))
    for (MDNode *Node : G->operands())
      if (Node->getNumOperands() == 2) {
        uint64_t Number = 0;
        cast<MDString>(Node->getOperand(1))
            ->getString()
            .getAsInteger(10, Number);
        I.GiveUps[cast<MDString>(Node->getOperand(0))->getString().str()] +=
            Number;
      }
  return I;
}

PreservedAnalyses InventoryPass::run(Module &M, ModuleAnalysisManager &) {
  if (M.getNamedMetadata("ek.inventory"))
    return PreservedAnalyses::all();
  Inventory I = takeInventory(M);
  SourceMap(M).remember();
  noteWrappers(M);
  annotate(M, I);
  return PreservedAnalyses::all();
}

PreservedAnalyses InventoryPrinter::run(Module &M, ModuleAnalysisManager &) {
  Inventory I = recall(M);
  for (const InventoryEntry &E : I.Entries)
    OS << E.Key << ' ' << E.Detail << ' ' << E.Where.at() << " in "
       << E.Where.Function << " id=" << idToString(E.Id) << '\n';
  for (auto &[Why, Number] : I.GiveUps)
    OS << "skipped " << Why << ' ' << Number << '\n';
  return PreservedAnalyses::all();
}

} // namespace evenkeel
