//===- MemoryConfig.cpp - ecoHMEM's list of tiers -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemoryConfig.h.
//===----------------------------------------------------------------------===//
#include "MemoryConfig.h"
#include "Numbers.h"
#include "format/File.h"

using namespace evenkeel;
using namespace evenkeel::ecohmem;

static std::vector<std::string> fieldsOf(const std::string &Line) {
  std::vector<std::string> Out(1);
  for (char C : Line) {
    if (C == ',')
      Out.emplace_back();
    else
      Out.back() += C;
  }
  return Out;
}

Expected<std::vector<MemoryTier>>
ecohmem::parseMemoryConfig(const std::string &Raw, const std::string &Path) {
  const std::string Text = unixLines(Raw);
  std::vector<MemoryTier> Tiers;
  for (size_t From = 0; From < Text.size();) {
    size_t To = std::min(Text.find('\n', From), Text.size());
    std::vector<std::string> F = fieldsOf(Text.substr(From, To - From));
    From = To + 1;
    std::string Where =
        oneLine(Path) + ": line " + std::to_string(Tiers.size() + 1) + ": ";
    if (F.size() < 5)
      return Error{Where + "expected name,load weight,store weight,size,"
                           "allocator, as in DRAM,1,1,12G,posix"};
    std::optional<int64_t> Loads = readInteger(F[1]),
                           Stores = readInteger(F[2]), Bytes = readBytes(F[3]);
    auto IsWeight = [](std::optional<int64_t> W) {
      return W && *W > -(int64_t(1) << 31) && *W < int64_t(1) << 31;
    };
    if (!IsWeight(Loads) || !IsWeight(Stores))
      return Error{Where + "the weights of loads and stores have to be whole "
                           "numbers, as in DRAM,1,1,12G,posix"};
    if (!Bytes)
      return Error{Where + "size '" + oneLine(F[3]) +
                   "': expected a number with b, K, M, G or T"};
    Tiers.push_back({F[0], F[4], *Loads, *Stores, *Bytes});
  }
  if (Tiers.empty())
    return Error{oneLine(Path) + ": no tiers; expected one to a line, as in "
                                 "DRAM,1,1,12G,posix"};
  return Tiers;
}

Expected<std::vector<MemoryTier>>
ecohmem::readMemoryConfig(const std::string &Path) {
  Expected<std::string> Text = readWholeFile(Path);
  if (!Text)
    return Text.takeError();
  return parseMemoryConfig(*Text, Path);
}

std::string ecohmem::memoryConfigText(const std::vector<MemoryTier> &Tiers) {
  std::string Out;
  for (const MemoryTier &T : Tiers)
    Out += T.Name + "," + std::to_string(T.LoadWeight) + "," +
           std::to_string(T.StoreWeight) + "," + std::to_string(T.Bytes) +
           "b," + T.Allocator + "\n";
  return Out;
}
