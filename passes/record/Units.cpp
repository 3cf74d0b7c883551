//===- Units.cpp - record units as one program ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Units.h. Metadata of each definition holds the unit's name, its place in
// the unit and its linkage, which a link does not preserve.
//===----------------------------------------------------------------------===//
#include "record/Units.h"
#include "unit/Source.h"
#include "unit/Unit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <optional>
#include <tuple>

using namespace llvm;

namespace evenkeel {

static constexpr char Units[] = "ek.units"; // metadata of the module: the names
                                            // of its units
static constexpr char Mark[] = "ek.unit";   // metadata of a definition

namespace {
struct Origin {
  StringRef Unit;
  uint64_t Position = 0;
  GlobalValue::LinkageTypes Linkage = GlobalValue::InternalLinkage;
};
} // namespace

static std::optional<Origin> originOf(const GlobalObject &G) {
  const MDNode *N = G.getMetadata(Mark);
  if (!N)
    return std::nullopt;
  auto Number = [&](unsigned I) {
    return mdconst::extract<ConstantInt>(N->getOperand(I))->getZExtValue();
  };
  return Origin{cast<MDString>(N->getOperand(0))->getString(), Number(1),
                static_cast<GlobalValue::LinkageTypes>(Number(2))};
}

static void dropMarks(Module &M) {
  for (GlobalObject &G : M.global_objects())
    G.setMetadata(Mark, nullptr);
  if (NamedMDNode *N = M.getNamedMetadata(Units))
    N->eraseFromParent();
}

std::string codeForLink(Module &M) {
  LLVMContext &C = M.getContext();
  auto CUs = M.debug_compile_units();
  std::string Name = M.getSourceFileName();
  if (CUs.begin() != CUs.end())
    Name =
        realPath((*CUs.begin())->getDirectory(), (*CUs.begin())->getFilename());
  MDString *Unit = MDString::get(C, Name);
  M.getOrInsertNamedMetadata(Units)->addOperand(MDNode::get(C, Unit));
  uint64_t Position = 0;
  auto Number = [&](uint64_t N) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(C), N));
  };
  for (GlobalObject &G : M.global_objects())
    if (!G.isDeclaration() && !G.hasAvailableExternallyLinkage())
      G.setMetadata(Mark, MDNode::get(C, {Unit, Number(Position++),
                                          Number(G.getLinkage())}));
  std::string Code = bitcodeOf(M);
  dropMarks(M);
  return Code;
}

void carryCode(Module &M, StringRef Code) {
  embedBufferInModule(M, MemoryBufferRef(Code, "unit"), ".llvm.lto");
}

bool isLinkOfUnits(const Module &M) { return M.getNamedMetadata(Units); }

OpenedUnits::OpenedUnits(Module &M) : M(M) {
  for (GlobalObject &G : M.global_objects()) {
    std::optional<Origin> From = originOf(G);
    if (!From || !G.hasLocalLinkage() ||
        GlobalValue::isLocalLinkage(From->Linkage))
      continue;
    G.setLinkage(From->Linkage);
    Internal.push_back(G.getName().str());
  }
  // The inliner visits functions in this order.
  std::vector<std::tuple<StringRef, uint64_t, size_t, Function *>> Order;
  for (Function &F : M)
    if (std::optional<Origin> From = originOf(F))
      Order.push_back({From->Unit, From->Position, Order.size(), &F});
  llvm::sort(Order);
  for (auto &[Unit, Position, Before, F] : Order) {
    F->removeFromParent();
    M.getFunctionList().push_back(F);
  }
}

void OpenedUnits::close() {
  for (const std::string &Name : Internal)
    if (GlobalValue *G = M.getNamedValue(Name);
        G && !G->isDeclaration() && !G->hasLocalLinkage())
      G->setLinkage(GlobalValue::InternalLinkage);
  dropMarks(M);
}

} // namespace evenkeel
