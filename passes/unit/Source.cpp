//===- Source.cpp - from debug locations to source coordinates ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how Clang 19 names outlined helpers and writes ident_t strings.
// Makes: Places. Named metadata !ek.outer keeps helper -> function for later
// passes.
// Not here: macro definitions; debug locations are those of the expansion.
//===----------------------------------------------------------------------===//
#include "unit/Source.h"
#include "format/Identity.h"
#include "format/ProjectFiles.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;

namespace evenkeel {

std::string Place::at() const {
  return Path + ":" + std::to_string(Line) + ":" + std::to_string(Column);
}

uint64_t idAt(StringRef Kind, const Place &P, unsigned Ordinal) {
  EntityKey K;
  K.Kind = Kind.str();
  K.Path = P.Path;
  K.Function = P.LineOffset == static_cast<int>(P.Line) ? "file" : P.Function;
  K.LineOffset = P.LineOffset;
  K.Column = P.Column;
  K.Ordinal = Ordinal;
  return entityId(K);
}

static bool isHelperName(StringRef N) {
  return N.contains(".omp_outlined") || N.starts_with(".omp") ||
         N.contains("_omp$reduction") || N.contains(".omp.");
}

bool isOutlinedHelper(const Function &F) { return isHelperName(F.getName()); }

std::optional<Ident> identOf(const CallBase &CB) {
  if (CB.arg_size() == 0)
    return std::nullopt;
  auto *G = dyn_cast<GlobalVariable>(CB.getArgOperand(0)->stripPointerCasts());
  if (!G || !G->hasInitializer())
    return std::nullopt;
  auto *S = dyn_cast<ConstantStruct>(G->getInitializer());
  if (!S || S->getNumOperands() != 5)
    return std::nullopt;
  auto *Flags = dyn_cast<ConstantInt>(S->getOperand(1));
  auto *Text = dyn_cast<GlobalVariable>(S->getOperand(4)->stripPointerCasts());
  if (!Flags || !Text || !Text->hasInitializer())
    return std::nullopt;
  auto *Chars = dyn_cast<ConstantDataSequential>(Text->getInitializer());
  if (!Chars || !Chars->isCString())
    return std::nullopt;
  // ";file;function;line;col;;": a file name may contain semicolons, so count
  // from the end.
  SmallVector<StringRef, 8> Parts;
  Chars->getAsCString().split(Parts, ';');
  Ident I;
  I.Flags = Flags->getZExtValue();
  if (Parts.size() >= 7) {
    size_t N = Parts.size();
    Parts[N - 4].getAsInteger(10, I.Line);
    Parts[N - 3].getAsInteger(10, I.Column);
    if (I.Line) {
      std::vector<std::string> File;
      for (size_t K = 1; K + 5 < N; ++K)
        I.File += (K > 1 ? ";" : "") + Parts[K].str();
    }
  }
  return I;
}

std::string realPath(StringRef Directory, StringRef File) {
  SmallString<256> Full(File);
  if (!sys::path::is_absolute(Full)) {
    Full = Directory;
    sys::path::append(Full, File);
    (void)sys::fs::make_absolute(Full);
  }
  SmallString<256> Real;
  if (!sys::fs::real_path(Full, Real))
    return std::string(Real);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  // The file does not exist here (#line, extracted bitcode), but its folder may
  // be reachable through links.
  if (!sys::fs::real_path(sys::path::parent_path(Full), Real)) {
    sys::path::append(Real, sys::path::filename(Full));
    return std::string(Real);
  }
  return std::string(Full);
}

void SourceMap::findRoots() {
  if (const char *R = std::getenv("EVENKEEL_ROOT"); R && *R) {
    SmallString<256> Current;
    (void)sys::fs::current_path(Current);
    Roots = {realPath(Current, R)};
    Named = true;
    return;
  }
  if (NamedMDNode *N = M.getNamedMetadata("ek.root")) {
    for (MDNode *Of : N->operands()) {
      const StringRef Root = cast<MDString>(Of->getOperand(0))->getString();
      auto It = llvm::find(Roots, Root);
      RootOf[dyn_cast_or_null<DICompileUnit>(Of->getOperand(1))] =
          It - Roots.begin();
      if (It == Roots.end())
        Roots.push_back(Root.str());
    }
    for (DICompileUnit *CU : M.debug_compile_units())
      for (DIGlobalVariableExpression *G : CU->getGlobalVariables())
        UnitOf.try_emplace(G->getVariable(), CU);
    return;
  }
  if (const char *R = std::getenv("EVENKEEL_UNIT_ROOT"); R && *R) {
    Roots = {realPath("", R)};
    return;
  }
  std::string Root;
  for (DICompileUnit *CU : M.debug_compile_units()) {
    std::string Dir(sys::path::parent_path(
        realPath(CU->getDirectory(), CU->getFilename())));
    if (Root.empty()) {
      Root = Dir;
      continue;
    }
    while (!(Dir == Root || StringRef(Dir).starts_with(Root + "/")) &&
           Root.size() > 1)
      Root = std::string(sys::path::parent_path(Root));
  }
  Roots = {Root};
}

SourceMap::SourceMap(Module &M) : M(M) {
  findRoots();
  if (NamedMDNode *N = M.getNamedMetadata("ek.outer"))
    for (MDNode *P : N->operands())
      if (P->getNumOperands() == 2)
        Outer[dyn_cast_or_null<DISubprogram>(P->getOperand(0))] =
            dyn_cast_or_null<DISubprogram>(P->getOperand(1));
  // A helper belongs to the function that uses it. Trust the call's debug
  // location more, because that function may have been inlined.
  for (Function &F : M) {
    const DISubprogram *SP = F.getSubprogram();
    if (!SP || !isOutlinedHelper(F) || Outer.count(SP))
      continue;
    for (User *U : F.users())
      if (auto *I = dyn_cast<Instruction>(U)) {
        const DISubprogram *Parent =
            I->getDebugLoc() ? I->getDebugLoc()->getScope()->getSubprogram()
                             : I->getFunction()->getSubprogram();
        if (Parent && Parent != SP) {
          Outer[SP] = Parent;
          break;
        }
      }
  }
  // In a module that was optimised before (an LTO link), removed helpers belong
  // to the function into which they were inlined.
  if (M.getNamedMetadata("ek.outer"))
    return;
  for (Function &F : M)
    if (isOutlinedHelper(F))
      for (Instruction &I : instructions(F))
        for (const DILocation *L = I.getDebugLoc(); L && L->getInlinedAt();
             L = L->getInlinedAt()) {
          const DISubprogram *SP = L->getScope()->getSubprogram();
          if (isHelperName(SP->getName()) || isHelperName(SP->getLinkageName()))
            Outer.try_emplace(SP,
                              L->getInlinedAt()->getScope()->getSubprogram());
        }
}

void SourceMap::setRoot(Module &M, DICompileUnit &Unit, StringRef Root) {
  LLVMContext &C = M.getContext();
  M.getOrInsertNamedMetadata("ek.root")->addOperand(
      MDNode::get(C, {MDString::get(C, Root), &Unit}));
}

void SourceMap::remember() {
  if (M.getNamedMetadata("ek.outer"))
    return;
  NamedMDNode *N = M.getOrInsertNamedMetadata("ek.outer");
  for (auto &[Helper, Host] : Outer)
    N->addOperand(
        MDNode::get(M.getContext(), {const_cast<DISubprogram *>(Helper),
                                     const_cast<DISubprogram *>(Host)}));
}

std::pair<std::string, bool> SourceMap::relative(StringRef Directory,
                                                 StringRef File,
                                                 unsigned InRoot) const {
  std::string Full = realPath(Directory, File);
  const std::string Name = Named ? nameBelow(Full, Roots[InRoot])
                                 : nameInProject(Full, Roots[InRoot]);
  if (!Name.empty())
    return {Name, false};
  return {"<system>/" + sys::path::filename(Full).str(), true};
}

const std::pair<std::string, bool> &
SourceMap::path(const DIFile *F, const DICompileUnit *Unit) const {
  const unsigned InRoot = RootOf.lookup(Unit);
  auto [It, New] = Paths.try_emplace({F, InRoot});
  if (New)
    It->second = relative(F->getDirectory(), F->getFilename(), InRoot);
  return It->second;
}

const DISubprogram *SourceMap::source(const DISubprogram *SP) const {
  for (unsigned Step = 0; SP && Step < 64; ++Step) {
    auto It = Outer.find(SP);
    if (It == Outer.end())
      break;
    SP = It->second;
  }
  return SP;
}

bool SourceMap::isIncluded(const DISubprogram *SP) const {
  SP = source(SP);
  return SP && SP->getUnit() &&
         pathFor(SP) != path(SP->getUnit()->getFile(), SP->getUnit());
}

std::string SourceMap::instance(const DISubprogram *SP) const {
  SP = source(SP);
  std::string Which;
  if (SP && SP->getLinkageName().starts_with("_Z"))
    Which = (" " + SP->getLinkageName().split('.').first).str();
  if (SP && SP->isLocalToUnit() && isIncluded(SP))
    Which += " in " + path(SP->getUnit()->getFile(), SP->getUnit()).first;
  return Which;
}

static bool isInitializer(const DISubprogram *SP) {
  return SP->getName().starts_with("__cxx_global_var_init") ||
         SP->getName().starts_with("_GLOBAL__");
}

/// \p File is the path of the file that has the function's name. Code included
/// into the function's body from another file is named by its own line alone:
/// it is the same text, however many functions include it.
static void setFunction(Place &P, const DISubprogram *SP, StringRef File) {
  if (!SP || isInitializer(SP)) {
    P.Function = "file";
    P.LineOffset = P.Line;
    return;
  }
  P.Function = functionAsSpelled(SP->getName().str());
  P.LineOffset = static_cast<int>(P.Line);
  P.Included = File != P.Path;
  if (!P.Included)
    P.LineOffset -= static_cast<int>(SP->getLine());
}

Place SourceMap::locate(const DILocation *L) const {
  Place P;
  if (!L || !L->getLine())
    return P;
  const DISubprogram *SP = L->getScope()->getSubprogram();
  std::tie(P.Path, P.System) = path(L->getFile(), SP ? SP->getUnit() : nullptr);
  P.Line = L->getLine();
  P.Column = L->getColumn();
  SP = source(SP);
  setFunction(P, SP, SP ? pathFor(SP).first : "");
  return P;
}

Place SourceMap::locateUser(const DILocation *L) const {
  for (; L; L = L->getInlinedAt()) {
    Place P = locate(L);
    if (P.known() && !P.System)
      return P;
  }
  return Place();
}

Place SourceMap::locateDirective(const CallBase &CB) const {
  Place P;
  std::optional<Ident> I = identOf(CB);
  const DILocation *L = CB.getDebugLoc();
  const DISubprogram *SP =
      L ? L->getScope()->getSubprogram() : CB.getFunction()->getSubprogram();
  if (!I || !I->Line || !SP)
    return P;
  std::tie(P.Path, P.System) = relative(SP->getFile()->getDirectory(), I->File,
                                        RootOf.lookup(SP->getUnit()));
  P.Line = I->Line;
  P.Column = I->Column;
  SP = source(SP);
  setFunction(P, SP, SP ? pathFor(SP).first : "");
  return P;
}

Place SourceMap::locateFunction(const DISubprogram *SP) const {
  Place P;
  SP = source(SP);
  if (!SP || !SP->getFile())
    return P;
  std::tie(P.Path, P.System) = pathFor(SP);
  P.Line = SP->getLine();
  setFunction(P, SP, SP ? pathFor(SP).first : "");
  return P;
}

Place SourceMap::locateGlobal(const DIGlobalVariable *G) const {
  Place P;
  if (!G->getFile())
    return P;
  std::tie(P.Path, P.System) = path(G->getFile(), UnitOf.lookup(G));
  P.Line = G->getLine();
  const DISubprogram *SP = nullptr;
  if (auto *S = dyn_cast_or_null<DILocalScope>(G->getScope()))
    SP = source(S->getSubprogram());
  setFunction(P, SP, SP ? pathFor(SP).first : "");
  return P;
}

Place SourceMap::locateVariable(const DILocalVariable *V) const {
  Place P;
  if (!V->getFile() || !V->getLine())
    return P;
  const DISubprogram *SP = V->getScope()->getSubprogram();
  std::tie(P.Path, P.System) = path(V->getFile(), SP->getUnit());
  P.Line = V->getLine();
  SP = source(SP);
  setFunction(P, SP, SP ? pathFor(SP).first : "");
  return P;
}

} // namespace evenkeel
