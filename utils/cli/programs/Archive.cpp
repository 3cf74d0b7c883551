//===- Archive.cpp - members of static archives ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Archive.h.
//===----------------------------------------------------------------------===//
#include "Archive.h"
#include <cstdlib>

namespace evenkeel::cli {

static constexpr std::string_view Magic = "!<arch>\n";

/// The member's file: BSD's tools put a long name before it.
static std::string_view withoutName(std::string_view Name,
                                    std::string_view Content) {
  constexpr std::string_view Bsd = "#1/";
  if (Name.substr(0, Bsd.size()) != Bsd)
    return Content;
  const unsigned long Size =
      std::strtoul(std::string(Name.substr(Bsd.size())).c_str(), nullptr, 10);
  return Content.substr(std::min<size_t>(Size, Content.size()));
}

std::optional<std::string>
archiveOf(std::string_view Bytes,
          const std::function<bool(std::string_view)> &Keep) {
  constexpr size_t Header = 60, SizeAt = 48, NameSize = 16, SizeSize = 10;
  if (Bytes.substr(0, Magic.size()) != Magic)
    return std::nullopt;
  std::string Out(Magic);
  for (size_t At = Magic.size(); At < Bytes.size();) {
    if (Bytes.size() - At < Header)
      return std::nullopt;
    const std::string_view Name = Bytes.substr(At, NameSize);
    const unsigned long long Size = std::strtoull(
        std::string(Bytes.substr(At + SizeAt, SizeSize)).c_str(), nullptr, 10);
    if (Size > Bytes.size() - At - Header)
      return std::nullopt;
    const bool SymbolTable = Name.substr(0, 2) == "/ " ||
                             Name.substr(0, 7) == "/SYM64/" ||
                             Name.substr(0, 9) == "__.SYMDEF";
    const bool LongNames = Name.substr(0, 2) == "//";
    if (!SymbolTable &&
        (LongNames ||
         Keep(withoutName(Name, Bytes.substr(At + Header, Size))))) {
      Out += Bytes.substr(At, Header + Size);
      if (Size % 2)
        Out += '\n';
    }
    At += Header + Size + Size % 2;
  }
  return Out;
}

} // namespace evenkeel::cli
