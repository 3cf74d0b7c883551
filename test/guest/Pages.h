//===- Pages.h - where the kernel says that pages lie -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: move_pages(2) without a target, and /proc/self/numa_maps; two sources
// that owe nothing to the runtime.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_GUEST_PAGES_H
#define EVENKEEL_TEST_GUEST_PAGES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

constexpr size_t Page = 4096, MiB = 1 << 20;

/// Node of each whole page; negative: an errno value.
inline std::vector<int> nodesOf(const void *P, size_t Bytes) {
  std::vector<void *> Pages;
  uintptr_t At = (reinterpret_cast<uintptr_t>(P) + Page - 1) & ~(Page - 1);
  for (uintptr_t End = reinterpret_cast<uintptr_t>(P) + Bytes; At + Page <= End;
       At += Page)
    Pages.push_back(reinterpret_cast<void *>(At));
  std::vector<int> Nodes(Pages.size(), -1000);
  if (syscall(SYS_move_pages, 0, Pages.size(), Pages.data(), nullptr,
              Nodes.data(), 0) != 0)
    Nodes.clear();
  return Nodes;
}

inline size_t pagesOn(int Node, const void *P, size_t Bytes) {
  size_t N = 0;
  for (int X : nodesOf(P, Bytes))
    N += X == Node;
  return N;
}

/// Pages on each node of the mappings that begin in [P, P + Bytes), by
/// numa_maps, and their policies.
struct NumaMaps {
  std::array<size_t, 8> Pages{};
  std::string Policies;
};
inline NumaMaps numaMaps(const void *P, size_t Bytes) {
  NumaMaps M;
  std::ifstream In("/proc/self/numa_maps");
  for (std::string Line; std::getline(In, Line);) {
    std::istringstream Words(Line);
    uintptr_t At;
    std::string Policy, Word;
    Words >> std::hex >> At >> Policy;
    if (At - reinterpret_cast<uintptr_t>(P) >= Bytes)
      continue; // a mapping of its own: other policy than before
    M.Policies += Policy + ";";
    while (Words >> Word) {
      unsigned Node;
      size_t Count;
      if (std::sscanf(Word.c_str(), "N%u=%zu", &Node, &Count) == 2)
        M.Pages.at(Node) += Count;
    }
  }
  return M;
}

/// Bytes in transparent huge pages of mappings that overlap [P, P + Bytes).
inline size_t hugeBytes(const void *P, size_t Bytes) {
  size_t Sum = 0;
  bool Inside = false;
  std::ifstream In("/proc/self/smaps");
  for (std::string Line; std::getline(In, Line);) {
    unsigned long From, To, KiB;
    if (std::sscanf(Line.c_str(), "%lx-%lx ", &From, &To) == 2)
      Inside = From < reinterpret_cast<uintptr_t>(P) + Bytes &&
               To > reinterpret_cast<uintptr_t>(P);
    else if (Inside &&
             std::sscanf(Line.c_str(), "AnonHugePages: %lu", &KiB) == 1)
      Sum += KiB * 1024;
  }
  return Sum;
}

#endif
