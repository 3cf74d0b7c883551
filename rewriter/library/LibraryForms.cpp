//===- LibraryForms.cpp - calls of OpenMP and memkind ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LibraryForms.h. \4 is NamePlace.
//===----------------------------------------------------------------------===//
#include "LibraryForms.h"
#include "edits/Findings.h"

namespace evenkeel {

static_assert(NamePlace == '\4', "the texts below contain it");

static constexpr char BehindOmp[] = ", \4";
static constexpr LibraryForm OpenMPForms[] = {
    {"malloc", "omp_alloc", "", BehindOmp},
    {"calloc", "omp_calloc", "", BehindOmp},
    {"realloc", "omp_realloc", "", ", \4, omp_null_allocator"},
    {"aligned_alloc", "omp_aligned_alloc", "", BehindOmp},
    {"memalign", "omp_aligned_alloc", "", BehindOmp},
    {"posix_memalign", "memory_posix_memalign", "\4, ", ""},
    {"free", "omp_free", "", ", omp_null_allocator"},
};

static constexpr char BeforeMemkind[] = "\4, ";
static constexpr LibraryForm MemkindForms[] = {
    {"malloc", "memkind_malloc", BeforeMemkind, ""},
    {"calloc", "memkind_calloc", BeforeMemkind, ""},
    {"realloc", "memkind_realloc", BeforeMemkind, ""},
    {"aligned_alloc", "memory_aligned_alloc", BeforeMemkind, ""},
    {"memalign", "memory_aligned_alloc", BeforeMemkind, ""},
    {"posix_memalign", "memkind_posix_memalign", BeforeMemkind, ""},
    {"free", "memkind_free", "NULL, ", ""},
};

const LibraryForm *libraryForm(LibraryCalls Style, llvm::StringRef Function) {
  Function.consume_front("__builtin_");
  if (Style == LibraryCalls::OpenMP) {
    for (const LibraryForm &F : OpenMPForms)
      if (Function == F.Function)
        return &F;
  } else if (Style == LibraryCalls::Memkind) {
    for (const LibraryForm &F : MemkindForms)
      if (Function == F.Function)
        return &F;
  }
  return nullptr;
}

} // namespace evenkeel
