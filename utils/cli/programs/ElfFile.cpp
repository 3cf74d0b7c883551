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

std::vector<std::string> ElfFile::dynamicTexts(int64_t Tag) const {
  std::vector<std::string> Out;
  rows<Elf64_Dyn>(SHT_DYNAMIC, [&](const Elf64_Shdr &In, const Elf64_Dyn &X) {
    if (X.d_tag == Tag)
      Out.push_back(linkedText(In, X.d_un.d_val));
  });
  return Out;
}

std::vector<std::string> ElfFile::neededLibraries() const {
  return dynamicTexts(DT_NEEDED);
}

std::string ElfFile::soname() const {
  const std::vector<std::string> Names = dynamicTexts(DT_SONAME);
  return Names.empty() ? "" : Names[0];
}

std::vector<std::string> foldersIn(std::string_view List,
                                   std::string_view Separators,
                                   const std::string &Origin) {
  std::vector<std::string> Out;
  for (size_t From = 0; From <= List.size();) {
    const size_t To =
        std::min(List.find_first_of(Separators, From), List.size());
    std::string Folder(List.substr(From, To - From));
    for (const std::string &Word :
         {std::string("${ORIGIN}"), std::string("$ORIGIN")})
      if (size_t At = Folder.find(Word); At != std::string::npos)
        Folder.replace(At, Word.size(), Origin);
    Out.push_back(std::move(Folder));
    From = To + 1;
  }
  return Out;
}

std::vector<std::string> ElfFile::foldersOf(int64_t Tag,
                                            const std::string &Origin) const {
  std::vector<std::string> Out;
  for (const std::string &List : dynamicTexts(Tag))
    for (std::string &Folder : foldersIn(List, ":", Origin))
      if (!Folder.empty())
        Out.push_back(std::move(Folder));
  return Out;
}

std::vector<std::string> ElfFile::runpath(const std::string &Origin) const {
  return foldersOf(DT_RUNPATH, Origin);
}

std::vector<std::string> ElfFile::rpath(const std::string &Origin) const {
  return dynamicTexts(DT_RUNPATH).empty() ? foldersOf(DT_RPATH, Origin)
                                          : std::vector<std::string>();
}

bool isSystemFolder(const std::string &Folder) {
  return Folder.rfind("/usr/", 0) == 0 || Folder.rfind("/lib", 0) == 0;
}

} // namespace evenkeel::cli
