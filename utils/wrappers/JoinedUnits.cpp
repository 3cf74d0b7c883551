//===- JoinedUnits.cpp - objects that hold several units ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See JoinedUnits.h. Also knows how bitcode begins (its magic number, then the
// header of the block that names the writer), and the format of ar archives.
//===----------------------------------------------------------------------===//
#include "JoinedUnits.h"
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace evenkeel::wrapper {

static bool holdsSeveral(std::string_view Object) {
  constexpr std::string_view Begin("BC\xC0\xDE\x35\x14\0\0", 8);
  size_t First = Object.find(Begin);
  return First != Object.npos &&
         Object.find(Begin, First + Begin.size()) != Object.npos;
}

bool joinsUnits(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  const std::string Bytes{std::istreambuf_iterator<char>(File), {}};
  std::string_view Rest = Bytes;
  constexpr std::string_view Elf = "\x7f"
                                   "ELF",
                             Archive = "!<arch>\n";
  if (Rest.substr(0, Elf.size()) == Elf)
    return holdsSeveral(Rest);
  if (Rest.substr(0, Archive.size()) != Archive)
    return false;
  constexpr size_t Header = 60, SizeAt = 48;
  for (Rest.remove_prefix(Archive.size()); Rest.size() > Header;) {
    const std::string Text(Rest.substr(SizeAt, 10));
    const size_t Size = std::strtoull(Text.c_str(), nullptr, 10);
    Rest.remove_prefix(Header);
    if (holdsSeveral(Rest.substr(0, Size)))
      return true;
    Rest.remove_prefix(std::min(Rest.size(), Size + Size % 2));
  }
  return false;
}

} // namespace evenkeel::wrapper
