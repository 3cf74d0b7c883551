//===- ElfFile.cpp - parts of a program's file ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ElfFile.h.
//===----------------------------------------------------------------------===//
#include "ElfFile.h"
#include "format/File.h"
#include <algorithm>
#include <cstring>
#include <filesystem>

namespace fs = std::filesystem;

namespace evenkeel::cli {

template <typename T> bool ElfFile::get(uint64_t At, T &To) const {
  if (At > Bytes.size() || Bytes.size() - At < sizeof To)
    return false;
  std::memcpy(&To, Bytes.data() + At, sizeof To);
  return true;
}

ElfFile::ElfFile(const std::string &Path) {
  if (Expected<std::string> Read = readWholeFile(Path)) {
    Bytes = std::move(*Read);
    read();
  }
}

ElfFile ElfFile::ofBytes(std::string Bytes) {
  ElfFile F;
  F.Bytes = std::move(Bytes);
  F.read();
  return F;
}

void ElfFile::read() {
  Elf64_Ehdr H;
  if (!get(0, H) || std::memcmp(H.e_ident, ELFMAG, SELFMAG) != 0 ||
      H.e_ident[EI_CLASS] != ELFCLASS64)
    return;
  Names = H.e_shstrndx;
  Elf64_Shdr S;
  for (unsigned I = 0;
       I < H.e_shnum && get(H.e_shoff + I * uint64_t(sizeof S), S); ++I)
    Sections.push_back(S);
}

std::string ElfFile::textAt(const Elf64_Shdr &Strings, uint64_t At) const {
  if (At >= Strings.sh_size || Strings.sh_offset > Bytes.size() ||
      Bytes.size() - Strings.sh_offset < Strings.sh_size)
    return "";
  const char *Begin = Bytes.data() + Strings.sh_offset + At;
  return std::string(Begin, strnlen(Begin, Strings.sh_size - At));
}

std::string ElfFile::linkedText(const Elf64_Shdr &Of, uint64_t At) const {
  return Of.sh_link < Sections.size() ? textAt(Sections[Of.sh_link], At) : "";
}

/// Calls \p Each with the rows of each section of type \p Type.
template <typename T, typename F>
void ElfFile::rows(uint32_t Type, F Each) const {
  for (const Elf64_Shdr &S : Sections)
    if (S.sh_type == Type)
      for (uint64_t I = 0; I < S.sh_size / sizeof(T); ++I)
        if (T Row; get(S.sh_offset + I * sizeof Row, Row))
          Each(S, Row);
}

std::string ElfFile::section(std::string_view Name) const {
  std::string Out;
  if (Names >= Sections.size())
    return Out;
  for (const Elf64_Shdr &S : Sections)
    if (S.sh_type != SHT_NOBITS && S.sh_offset <= Bytes.size() &&
        Bytes.size() - S.sh_offset >= S.sh_size &&
        textAt(Sections[Names], S.sh_name) == Name)
      Out.append(Bytes, S.sh_offset, S.sh_size);
  return Out;
}

bool ElfFile::has(std::string_view Name) const {
  return Names < Sections.size() &&
         std::any_of(
             Sections.begin(), Sections.end(),
             [&](const Elf64_Shdr &S) {
               return textAt(Sections[Names], S.sh_name) == Name;
             });
}

std::optional<uint64_t> ElfFile::codeAddress(uint64_t Offset) const {
  for (const Elf64_Shdr &S : Sections)
    if (S.sh_type == SHT_PROGBITS && S.sh_flags & SHF_EXECINSTR &&
        Offset >= S.sh_offset && Offset - S.sh_offset < S.sh_size)
      return S.sh_addr + (Offset - S.sh_offset);
  return std::nullopt;
}

void ElfFile::addSources(std::set<std::string> &To) const {
  rows<Elf64_Sym>(SHT_SYMTAB, [&](const Elf64_Shdr &In, const Elf64_Sym &X) {
    if (ELF64_ST_TYPE(X.st_info) == STT_FILE)
      To.insert(fs::path(linkedText(In, X.st_name)).filename().string());
  });
}

std::vector<std::string> ElfFile::dynamicTexts(int64_t Tag,
                                               int64_t OrTag) const {
  std::vector<std::string> Out;
  rows<Elf64_Dyn>(SHT_DYNAMIC, [&](const Elf64_Shdr &In, const Elf64_Dyn &X) {
    if (X.d_tag == Tag || X.d_tag == OrTag)
      Out.push_back(linkedText(In, X.d_un.d_val));
  });
  return Out;
}

std::vector<std::string> ElfFile::neededLibraries() const {
  return dynamicTexts(DT_NEEDED, DT_NEEDED);
}

std::vector<std::string>
ElfFile::libraryFolders(const std::string &Origin) const {
  std::vector<std::string> Out;
  for (const std::string &List : dynamicTexts(DT_RUNPATH, DT_RPATH))
    for (size_t From = 0; From <= List.size();) {
      size_t To = std::min(List.find(':', From), List.size());
      std::string Folder = List.substr(From, To - From);
      for (const std::string &Word :
           {std::string("${ORIGIN}"), std::string("$ORIGIN")})
        if (size_t At = Folder.find(Word); At != std::string::npos)
          Folder.replace(At, Word.size(), Origin);
      if (!Folder.empty() && Folder.rfind("/usr/", 0) != 0 &&
          Folder.rfind("/lib", 0) != 0)
        Out.push_back(Folder);
      From = To + 1;
    }
  return Out;
}

std::vector<std::string> programAndLibraries(const std::string &Program) {
  std::error_code E;
  fs::path First = fs::absolute(Program, E).lexically_normal();
  if (fs::path Real = First.parent_path() / ".libs" / First.filename();
      fs::is_regular_file(Real, E) && !ElfFile(First.string()).isElf())
    First = Real;
  std::vector<std::string> Out;
  std::set<fs::path> Seen;
  std::vector<fs::path> Left = {First};
  for (size_t I = 0; I < Left.size(); ++I) {
    const fs::path Path = Left[I];
    if (!fs::is_regular_file(Path, E) ||
        !Seen.insert(fs::weakly_canonical(Path, E)).second)
      continue;
    Out.push_back(Path.string());
    const ElfFile File(Path.string());
    for (const std::string &Name : File.neededLibraries())
      for (const std::string &Folder :
           File.libraryFolders(Path.parent_path().string()))
        Left.push_back(fs::path(Folder) / Name);
  }
  return Out;
}

} // namespace evenkeel::cli
