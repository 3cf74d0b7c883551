//===- ElfFile.cpp - parts of a program's file ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ElfFile.h.
//===----------------------------------------------------------------------===//
#include "ElfFile.h"
#include <algorithm>
#include <cstring>
#include <filesystem>

namespace fs = std::filesystem;

namespace evenkeel::cli {

/// The text at \p At in a table of texts that end with a zero; "": none.
static std::string_view textAt(std::string_view Texts, uint64_t At) {
  if (At >= Texts.size())
    return "";
  const std::string_view Rest = Texts.substr(At);
  return Rest.substr(0, Rest.find('\0'));
}

/// The whole rows in \p Size bytes from \p At.
template <typename T>
std::vector<T> ElfFile::rowsAt(uint64_t At, uint64_t Size) const {
  const std::string Part = Bytes.part(At, Size);
  std::vector<T> Out(Part.size() / sizeof(T));
  if (!Out.empty())
    std::memcpy(Out.data(), Part.data(), Out.size() * sizeof(T));
  return Out;
}

ElfFile::ElfFile(const std::string &Path) : Bytes(FileBytes::ofFile(Path)) {
  read();
}

ElfFile ElfFile::ofBytes(std::string Bytes) {
  ElfFile F;
  F.Bytes = FileBytes::ofBytes(std::move(Bytes));
  F.read();
  return F;
}

void ElfFile::read() {
  const std::vector<Elf64_Ehdr> Headers =
      rowsAt<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
  if (Headers.empty())
    return;
  const Elf64_Ehdr &H = Headers[0];
  if (std::memcmp(H.e_ident, ELFMAG, SELFMAG) != 0 ||
      H.e_ident[EI_CLASS] != ELFCLASS64)
    return;
  // A file that was cut has some of its rows.
  for (unsigned I = 0; I < H.e_shnum; ++I) {
    const std::vector<Elf64_Shdr> S = rowsAt<Elf64_Shdr>(
        H.e_shoff + I * uint64_t(sizeof(Elf64_Shdr)), sizeof(Elf64_Shdr));
    if (S.empty())
      break;
    Sections.push_back(S[0]);
  }
  if (H.e_shstrndx < Sections.size())
    Names = contents(Sections[H.e_shstrndx]);
}

std::string ElfFile::contents(const Elf64_Shdr &S) const {
  return S.sh_type == SHT_NOBITS ? "" : Bytes.part(S.sh_offset, S.sh_size);
}

std::string_view ElfFile::nameOf(const Elf64_Shdr &S) const {
  return textAt(Names, S.sh_name);
}

/// Calls \p Each with the rows of each section of type \p Type, and the texts
/// of the section that it is linked to.
template <typename T, typename F>
void ElfFile::rows(uint32_t Type, F Each) const {
  for (const Elf64_Shdr &S : Sections)
    if (S.sh_type == Type) {
      const std::string Texts = S.sh_link < Sections.size()
                                    ? contents(Sections[S.sh_link])
                                    : std::string();
      for (const T &Row : rowsAt<T>(S.sh_offset, S.sh_size))
        Each(Texts, Row);
    }
}

std::string ElfFile::section(std::string_view Name) const {
  std::string Out;
  for (const Elf64_Shdr &S : Sections)
    if (nameOf(S) == Name)
      Out += contents(S);
  return Out;
}

bool ElfFile::has(std::string_view Name) const {
  return std::any_of(Sections.begin(), Sections.end(),
                     [&](const Elf64_Shdr &S) { return nameOf(S) == Name; });
}

std::optional<uint64_t> ElfFile::codeAddress(uint64_t Offset) const {
  for (const Elf64_Shdr &S : Sections)
    if (S.sh_type == SHT_PROGBITS && S.sh_flags & SHF_EXECINSTR &&
        Offset >= S.sh_offset && Offset - S.sh_offset < S.sh_size)
      return S.sh_addr + (Offset - S.sh_offset);
  return std::nullopt;
}

void ElfFile::addSources(std::set<std::string> &To) const {
  rows<Elf64_Sym>(SHT_SYMTAB, [&](std::string_view Texts, const Elf64_Sym &X) {
    if (ELF64_ST_TYPE(X.st_info) == STT_FILE)
      To.insert(fs::path(textAt(Texts, X.st_name)).filename().string());
  });
}

std::vector<std::string> ElfFile::dynamicTexts(int64_t Tag) const {
  std::vector<std::string> Out;
  rows<Elf64_Dyn>(SHT_DYNAMIC, [&](std::string_view Texts, const Elf64_Dyn &X) {
    if (X.d_tag == Tag)
      Out.emplace_back(textAt(Texts, X.d_un.d_val));
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
