//===- TailCalls.cpp - return addresses of tail calls ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TailCalls.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace llvm::dwarf;
using namespace evenkeel;

/// A name that is unique to the function in the binary; empty: it has none.
static std::string nameOf(DWARFDie Function) {
  const char *Name = Function.getName(DINameKind::LinkageName);
  if (!Name)
    return {};
  if (Function.findRecursively(DW_AT_external))
    return Name;
  return Name + std::string("@") +
         std::to_string(Function.getDwarfUnit()->getOffset());
}

static std::optional<uint64_t> addressOf(DWARFDie D,
                                         ArrayRef<Attribute> Attributes) {
  return toAddress(D.find(Attributes));
}

void TailCalls::add(DWARFUnit &U) {
  for (const DWARFDebugInfoEntry &E : U.dies()) {
    DWARFDie D(&U, &E);
    uint64_t From, To, Section;
    if (D.getTag() == DW_TAG_subprogram &&
        D.getLowAndHighPC(From, To, Section) && From < To)
      Functions[From] = {To, nameOf(D)};
    if (D.getTag() != DW_TAG_call_site && D.getTag() != DW_TAG_GNU_call_site)
      continue;
    DWARFDie Target = D.getAttributeValueAsReferencedDie(DW_AT_call_origin);
    if (!Target)
      Target = D.getAttributeValueAsReferencedDie(DW_AT_abstract_origin);
    std::string Callee = Target ? nameOf(Target) : std::string();
    // GDB's convention, which Clang follows when tuned for GDB: the attribute
    // is the end of the branch, where an ordinary call would return.
    std::optional<uint64_t> After =
        addressOf(D, {DW_AT_call_return_pc, DW_AT_low_pc});
    if (!D.find({DW_AT_call_tail_call, DW_AT_GNU_tail_call})) {
      if (After && !Callee.empty())
        Calls.push_back({*After, std::move(Callee)});
      continue;
    }
    std::optional<uint64_t> At = addressOf(D, {DW_AT_call_pc});
    if (!At && After && *After)
      At = *After - 1;
    DWARFDie Function = D.getParent();
    while (Function && Function.getTag() != DW_TAG_subprogram)
      Function = Function.getParent();
    std::string In = Function ? nameOf(Function) : std::string();
    if (At && !In.empty())
      Jumps[In].push_back({*At, std::move(Callee)});
  }
}

void TailCalls::addJump(uint64_t From, uint64_t To, ArrayRef<uint8_t> Bytes,
                        uint64_t Section) {
  auto It = Functions.upper_bound(From);
  if (It == Functions.begin() || From >= std::prev(It)->second.To)
    return;
  --It;
  const Function &F = It->second;
  To = std::min(To, F.To); // padding has the last line's number
  // JMP rel32 of x86-64 (E9) at the end: it is the last instruction of its
  // line.
  constexpr uint64_t Size = 5;
  if (F.Name.empty() || To - From < Size || From < Section ||
      To - Section > Bytes.size())
    return;
  const uint8_t *Code = Bytes.data() + (To - Section) - Size;
  if (*Code != 0xe9)
    return;
  auto Offset = static_cast<int32_t>(support::endian::read32le(Code + 1));
  uint64_t Target = To + static_cast<uint64_t>(static_cast<int64_t>(Offset));
  if (Target < It->first || Target >= F.To)
    Jumps[F.Name].push_back({To - 1, {}});
}

void TailCalls::collect(const std::string &Function, std::set<uint64_t> &Found,
                        std::set<std::string> &Seen) const {
  auto It = Jumps.find(Function);
  if (It == Jumps.end() || !Seen.insert(Function).second)
    return;
  for (const Jump &J : It->second) {
    Found.insert(J.From);
    collect(J.To, Found, Seen);
  }
}

std::map<uint64_t, std::set<uint64_t>> TailCalls::jumpsByReturn() const {
  std::map<uint64_t, std::set<uint64_t>> ByReturn;
  for (const Call &C : Calls) {
    std::set<std::string> Seen;
    std::set<uint64_t> Found;
    collect(C.To, Found, Seen);
    if (!Found.empty())
      ByReturn[C.ReturnsTo].insert(Found.begin(), Found.end());
  }
  return ByReturn;
}
