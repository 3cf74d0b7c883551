//===- Mapping.cpp - mappings and MPI memory of recorded programs ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a mapping made by recorded code becomes the same mapping at canonical
// addresses: over pages of the arena, by MAP_FIXED, with the program's own
// protection, flags and file. Unmapped pages return to the arena when all pages
// of the block are unmapped. MPI's memory is ordinary memory of ours.
// Not here: mappings at addresses that the program chose.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Contexts.h"
#include "Makers.h"
#include "record/abi/record_abi.h"
#include "record/objects/Arena.h"
#include "record/tasks/Recorder.h"
#include <cerrno>
#include <sys/mman.h>

using namespace ekrec;

extern "C" {
// From the program's MPI library, if it has one; the type of MPI_Info varies.
__attribute__((weak)) int MPI_Alloc_mem(ptrdiff_t, uintptr_t, void *);
__attribute__((weak)) int MPI_Free_mem(void *);
}

static constexpr uint64_t PageBytes = EK_PAGE;

static uint64_t addressOf(const void *P) {
  return reinterpret_cast<uint64_t>(P);
}

static uint64_t wholePages(uint64_t N) {
  return (N + PageBytes - 1) & ~(PageBytes - 1);
}

/// Restores the pages to the arena's protection, whatever was mapped there.
static void restore(void *P, size_t N) {
  mmap(P, N, PROT_READ | PROT_WRITE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void release(void *P) {
  ThreadState &T = State;
  release(makerOf(T), P, phaseOf(T));
}

/// The pages [\p P, \p P + \p N) of one of our blocks are unused from now on.
static void unmapPart(Instance &I, void *P, uint64_t N) {
  restore(P, N);
  uint64_t Gone = __atomic_add_fetch(&I.Unmapped, N, __ATOMIC_RELAXED);
  if (Gone >= I.Capacity)
    release(reinterpret_cast<void *>(I.Start));
}

/// The same for any pages, which may belong to several blocks or to none.
static int unmap(void *P, uint64_t N) {
  char *At = static_cast<char *>(P), *End = At + N;
  while (At < End) {
    Instance *I = ours(At) ? blockOf(At) : nullptr;
    uint64_t Rest = static_cast<uint64_t>(End - At);
    if (!ours(At)) {
      // Up to the begin of our range.
      uint64_t Gap = Base - addressOf(At);
      uint64_t Part = addressOf(At) < Base && Gap < Rest ? Gap : Rest;
      if (munmap(At, Part))
        return -1;
      At += Part;
    } else if (I) {
      uint64_t Last = I->Start + I->Capacity - addressOf(At);
      uint64_t Part = Last < Rest ? Last : Rest;
      unmapPart(*I, At, Part);
      At += Part;
    } else {
      At += PageBytes;
    }
  }
  return 0;
}

static size_t alignmentOf(int Flags) {
  if (!(Flags & MAP_HUGETLB))
    return PageBytes;
  unsigned Log = static_cast<unsigned>(Flags) >> 26 & 63; // MAP_HUGE_SHIFT
  return size_t(1) << (Log ? Log : 21);
}

extern "C" {

void *__ek_rec_mmap(uint64_t Site, void *Hint, size_t N, int Protection,
                    int Flags, int File, long Offset) {
  ThreadState &T = State;
  constexpr int Elsewhere =
      MAP_FIXED | 0x100000 /*FIXED_NOREPLACE*/ | MAP_GROWSDOWN | MAP_32BIT;
  void *P = Flags & Elsewhere || !N
                ? nullptr
                : allocatePages(makerOf(T), askedAt(Site), N,
                                alignmentOf(Flags), phaseOf(T));
  if (!P)
    return mmap(Hint, N, Protection, Flags, File, Offset);
  if (mmap(P, N, Protection, Flags | MAP_FIXED, File, Offset) == P)
    return P;
  int Saved = errno;
  restore(P, wholePages(N));
  release(P);
  errno = Saved;
  return MAP_FAILED;
}

int __ek_rec_munmap(void *P, size_t N) {
  if (!N || addressOf(P) % PageBytes || addressOf(P) + N < addressOf(P))
    return munmap(P, N);
  int Saved = errno;
  if (unmap(P, wholePages(N)))
    return -1;
  errno = Saved;
  return 0;
}

void *__ek_rec_mremap(uint64_t Site, void *P, size_t Old, size_t N, int Flags,
                      void *To) {
  ThreadState &T = State;
  Instance *I = ours(P) ? blockOf(P) : nullptr;
  Old = wholePages(Old);
  if (!I || !Old || !N || addressOf(P) % PageBytes || Flags & ~MREMAP_MAYMOVE)
    return mremap(P, Old, N, Flags, To);
  if (wholePages(N) <= Old) {
    __ek_rec_munmap(static_cast<char *>(P) + wholePages(N),
                    Old - wholePages(N));
    return P;
  }
  if (!(Flags & MREMAP_MAYMOVE)) {
    errno = ENOMEM; // other mappings may follow
    return MAP_FAILED;
  }
  void *New = allocatePages(makerOf(T),
                            Site ? askedAt(Site) : Asked{I->Site, I->Context},
                            N, PageBytes, phaseOf(T));
  void *Got = mremap(P, Old, N, New ? Flags | MREMAP_FIXED : Flags, New);
  int Saved = errno;
  if (Got == MAP_FAILED) {
    if (New)
      release(New);
  } else {
    unmapPart(*I, P, Old);
  }
  errno = Saved;
  return Got;
}

int __ek_rec_mpi_alloc_mem(uint64_t Site, ptrdiff_t N, uintptr_t Info,
                           void *Out) {
  ThreadState &T = State;
  void *P = N < 0 ? nullptr
                  : allocate(makerOf(T), askedAt(Site), static_cast<size_t>(N),
                             64, false, phaseOf(T));
  if (!P)
    return MPI_Alloc_mem ? MPI_Alloc_mem(N, Info, Out) : 34 /*MPI_ERR_NO_MEM*/;
  *static_cast<void **>(Out) = P;
  return 0;
}

int __ek_rec_mpi_free_mem(void *P) {
  if (ours(P))
    __ek_rec_free(P);
  else if (MPI_Free_mem)
    return MPI_Free_mem(P);
  return 0;
}
}
