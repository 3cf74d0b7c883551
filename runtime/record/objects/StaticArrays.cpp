//===- StaticArrays.cpp - static arrays and their neighbourhoods ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StaticArrays.h.
//===----------------------------------------------------------------------===//
#include "StaticArrays.h"
#include "Naming.h"
#include "record/host/Report.h"
#include <algorithm>
#include <dlfcn.h>

using namespace ekrec;

namespace {
struct GlobalArray {
  uint64_t Start, Bytes; // canonical
  uint32_t Instance;
};
} // namespace

static Vec<GlobalArray> Globals; // sorted by Start

/// The number of page \p Page of the address space within an array. An array
/// that starts within a page touches one page more than its size; that page
/// counts as its last one.
static uint32_t pageOfArray(uint64_t Start, uint64_t Bytes, uint64_t Page) {
  uint64_t First = Start >> PageBits, Last = (Bytes - 1) >> PageBits;
  return static_cast<uint32_t>(Page > First ? std::min(Page - First, Last) : 0);
}

void ekrec::registerGlobal(uint64_t Site, void *P, size_t Bytes) {
  Dl_info Info;
  if (!TheSpace.Pages || !Bytes || !dladdr(P, &Info) || !Info.dli_fbase)
    return;
  uint64_t Low = reinterpret_cast<uint64_t>(Info.dli_fbase);
  uint64_t A = reinterpret_cast<uint64_t>(P);
  Image *M = nullptr;
  for (unsigned I = 0; I < TheSpace.NumImages; ++I)
    if (TheSpace.Image_[I].Low == Low)
      M = &TheSpace.Image_[I];
  if (!M) {
    if (TheSpace.NumImages == Images) {
      count(Why::ImageRefused);
      return;
    }
    M = &TheSpace.Image_[TheSpace.NumImages];
    *M = {Low, Low, Base + (Ranges + uint64_t(TheSpace.NumImages)) * SlotBytes};
    ++TheSpace.NumImages;
  }
  if (A + Bytes - Low > SlotBytes) {
    count(Why::ImageRefused);
    return;
  }
  if (A + Bytes > M->High)
    M->High = A + Bytes;
  uint64_t Start = A - Low + M->Canonical;
  size_t At = std::lower_bound(Globals.begin(), Globals.end(), Start,
                               [](const GlobalArray &G, uint64_t S) {
                                 return G.Start < S;
                               }) -
              Globals.begin();
  if (At < Globals.size() && Globals[At].Start == Start)
    return;
  uint32_t N = newInstance({Site, 0}, 0, 0, /*Small=*/false);
  if (!N || !Globals.insertAt(At, {Start, Bytes, N})) {
    count(Why::NoMemory);
    return;
  }
  TheSpace.Table[N].Bytes = Bytes;
  TheSpace.Table[N].Start = Start;
  TheSpace.Table[N].Span = spanOf(Bytes);
  for (uint64_t G = Start >> PageBits; G <= (Start + Bytes - 1) >> PageBits;
       ++G) {
    bool Whole = G << PageBits >= Start && (G + 1) << PageBits <= Start + Bytes;
    TheSpace.Pages[G - (Base >> PageBits)] =
        Whole ? Page{N, pageOfArray(Start, Bytes, G)} : Page{MixedPage, 0};
  }
}

Page ekrec::lookupMixed(uint64_t Canonical) {
  // By line, not by byte: an evicted line is known only by its first byte. A
  // line that two arrays share belongs to the later one.
  const GlobalArray *G = std::upper_bound(
      Globals.begin(), Globals.end(), Canonical | (EK_LINE - 1),
      [](uint64_t S, const GlobalArray &E) { return S < E.Start; });
  if (G == Globals.begin())
    return {0, 0};
  --G;
  if ((Canonical & ~uint64_t(EK_LINE - 1)) >= G->Start + G->Bytes)
    return {0, 0};
  return {G->Instance, pageOfArray(G->Start, G->Bytes, Canonical >> PageBits)};
}

static const GlobalArray *arrayOf(uint64_t C) {
  const GlobalArray *G = std::upper_bound(
      Globals.begin(), Globals.end(), C,
      [](uint64_t S, const GlobalArray &E) { return S < E.Start; });
  if (G == Globals.begin())
    return nullptr;
  --G;
  return C < G->Start + G->Bytes ? G : nullptr;
}

uint32_t ekrec::instanceOfMixed(uint64_t C) {
  const GlobalArray *G = arrayOf(C);
  return G ? G->Instance : 0;
}

Surroundings ekrec::surroundingsOf(uint64_t C) {
  const uint64_t PageStart = C >> PageBits << PageBits;
  const uint32_t N = TheSpace.Pages[(C - Base) >> PageBits].Instance;
  if (N == MixedPage) {
    const GlobalArray *G = arrayOf(C);
    return G ? Surroundings{G->Start, G->Bytes} : Surroundings{C, 1};
  }
  if (const Instance &I = TheSpace.Table[N];
      N && C >= I.Start && C - I.Start < I.Bytes)
    return {I.Start, I.Bytes};
  return {PageStart, uint64_t(1) << PageBits}; // of a slab, or unused
}

Surroundings ekrec::surroundingsAround(uint64_t Address) {
  if (const uint64_t C = canonical(Address)) {
    const Surroundings E = surroundingsOf(C);
    return {E.Low + (Address - C), E.Size};
  }
  const uint64_t Low = Address >> PageBits << PageBits,
                 High = Low + (1 << PageBits) - 1;
  // A page in which static arrays begin or end.
  if (canonical(Low) || canonical(High))
    return {Address, 1};
  return {Low, uint64_t(1) << PageBits};
}
