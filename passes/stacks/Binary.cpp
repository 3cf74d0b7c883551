//===- Binary.cpp - open programs and find their lines --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Binary.h"
#include "format/Stacks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;
using namespace evenkeel;

static llvm::Error wrong(const Twine &Line) {
  return createStringError(inconvertibleErrorCode(), Line);
}

/// Computes the hash as the preloaded runtime does from the mapped code.
static llvm::Expected<std::string> textHash(const ELF64LEObjectFile &F) {
  auto Headers = F.getELFFile().program_headers();
  if (!Headers)
    return Headers.takeError();
  uint64_t H = 0;
  for (const auto &P : *Headers) {
    if (P.p_type != ELF::PT_LOAD || !(P.p_flags & ELF::PF_X) ||
        P.p_flags & ELF::PF_W)
      continue;
    if (P.p_offset > F.getData().size() ||
        P.p_filesz > F.getData().size() - P.p_offset)
      return wrong("is cut off");
    H = stackTextHash(H, F.getData().data() + P.p_offset, P.p_filesz);
  }
  return "text:" + utohexstr(H, /*LowerCase=*/true, 16);
}

static bool hasLines(const ObjectFile &F) {
  for (const SectionRef &S : F.sections()) {
    llvm::Expected<StringRef> Name = S.getName();
    if (!Name)
      consumeError(Name.takeError());
    else if (*Name == ".debug_line" || *Name == ".zdebug_line")
      return S.getSize() != 0;
  }
  return false;
}

/// The places where debuggers look for split debug files.
static std::vector<std::string> debugFiles(const ObjectFile &F,
                                           StringRef Path) {
  std::vector<std::string> Files;
  BuildIDRef Id = getBuildID(&F);
  if (Id.size() > 1) {
    std::string Hex = toHex(Id, /*LowerCase=*/true);
    Files.push_back("/usr/lib/debug/.build-id/" + Hex.substr(0, 2) + "/" +
                    Hex.substr(2) + ".debug");
  }
  for (const SectionRef &S : F.sections()) {
    llvm::Expected<StringRef> Name = S.getName();
    if (!Name) {
      consumeError(Name.takeError());
      continue;
    }
    if (*Name != ".gnu_debuglink")
      continue;
    llvm::Expected<StringRef> Contents = S.getContents();
    if (!Contents) {
      consumeError(Contents.takeError());
      continue;
    }
    std::string Link = Contents->take_until([](char C) { return !C; }).str();
    SmallString<256> Folder(Path);
    sys::fs::make_absolute(Folder);
    sys::path::remove_filename(Folder);
    std::string In = Folder.str().str();
    Files.push_back(In + "/" + Link);
    Files.push_back(In + "/.debug/" + Link);
    Files.push_back("/usr/lib/debug" + In + "/" + Link);
  }
  return Files;
}

static std::unique_ptr<DWARFContext> linesOf(const ObjectFile &F) {
  // Damaged debug information costs only the sites that it hides, which are
  // counted; it gets no message of its own.
  auto Ignore = [](llvm::Error E) { consumeError(std::move(E)); };
  return DWARFContext::create(F, DWARFContext::ProcessDebugRelocations::Ignore,
                              nullptr, "", Ignore, Ignore);
}

llvm::Expected<LinkedFile> evenkeel::readBinary(StringRef Path) {
  auto File = createBinary(Path);
  if (!File)
    return wrong("'" + Path + "': " + toString(File.takeError()));
  auto *F = dyn_cast<ELF64LEObjectFile>(File->getBinary());
  if (!F)
    return wrong("'" + Path + "' is no 64-bit ELF program or library");
  if (F->getELFFile().getHeader().e_type != ELF::ET_EXEC &&
      F->getELFFile().getHeader().e_type != ELF::ET_DYN)
    return wrong("'" + Path + "' is not linked; name the program");
  LinkedFile B;
  B.Name = sys::path::filename(Path).str();
  if (BuildIDRef Id = getBuildID(F); !Id.empty()) {
    B.Build = "id:" + toHex(Id, /*LowerCase=*/true);
  } else {
    auto Hash = textHash(*F);
    if (!Hash)
      return wrong("'" + Path + "': " + toString(Hash.takeError()));
    B.Build = *Hash;
  }
  bool Dynamic = false;
  for (const SectionRef &S : F->sections()) {
    ELFSectionRef E(S);
    Dynamic |= E.getType() == ELF::SHT_DYNAMIC;
    if (E.getFlags() & ELF::SHF_EXECINSTR && S.getSize())
      B.Code.push_back({S.getAddress(), S.getAddress() + S.getSize()});
  }
  llvm::sort(B.Code, [](const CodeRange &X, const CodeRange &Y) {
    return X.From < Y.From;
  });
  if (!Dynamic)
    return wrong("'" + Path +
                 "' is linked statically; nothing can be preloaded into it");
  if (hasLines(*F)) {
    B.Lines = linesOf(*F);
    B.File = std::move(*File);
    return std::move(B);
  }
  for (const std::string &Other : debugFiles(*F, Path)) {
    auto Debug = createBinary(Other);
    if (!Debug) {
      consumeError(Debug.takeError());
      continue;
    }
    auto *D = dyn_cast<ELF64LEObjectFile>(Debug->getBinary());
    BuildIDRef Id = getBuildID(F);
    if (!D || !hasLines(*D) || getBuildID(D) != Id)
      continue;
    B.Lines = linesOf(*D);
    B.File = std::move(*File);
    B.DebugFile = std::move(*Debug);
    return std::move(B);
  }
  return wrong("'" + Path +
               "' has no line table (stripped, or built without -g), and no "
               "debug file of it was found");
}
