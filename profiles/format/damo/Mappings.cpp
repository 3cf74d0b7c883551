//===- Mappings.cpp - what lies where in a process ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Mappings.h.
//===----------------------------------------------------------------------===//
#include "Mappings.h"
#include "format/File.h"
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace evenkeel::damo {

static std::optional<uint64_t> hexNumber(const std::string &Text) {
  if (Text.empty() ||
      Text.find_first_not_of("0123456789abcdef") != std::string::npos)
    return {};
  errno = 0;
  const unsigned long long N = std::strtoull(Text.c_str(), nullptr, 16);
  if (errno)
    return {};
  return N;
}

/// Sets kind and name by the last column: a path, a word in brackets, or "".
static void name(const std::string &Last, Mapping &M) {
  if (Last == "[heap]") {
    M.Kind = "heap";
    M.Name = "small blocks of the heap";
  } else if (Last == "[stack]") {
    M.Kind = "stack";
    M.Name = "stack of the first thread";
  } else if (!Last.empty() && Last[0] == '/') {
    M.Kind = "file";
    M.Name = Last.substr(Last.rfind('/') + 1);
  } else {
    M.Kind = "unnamed";
    M.Name = Last.empty() ? "anonymous memory" : Last;
  }
}

Expected<std::vector<Mapping>> parseMappings(const std::string &Text,
                                             const std::string &Path) {
  std::vector<Mapping> Out;
  std::istringstream In(Text);
  std::string Whole;
  for (size_t Number = 1; std::getline(In, Whole); ++Number) {
    std::istringstream Split(Whole);
    std::string Range, Rights, Offset, Device, Inode, Last;
    Split >> Range >> Rights >> Offset >> Device >> Inode >> std::ws;
    std::getline(Split, Last);
    const size_t Dash = Range.find('-');
    const std::optional<uint64_t> Start = hexNumber(Range.substr(0, Dash)),
                                  End = Dash == std::string::npos
                                            ? std::nullopt
                                            : hexNumber(Range.substr(Dash + 1));
    if (!Start || !End || *End <= *Start || Inode.empty() ||
        (!Out.empty() && *Start < Out.back().End))
      return Error{oneLine(Path + ": line " + std::to_string(Number) +
                           " is no line of /proc/PID/maps, or out of order")};
    Mapping M{*Start, *End, "", ""};
    name(Last, M);
    if (!Out.empty() && Out.back().End == M.Start &&
        Out.back().Kind == M.Kind && Out.back().Name == M.Name)
      Out.back().End = M.End;
    else
      Out.push_back(std::move(M));
  }
  if (Out.empty())
    return Error{oneLine(Path + ": is no copy of /proc/PID/maps")};
  return Out;
}

} // namespace evenkeel::damo
