//===- Calls.cpp - calls of libraries in a linked file --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Calls.h.
//===----------------------------------------------------------------------===//
#include "Calls.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/TargetSelect.h"
#include <map>

using namespace llvm;
using namespace llvm::object;
using namespace evenkeel;

/// The functions of libraries by where this file calls them.
static std::map<uint64_t, std::string>
pltEntriesOf(const ELFObjectFileBase &F) {
  InitializeAllTargetInfos();
  InitializeAllTargetMCs();
  std::map<uint64_t, std::string> Out;
  for (const ELFPltEntry &E : F.getPltEntries()) {
    if (!E.Symbol)
      continue;
    auto Name = SymbolRef(*E.Symbol, &F).getName();
    if (Name)
      Out[E.Address] = Name->str();
    else
      consumeError(Name.takeError());
  }
  return Out;
}

/// Instructions of x86-64 have no fixed length, so every byte is tried; what
/// only looks like a call does not lead to the first byte of a PLT entry.
/// Returns the target of the call instruction at \p At in \p Code, which lies
/// at address \p Begin; none: there is no direct call.
static std::optional<uint64_t> calledAt(Triple::ArchType Arch, StringRef Code,
                                        uint64_t Begin, size_t At) {
  if (Arch == Triple::x86_64) {
    constexpr size_t Length = 5;
    if (Code.size() - At < Length || Code[At] != '\xe8')
      return std::nullopt;
    const auto Far =
        static_cast<int32_t>(support::endian::read32le(Code.data() + At + 1));
    return Begin + At + Length + static_cast<uint64_t>(int64_t(Far));
  }
  if (Arch == Triple::aarch64) {
    constexpr size_t Length = 4;
    if (At % Length || Code.size() - At < Length)
      return std::nullopt;
    const uint32_t Word = support::endian::read32le(Code.data() + At);
    constexpr unsigned Bits = 26; // of the distance, in words
    if (Word >> Bits != 0x25)
      return std::nullopt;
    const int64_t Far = static_cast<int32_t>(Word << (32 - Bits)) >>
                        (32 - Bits - 2); // keeps the sign
    return Begin + At + static_cast<uint64_t>(Far);
  }
  return std::nullopt;
}

std::vector<LibraryCall> evenkeel::libraryCalls(const ObjectFile &File) {
  std::vector<LibraryCall> Out;
  const auto *F = dyn_cast<ELFObjectFileBase>(&File);
  if (!F)
    return Out;
  const std::map<uint64_t, std::string> Entries = pltEntriesOf(*F);
  for (const SectionRef &S : File.sections()) {
    if (!S.isText())
      continue;
    auto Code = S.getContents();
    if (!Code) {
      consumeError(Code.takeError());
      continue;
    }
    for (size_t At = 0; At < Code->size(); ++At)
      if (auto To = calledAt(File.getArch(), *Code, S.getAddress(), At))
        if (auto Its = Entries.find(*To); Its != Entries.end())
          Out.push_back({S.getAddress() + At, Its->second});
  }
  llvm::sort(Out, [](const LibraryCall &X, const LibraryCall &Y) {
    return X.At < Y.At;
  });
  return Out;
}
