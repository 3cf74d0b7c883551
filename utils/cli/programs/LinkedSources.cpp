//===- LinkedSources.cpp - sources of a linked program --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LinkedSources.h. The bytes come from outside: every offset is checked.
//===----------------------------------------------------------------------===//
#include "LinkedSources.h"
#include "format/File.h"
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <vector>

namespace fs = std::filesystem;

namespace evenkeel::cli {

namespace {

/// One 64-bit ELF file.
class ElfFile {
  std::string Bytes;
  std::vector<Elf64_Shdr> Sections;

  template <typename T> bool get(uint64_t At, T &To) const {
    if (At > Bytes.size() || Bytes.size() - At < sizeof To)
      return false;
    std::memcpy(&To, Bytes.data() + At, sizeof To);
    return true;
  }
  std::string text(const Elf64_Shdr &Of, uint64_t At) const {
    if (Of.sh_link >= Sections.size())
      return "";
    const Elf64_Shdr &Strings = Sections[Of.sh_link];
    if (At >= Strings.sh_size || Strings.sh_offset > Bytes.size() ||
        Bytes.size() - Strings.sh_offset < Strings.sh_size)
      return "";
    const char *Begin = Bytes.data() + Strings.sh_offset + At;
    return std::string(Begin, strnlen(Begin, Strings.sh_size - At));
  }
  /// Calls \p Each with the rows of each section of type \p Type.
  template <typename T, typename F> void rows(uint32_t Type, F Each) const {
    for (const Elf64_Shdr &S : Sections)
      if (S.sh_type == Type)
        for (uint64_t I = 0; I < S.sh_size / sizeof(T); ++I)
          if (T Row; get(S.sh_offset + I * sizeof Row, Row))
            Each(S, Row);
  }

public:
  explicit ElfFile(const std::string &Path) {
    Expected<std::string> Read = readWholeFile(Path);
    Elf64_Ehdr H;
    if (!Read)
      return;
    Bytes = std::move(*Read);
    if (!get(0, H) || std::memcmp(H.e_ident, ELFMAG, SELFMAG) != 0 ||
        H.e_ident[EI_CLASS] != ELFCLASS64)
      return;
    Elf64_Shdr S;
    for (unsigned I = 0;
         I < H.e_shnum && get(H.e_shoff + I * uint64_t(sizeof S), S); ++I)
      Sections.push_back(S);
  }
  bool isElf() const { return !Sections.empty(); }

  void addSources(std::set<std::string> &To) const {
    rows<Elf64_Sym>(SHT_SYMTAB, [&](const Elf64_Shdr &In, const Elf64_Sym &X) {
      if (ELF64_ST_TYPE(X.st_info) == STT_FILE)
        To.insert(fs::path(text(In, X.st_name)).filename().string());
    });
  }
  std::vector<std::string> dynamicTexts(int64_t Tag, int64_t OrTag) const {
    std::vector<std::string> Out;
    rows<Elf64_Dyn>(SHT_DYNAMIC, [&](const Elf64_Shdr &In, const Elf64_Dyn &X) {
      if (X.d_tag == Tag || X.d_tag == OrTag)
        Out.push_back(text(In, X.d_un.d_val));
    });
    return Out;
  }
};

} // namespace

/// The folders in which \p File searches for libraries, without the system's.
static std::vector<fs::path> foldersOf(const ElfFile &File,
                                       const fs::path &Origin) {
  std::vector<fs::path> Out;
  for (const std::string &List : File.dynamicTexts(DT_RUNPATH, DT_RPATH))
    for (size_t From = 0; From <= List.size();) {
      size_t To = std::min(List.find(':', From), List.size());
      std::string Folder = List.substr(From, To - From);
      for (const std::string &Word :
           {std::string("${ORIGIN}"), std::string("$ORIGIN")})
        if (size_t At = Folder.find(Word); At != std::string::npos)
          Folder.replace(At, Word.size(), Origin.string());
      if (!Folder.empty() && Folder.rfind("/usr/", 0) != 0 &&
          Folder.rfind("/lib", 0) != 0)
        Out.push_back(Folder);
      From = To + 1;
    }
  return Out;
}

std::set<std::string> linkedSources(const std::string &Program) {
  std::error_code E;
  fs::path First = fs::absolute(Program, E);
  if (fs::path Real = First.parent_path() / ".libs" / First.filename();
      fs::is_regular_file(Real, E) && !ElfFile(First.string()).isElf())
    First = Real;
  std::set<std::string> Sources;
  std::set<fs::path> Seen;
  for (std::vector<fs::path> Left = {First}; !Left.empty();) {
    const fs::path Path = Left.back();
    Left.pop_back();
    if (!fs::is_regular_file(Path, E) ||
        !Seen.insert(fs::weakly_canonical(Path, E)).second)
      continue;
    const ElfFile File(Path.string());
    File.addSources(Sources);
    for (const std::string &Name : File.dynamicTexts(DT_NEEDED, DT_NEEDED))
      for (const fs::path &Folder : foldersOf(File, Path.parent_path()))
        Left.push_back(Folder / Name);
  }
  return Sources;
}

} // namespace evenkeel::cli
