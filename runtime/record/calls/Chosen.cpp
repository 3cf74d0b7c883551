//===- Chosen.cpp - memory whose kind the program chose -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: blocks of allocators that choose a kind of memory (memkind, hbw_*,
// libnuma, OpenMP's). The allocator is called as usual, so that its failures
// are preserved. The program gets a canonical block instead; its last word
// contains the address of the allocator's block until it is released.
// Not here: where the chosen memory lies; no count depends on it.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Contexts.h"
#include "Makers.h"
#include "record/abi/record_abi.h"
#include "record/objects/Arena.h"
#include "record/tasks/Recorder.h"
#include <cerrno>
#include <cstring>

using namespace ekrec;

static char *lastWord(void *P) {
  return static_cast<char *>(P) + capacityOf(P) - sizeof(void *);
}

/// A block in place of \p Original, or \p Original if there is none.
static void *standIn(uint64_t Site, void *Original, uint64_t N) {
  // Aligned like the original, up to a page.
  uint64_t At = reinterpret_cast<uint64_t>(Original) | 1 << PageBits;
  ThreadState &T = State;
  void *P = N > ~sizeof(void *)
                ? nullptr
                : allocate(makerOf(T), askedAt(Site), N + sizeof(void *),
                           At & (~At + 1), /*Zero=*/true, phaseOf(T));
  if (!P)
    return Original;
  if (Instance *I = blockOf(P))
    I->Bytes = N;
  memcpy(lastWord(P), &Original, sizeof Original);
  return P;
}

extern "C" {

void *__ek_rec_chosen_original(void *P) {
  if (ours(P))
    memcpy(&P, lastWord(P), sizeof P);
  return P;
}

void *__ek_rec_chosen_free(void *P) {
  void *Original = __ek_rec_chosen_original(P);
  if (ours(P))
    __ek_rec_free(P);
  return Original;
}

void *__ek_rec_chosen(uint64_t Site, void *Old, void *Original, uint64_t N) {
  int Saved = errno;
  void *P = Original;
  if (!Original) {
    if (!N && ours(Old)) // resized to 0
      __ek_rec_free(Old);
  } else if (!Old) {
    P = standIn(Site, Original, N);
  } else if (ours(Old)) {
    // The allocator's own block was unused, so it has moved no data.
    uint64_t Before = capacityOf(Old) - sizeof(void *);
    P = standIn(Site, Original, N);
    memcpy(P, Old, Before < N ? Before : N);
    __ek_rec_free(Old);
  }
  errno = Saved;
  return P;
}

void __ek_rec_chosen_out(uint64_t Site, int Failed, void **Out, uint64_t N) {
  if (!Failed)
    *Out = __ek_rec_chosen(Site, nullptr, *Out, N);
}
}
