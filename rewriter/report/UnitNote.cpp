//===- UnitNote.cpp - a unit's report inside its object file --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See UnitNote.h. Tabs separate fields; tabs and line ends in names are
// dropped.
//===----------------------------------------------------------------------===//
#include "UnitNote.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace evenkeel {
using llvm::StringRef;

static std::string field(const std::string &Text) {
  std::string Out = "\t" + Text;
  std::replace_if(
      Out.begin() + 1, Out.end(),
      [](unsigned char C) { return C < ' ' || C == 0x7f; }, ' ');
  return Out;
}

/// \p Line for .ascii, in a C string literal: an octal escape for each
/// character that the assembler or C might read differently.
static std::string quoted(const std::string &Line) {
  std::string Out;
  for (unsigned char C : Line) {
    if (llvm::isAlnum(C) || StringRef(" _./:,=#-+*<>()[]&~@!").contains(C)) {
      Out += static_cast<char>(C);
      continue;
    }
    char Octal[8];
    std::snprintf(Octal, sizeof Octal, "\\\\%03o", C);
    Out += Octal;
  }
  return Out;
}

std::string noteAsSource(const std::string &Unit, const Merged &Found,
                         const std::string &Refused) {
  std::vector<std::string> Lines{UnitLine + field(Unit) + field(Refused)};
  for (const auto &[File, Places] : Found.OutsideRoot)
    Lines.push_back(OutsideLine + field(File) + field(std::to_string(Places)));
  for (const Finding &F : Found.Findings)
    Lines.push_back(
        std::to_string(static_cast<int>(F.Class)) +
        field(std::to_string(static_cast<int>(F.What))) + field(F.Key.Kind) +
        field(F.Key.Path) + field(std::to_string(F.Line)) +
        field(std::to_string(F.Key.Column)) + field(F.Key.Function) +
        field(std::to_string(F.Key.LineOffset)) +
        field(std::to_string(F.Key.Ordinal)) + field(llvm::utohexstr(F.Id)) +
        field(F.Form) + field(reachName(F.Context)) + field(F.Reason) +
        field(F.Listed ? "" : "unlisted"));
  std::string Out = "\n__asm__(\".pushsection " + std::string(NoteSection) +
                    ",\\\"\\\",@progbits\\n\"\n";
  for (const std::string &Line : Lines)
    Out += "\".ascii \\\"" + quoted(Line) + "\\\\n\\\"\\n\"\n";
  return Out + "\".popsection\\n\");\n";
}

} // namespace evenkeel
