//===- Variables.cpp - static variables of a linked file ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Variables.h.
//===----------------------------------------------------------------------===//
#include "Variables.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/DebugInfo/DWARF/DWARFExpression.h"
#include "llvm/Object/ELFObjectFile.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;
using namespace evenkeel;

using Kind = DILineInfoSpecifier::FileLineInfoKind;

EntityKey StaticVariable::key(const std::string &Path) const {
  if (IsCommon) // the same in all units
    return {"global:" + Name, "", "file", 0, 0, 0};
  EntityKey K{"global:" + Name, Path, "file", static_cast<int>(Line), 0, 0};
  if (!Function.empty()) {
    K.Function = functionAsSpelled(Function);
    K.LineOffset -= static_cast<int>(FunctionLine);
  }
  return K;
}

bool evenkeel::isFortran(DWARFUnit &U) {
  // Split debug information has the language beside the code.
  const DWARFDie D = U.getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false);
  switch (dwarf::toUnsigned(D.find(dwarf::DW_AT_language), 0)) {
  case dwarf::DW_LANG_Fortran77:
  case dwarf::DW_LANG_Fortran90:
  case dwarf::DW_LANG_Fortran95:
  case dwarf::DW_LANG_Fortran03:
  case dwarf::DW_LANG_Fortran08:
  case dwarf::DW_LANG_Fortran18:
    return true;
  default:
    return false;
  }
}

namespace {
struct Symbol {
  std::string Name;
  uint64_t Bytes = 0;
};
} // namespace

/// The data of \p File by address.
static std::map<uint64_t, Symbol> dataOf(const object::ObjectFile &File) {
  std::map<uint64_t, Symbol> Out;
  const auto *F = dyn_cast<object::ELFObjectFileBase>(&File);
  if (!F)
    return Out;
  for (const object::ELFSymbolRef S : F->symbols()) {
    auto Name = S.getName();
    auto Address = S.getAddress();
    if (Name && Address && S.getELFType() == ELF::STT_OBJECT)
      if (Symbol &Its = Out[*Address]; S.getSize() > Its.Bytes)
        Its = {Name->str(), S.getSize()};
    if (!Name)
      consumeError(Name.takeError());
    if (!Address)
      consumeError(Address.takeError());
  }
  return Out;
}

/// The function in which a variable was written; none outside functions.
static DWARFDie functionOf(DWARFDie D) {
  for (D = D.getParent(); D; D = D.getParent())
    if (D.getTag() == dwarf::DW_TAG_subprogram)
      return D;
  return {};
}

static std::optional<uint64_t> addressOf(DWARFDie D) {
  auto Block = dwarf::toBlock(D.find(dwarf::DW_AT_location));
  DWARFUnit *U = D.getDwarfUnit();
  if (!Block)
    return std::nullopt;
  DataExtractor Data(toStringRef(*Block), /*IsLittleEndian=*/true,
                     U->getAddressByteSize());
  DWARFExpression E(Data, U->getAddressByteSize());
  auto Op = E.begin();
  if (Op == E.end() || std::next(Op) != E.end())
    return std::nullopt;
  if (Op->getCode() == dwarf::DW_OP_addr)
    return Op->getRawOperand(0);
  if (Op->getCode() == dwarf::DW_OP_addrx)
    if (auto A = U->getAddrOffsetSectionItem(Op->getRawOperand(0)))
      return A->Address;
  return std::nullopt;
}

/// The file in which \p D is declared. DWARFDie::getDeclFile does not find it
/// where gcc writes its number once for all variables (DW_FORM_implicit_const).
static std::string declaredIn(DWARFDie D) {
  std::string File = D.getDeclFile(Kind::AbsoluteFilePath);
  if (!File.empty())
    return File;
  DWARFUnit *U = D.getDwarfUnit();
  const auto Number = D.findRecursively({dwarf::DW_AT_decl_file});
  const auto N = Number ? Number->getAsSignedConstant() : std::nullopt;
  const auto *Lines = U->getContext().getLineTableForUnit(U);
  if (N && Lines)
    Lines->getFileNameByIndex(static_cast<uint64_t>(*N), U->getCompilationDir(),
                              Kind::AbsoluteFilePath, File);
  return File;
}

static uint64_t typeBytes(DWARFDie D) {
  DWARFDie Type = D.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
  if (!Type) // a static member's type is at its declaration
    if (DWARFDie S =
            D.getAttributeValueAsReferencedDie(dwarf::DW_AT_specification))
      Type = S.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
  return Type ? Type.getTypeSize(D.getDwarfUnit()->getAddressByteSize())
                    .value_or(0)
              : 0;
}

/// The module or procedure that has \p D.
static std::string unitOf(DWARFDie D) {
  for (D = D.getParent(); D; D = D.getParent())
    if (D.getTag() == dwarf::DW_TAG_subprogram ||
        D.getTag() == dwarf::DW_TAG_module)
      return D.getShortName() ? D.getShortName() : "";
  return "";
}

/// A COMMON block, which lies where its first part does.
static std::optional<StaticVariable> commonOf(DWARFDie D) {
  StaticVariable V;
  const char *Name = D.getShortName();
  std::optional<uint64_t> Address = addressOf(D);
  for (DWARFDie Part : D.children())
    if (std::optional<uint64_t> At = addressOf(Part))
      Address = std::min(Address.value_or(UINT64_MAX), *At);
  if (!Address)
    return std::nullopt;
  V.Name = "/" + std::string(Name ? Name : "") + "/";
  if (V.Name == "/__BLNK__/") // the one without a name
    V.Name = "//";
  V.File = declaredIn(D);
  V.Line = static_cast<unsigned>(D.getDeclLine());
  V.Address = *Address;
  V.IsCommon = true;
  return V;
}

static std::optional<StaticVariable> variableOf(DWARFDie D) {
  StaticVariable V;
  const char *Name = D.getShortName();
  const std::optional<uint64_t> Address = addressOf(D);
  if (!Name || !Address)
    return std::nullopt;
  V.Name = Name;
  V.File = declaredIn(D);
  V.Line = static_cast<unsigned>(D.getDeclLine());
  V.Address = *Address;
  V.Bytes = typeBytes(D);
  // A variable included into a function's body from another file is named by
  // its line.
  DWARFDie In = functionOf(D);
  if (In && declaredIn(In) == V.File) {
    V.Function = In.getShortName() ? In.getShortName() : "";
    V.FunctionLine = static_cast<unsigned>(In.getDeclLine());
  }
  return V;
}

void evenkeel::forEachVariable(
    const object::ObjectFile &File, DWARFUnit &U,
    function_ref<void(const StaticVariable &)> Take) {
  const bool Fortran = isFortran(U);
  const std::map<uint64_t, Symbol> Data =
      Fortran ? dataOf(File) : std::map<uint64_t, Symbol>();
  for (const DWARFDebugInfoEntry &E : U.dies()) {
    const DWARFDie D(&U, &E);
    std::optional<StaticVariable> V;
    if (E.getTag() == dwarf::DW_TAG_common_block)
      V = commonOf(D);
    else if (E.getTag() == dwarf::DW_TAG_variable &&
             D.getParent().getTag() != dwarf::DW_TAG_common_block)
      V = variableOf(D);
    if (!V)
      continue;
    if (Fortran && !V->IsCommon)
      V->Unit = unitOf(D);
    // Types of arrays may lack their first index, by which sizes would differ.
    if (const auto Its = Data.find(V->Address); Its != Data.end())
      V->Bytes = Its->second.Bytes;
    Take(*V);
  }
}

void evenkeel::forEachBareCommon(
    LinkedFile &B, function_ref<void(const StaticVariable &)> Take) {
  std::set<uint64_t> Described;
  bool Fortran = false;
  for (const auto &U : B.Lines->compile_units()) {
    if (!isFortran(*U))
      continue;
    Fortran = true;
    const DWARFDie D = U->getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false);
    forEachVariable(
        B.object(), *D.getDwarfUnit(),
        [&](const StaticVariable &V) { Described.insert(V.Address); });
  }
  if (!Fortran)
    return;
  for (const auto &[Address, S] : dataOf(B.object())) {
    const StringRef Name = S.Name;
    if (Described.count(Address) || Name.size() < 2 || Name.front() == '_' ||
        Name.back() != '_')
      continue;
    StaticVariable V;
    V.Name = "/" + Name.drop_back().str() + "/";
    V.Address = Address;
    V.Bytes = S.Bytes;
    V.IsCommon = true;
    Take(V);
  }
}
