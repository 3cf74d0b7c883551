//===- StripNotes.cpp - a program without its build notes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StripNotes.h. Sections keep their numbers, which symbols and other
// sections refer to; what lies behind the notes in the file moves up.
//===----------------------------------------------------------------------===//
#include "StripNotes.h"
#include "ElfFile.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/builds/BuildNote.h"
#include <algorithm>
#include <cstring>
#include <elf.h>

namespace evenkeel::cli {
namespace {

constexpr uint64_t MostAlignment = 1 << 21; // larger: the header is broken
constexpr char Prefix[] = ".evenkeel.";

class Stripper {
  const std::string &Old;
  Elf64_Ehdr Head{};
  std::vector<Elf64_Shdr> Sections;
  std::vector<bool> IsNote;
  uint64_t First = 0; // byte of notes in the file
  std::string New;

  template <typename T> bool get(uint64_t At, T &To) const {
    if (At > Old.size() || Old.size() - At < sizeof To)
      return false;
    std::memcpy(&To, Old.data() + At, sizeof To);
    return true;
  }
  bool isInFile(const Elf64_Shdr &S) const {
    return S.sh_type != SHT_NOBITS && S.sh_type != SHT_NULL;
  }
  std::string nameOf(const Elf64_Shdr &S) const;
  MaybeError readSections();
  MaybeError findNotes();
  uint64_t endOfLoaded() const;
  bool hasUnnamedData() const;
  void moveSections();
  void writeHeaders();

public:
  explicit Stripper(const std::string &Bytes) : Old(Bytes) {}
  Expected<StrippedFile> strip();
};

} // namespace

std::string Stripper::nameOf(const Elf64_Shdr &S) const {
  const Elf64_Shdr &Names = Sections[Head.e_shstrndx];
  const uint64_t At = Names.sh_offset + S.sh_name;
  if (S.sh_name >= Names.sh_size || At >= Old.size())
    return "";
  return std::string(Old.data() + At,
                     strnlen(Old.data() + At, Old.size() - At));
}

MaybeError Stripper::readSections() {
  if (Old.compare(0, 8, "!<arch>\n") == 0)
    return Error{"is an archive; strip the programs that it is linked into"};
  if (!get(0, Head) || std::memcmp(Head.e_ident, ELFMAG, SELFMAG) != 0)
    return Error{"is not a program (no ELF file)"};
  if (Head.e_ident[EI_CLASS] != ELFCLASS64 ||
      Head.e_ident[EI_DATA] != ELFDATA2LSB)
    return Error{"is a program for another kind of computer"};
  for (unsigned I = 0; I < Head.e_shnum; ++I) {
    Elf64_Shdr S;
    if (!get(Head.e_shoff + I * uint64_t(sizeof S), S) ||
        S.sh_addralign > MostAlignment ||
        (isInFile(S) &&
         (S.sh_offset > Old.size() || Old.size() - S.sh_offset < S.sh_size)))
      return Error{"is cut short or broken"};
    Sections.push_back(S);
  }
  if (Sections.empty() || Head.e_shstrndx >= Sections.size() ||
      Head.e_shentsize != sizeof(Elf64_Shdr))
    return Error{"has no build notes (its sections have no names)"};
  return std::nullopt;
}

MaybeError Stripper::findNotes() {
  First = UINT64_MAX;
  bool Any = false;
  for (const Elf64_Shdr &S : Sections) {
    const bool Is = isInFile(S) && !(S.sh_flags & SHF_ALLOC) &&
                    nameOf(S).compare(0, sizeof Prefix - 1, Prefix) == 0;
    IsNote.push_back(Is);
    Any |= Is;
    if (Is && S.sh_size)
      First = std::min(First, S.sh_offset);
  }
  if (!Any)
    return Error{"has no build notes; did evenkeel-cc build it?"};
  if (First == UINT64_MAX)
    return Error{"has no build notes any more: they were taken out before"};
  return std::nullopt;
}

/// Of what the system loads, and of the headers that say what it loads.
uint64_t Stripper::endOfLoaded() const {
  uint64_t End = sizeof Head;
  for (unsigned I = 0; I < Head.e_phnum; ++I) {
    Elf64_Phdr P;
    const uint64_t At = Head.e_phoff + I * uint64_t(sizeof P);
    End = std::max(End, At + sizeof P);
    if (get(At, P))
      End = std::max(End, P.p_filesz ? P.p_offset + P.p_filesz : 0);
  }
  return End;
}

/// Whether bytes behind the notes belong to no section: something was appended
/// to the program, and may find itself by its place.
bool Stripper::hasUnnamedData() const {
  std::vector<std::pair<uint64_t, uint64_t>> Parts{
      {Head.e_shoff, Head.e_shoff + Sections.size() * sizeof(Elf64_Shdr)}};
  for (const Elf64_Shdr &S : Sections)
    if (isInFile(S))
      Parts.emplace_back(S.sh_offset, S.sh_offset + S.sh_size);
  std::sort(Parts.begin(), Parts.end());
  Parts.emplace_back(Old.size(), Old.size());
  uint64_t At = First;
  for (const auto &[From, To] : Parts) {
    for (; At < From; ++At)
      if (Old[At])
        return true;
    At = std::max(At, To);
  }
  return false;
}

void Stripper::moveSections() {
  New = Old.substr(0, First);
  std::vector<size_t> Behind;
  for (size_t I = 0; I < Sections.size(); ++I)
    if (Sections[I].sh_offset >= First)
      Behind.push_back(I);
  std::sort(Behind.begin(), Behind.end(), [&](size_t A, size_t B) {
    return std::tie(Sections[A].sh_offset, A) <
           std::tie(Sections[B].sh_offset, B);
  });
  for (const size_t I : Behind) {
    Elf64_Shdr &S = Sections[I];
    const bool Kept = isInFile(S) && !IsNote[I] && S.sh_size;
    if (Kept)
      while (S.sh_addralign > 1 && New.size() % S.sh_addralign)
        New += '\0';
    const uint64_t From = S.sh_offset;
    S.sh_offset = New.size();
    if (IsNote[I])
      S.sh_size = 0;
    if (Kept)
      New.append(Old, From, S.sh_size);
  }
}

void Stripper::writeHeaders() {
  const size_t Bytes = Sections.size() * sizeof(Elf64_Shdr);
  if (Head.e_shoff >= First) {
    while (New.size() % alignof(Elf64_Shdr))
      New += '\0';
    Head.e_shoff = New.size();
    New.resize(New.size() + Bytes);
  }
  std::memcpy(New.data() + Head.e_shoff, Sections.data(), Bytes);
  std::memcpy(New.data(), &Head, sizeof Head);
}

Expected<StrippedFile> Stripper::strip() {
  if (MaybeError E = readSections())
    return *E;
  if (MaybeError E = findNotes())
    return *E;
  if (endOfLoaded() > First ||
      (Head.e_shoff < First &&
       Head.e_shoff + Sections.size() * sizeof(Elf64_Shdr) > First))
    return Error{"has loaded parts behind its notes, which another tool put "
                 "there; strip it before that tool"};
  if (hasUnnamedData())
    return Error{"has data behind its end, which another tool put there; "
                 "strip it before that tool"};
  StrippedFile Out;
  for (size_t I = 0; I < Sections.size(); ++I)
    Out.NoteBytes += IsNote[I] ? Sections[I].sh_size : 0;
  moveSections();
  writeHeaders();
  Out.Bytes = std::move(New);
  return Out;
}

Expected<StrippedFile> withoutNotes(const std::string &Bytes) {
  return Stripper(Bytes).strip();
}

bool isStripped(const std::string &Path) {
  const ElfFile File(Path);
  return File.has(UnitsSection) && File.section(UnitsSection).empty();
}

void refuseStrippedFile(const std::string &Path) {
  if (isStripped(Path))
    fail("the build notes of '" + Path +
         "' were taken out (evenkeel strip), so nothing is known of its "
         "sources; use the program as it was before, or build it again");
}

void refuseStripped(const std::vector<std::string> &Command) {
  for (const std::string &Word : Command)
    if (const std::string Program = findProgram(Word); !Program.empty())
      refuseStrippedFile(Program);
}

} // namespace evenkeel::cli
