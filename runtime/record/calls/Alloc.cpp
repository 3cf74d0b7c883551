//===- Alloc.cpp - allocation calls of recorded programs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ownership in both directions. Calls in instrumented code have a site
// and get canonical memory, or the C library's if there is none (counted).
// Instrumented code may free blocks of the C library, and `free`, `realloc` and
// `malloc_usable_size` are interposed for our blocks in other code.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Alloc.h"
#include "Contexts.h"
#include "Makers.h"
#include "record/abi/record_abi.h"
#include "record/host/Report.h"
#include "record/objects/Arena.h"
#include "record/objects/StaticArrays.h"
#include "record/races/Races.h"
#include "record/tasks/Recorder.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <malloc.h>

using namespace ekrec;

extern "C" {
void __libc_free(void *);
void *__libc_realloc(void *, size_t);
// operator new, new[], aligned new; operator delete, delete[].
__attribute__((weak)) void *_Znwm(size_t);
__attribute__((weak)) void *_ZnwmSt11align_val_t(size_t, size_t);
__attribute__((weak)) void _ZdlPv(void *);
__attribute__((weak)) void _ZdaPv(void *);
}

using FreeType = void (*)(void *);
using ReallocType = void *(*)(void *, size_t);
using SizeType = size_t (*)(void *);

// The next definitions in link order, so that another allocator keeps working.
// Looked up once at start, never inside free: dlsym calls free, too.
static FreeType NextFree;
static ReallocType NextRealloc;
static SizeType NextSize;

/// Whether both functions are in one library.
static bool lieTogether(const void *F, const void *Other) {
  Dl_info A, B;
  return F && Other && dladdr(F, &A) && dladdr(Other, &B) &&
         A.dli_fbase == B.dli_fbase;
}

/// Whether \p Free belongs to the C library or to the runtime, as in programs
/// that were not recorded. Other allocators are part of the program, whose
/// recorded code calls us anyway.
static bool isOfOthers(const void *Free) {
  return lieTogether(Free, reinterpret_cast<const void *>(&__libc_free)) ||
         lieTogether(Free, dlsym(RTLD_DEFAULT, "ek_malloc"));
}

bool ekrec::findNextAllocator() {
  NextFree = reinterpret_cast<FreeType>(dlsym(RTLD_NEXT, "free"));
  NextRealloc = reinterpret_cast<ReallocType>(dlsym(RTLD_NEXT, "realloc"));
  NextSize = reinterpret_cast<SizeType>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return !isOfOthers(dlsym(RTLD_DEFAULT, "free"));
}

static void foreignFree(void *P) { NextFree ? NextFree(P) : __libc_free(P); }

static void *foreignRealloc(void *P, size_t N) {
  return NextRealloc ? NextRealloc(P, N) : __libc_realloc(P, N);
}

static void *take(Asked Who, size_t N, size_t Align, bool Zero) {
  ThreadState &T = State;
  void *P = allocate(makerOf(T), Who, N, Align, Zero, phaseOf(T));
  if (P && N >= LargeBytes)
    expectLines(reinterpret_cast<uint64_t>(P), N);
  return P;
}

static void *take(uint64_t Site, size_t N, size_t Align, bool Zero) {
  return take(askedAt(Site), N, Align, Zero);
}

static void give(void *P) {
  int Saved = errno;
  ThreadState &T = State;
  release(makerOf(T), P, phaseOf(T));
  errno = Saved;
}

static void *resize(uint64_t Site, void *P, size_t N) {
  if (!N) { // as glibc does
    give(P);
    return nullptr;
  }
  if (resizeInPlace(P, N))
    return P;
  void *New = resized(makerOf(State), Site ? askedAt(Site) : askedFor(P), N,
                      phaseOf(State));
  if (!New)
    New = malloc(N);
  if (!New)
    return nullptr;
  size_t Old = capacityOf(P);
  memcpy(New, P, Old < N ? Old : N);
  give(P);
  return New;
}

extern "C" {

void *__ek_rec_malloc(uint64_t Site, size_t N) {
  void *P = take(Site, N, 16, false);
  return P ? P : malloc(N);
}

void *__ek_rec_calloc(uint64_t Site, size_t K, size_t N) {
  size_t Bytes;
  if (__builtin_mul_overflow(K, N, &Bytes))
    return calloc(K, N);
  void *P = take(Site, Bytes, 16, true);
  return P ? P : calloc(K, N);
}

void *__ek_rec_realloc(uint64_t Site, void *P, size_t N) {
  if (!P)
    return __ek_rec_malloc(Site, N);
  return ours(P) ? resize(Site, P, N) : foreignRealloc(P, N);
}

void *__ek_rec_reallocarray(uint64_t Site, void *P, size_t K, size_t N) {
  size_t Bytes;
  if (__builtin_mul_overflow(K, N, &Bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __ek_rec_realloc(Site, P, Bytes);
}

void *__ek_rec_aligned_alloc(uint64_t Site, size_t Align, size_t N) {
  void *P = nullptr;
  if (Align && !(Align & (Align - 1)))
    P = take(Site, N, Align, false);
  return P ? P : aligned_alloc(Align, N);
}

int __ek_rec_posix_memalign(uint64_t Site, void **Out, size_t Align, size_t N) {
  void *P = nullptr;
  if (Align >= sizeof(void *) && !(Align & (Align - 1)))
    P = take(Site, N, Align, false);
  if (!P)
    return posix_memalign(Out, Align, N);
  *Out = P;
  return 0;
}

void *__ek_rec_new(uint64_t Site, size_t N) {
  void *P = take(Site, N, 16, false);
  if (!P)
    P = _Znwm ? _Znwm(N) : malloc(N);
  return P;
}

void *__ek_rec_new_nothrow(uint64_t Site, size_t N) {
  return __ek_rec_malloc(Site, N);
}

void *__ek_rec_new_aligned(uint64_t Site, size_t N, size_t Align) {
  void *P = take(Site, N, Align, false);
  if (!P)
    P = _ZnwmSt11align_val_t ? _ZnwmSt11align_val_t(N, Align)
                             : aligned_alloc(Align, N);
  return P;
}

void __ek_rec_free(void *P) {
  if (ours(P))
    give(P);
  else
    foreignFree(P);
}

void __ek_rec_delete(void *P) {
  if (ours(P) || !_ZdlPv)
    __ek_rec_free(P);
  else
    _ZdlPv(P);
}

void __ek_rec_delete_array(void *P) {
  if (ours(P) || !_ZdaPv)
    __ek_rec_free(P);
  else
    _ZdaPv(P);
}

uint64_t __ek_rec_stack_mark(void) {
  return State.Locals ? State.Locals->size() : 0;
}

void *__ek_rec_stack(uint64_t Site, size_t N, size_t Align) {
  void *P = take(Site, N, Align, false);
  if (!P)
    P = aligned_alloc(Align < 16 ? 16 : Align, N + 1);
  Vec<void *> *&Locals = State.Locals;
  if (!Locals) // zeroed pages are an empty one
    Locals = static_cast<Vec<void *> *>(reservePages(sizeof *Locals));
  if (!P || !Locals || !Locals->push(P)) {
    report("no memory for an array on the stack of %zu bytes", N);
    abort(); // the program cannot check for failure
  }
  return P;
}

void __ek_rec_stack_reset(uint64_t Mark) {
  Vec<void *> *Locals = State.Locals;
  while (Locals && Locals->size() > Mark) {
    __ek_rec_free((*Locals)[Locals->size() - 1]);
    Locals->eraseAt(Locals->size() - 1);
  }
}

void __ek_rec_global(uint64_t Site, void *P, size_t N) {
  if (!closed())
    registerGlobal(Site, P, N);
}

void free(void *P) { __ek_rec_free(P); }

void *realloc(void *P, size_t N) {
  return ours(P) ? resize(0, P, N) : foreignRealloc(P, N);
}

size_t malloc_usable_size(void *P) {
  if (ours(P))
    return capacityOf(P);
  return NextSize ? NextSize(P) : 0;
}
}
