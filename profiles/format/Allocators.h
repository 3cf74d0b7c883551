//===- Allocators.h - allocation functions ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the allocation functions of C, POSIX, MPI, memkind, libnuma and
// OpenMP; which arguments are the size, which one points to the result, and
// which block is reallocated; and the list in which users name further
// allocators:
//   NAME[:SIZE[*COUNT]][>OUT], ...
// SIZE and COUNT are the numbers, from 1, of the arguments whose product is the
// size. OUT is the number of the argument that points to the result (default:
// the return value). NAME is qualified, without parameters.
// The rewriter and the passes use this list, so that both agree.
// Not here: operator new, containers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_ALLOCATORS_H
#define EVENKEEL_FORMAT_ALLOCATORS_H

#include <map>
#include <string>
#include <string_view>

namespace evenkeel {

/// Heap: from the C library. Outside: from the system or MPI, not on the heap.
/// Chosen: from a library with which the program chooses the memory itself; a
/// plan must not override it.
enum class AllocatorOrigin { Heap, Outside, Chosen };

/// Arguments count from 0; -1: none.
struct Allocator {
  std::string_view Name;
  AllocatorOrigin From;
  signed char Size, Count = -1;
  signed char Out =
      -1; // argument that points to the result; -1: it is returned
  signed char Old = -1; // argument that is the reallocated block
};

/// The allocator with this name or alias (mmap64, PMPI_Alloc_mem), or null.
/// Never freed.
inline const Allocator *findAllocator(std::string_view Name) {
  constexpr auto Heap = AllocatorOrigin::Heap,
                 Outside = AllocatorOrigin::Outside,
                 Chosen = AllocatorOrigin::Chosen;
  static constexpr Allocator All[] = {
      {"malloc", Heap, 0},
      {"calloc", Heap, 1, 0},
      {"realloc", Heap, 1, -1, -1, 0},
      {"reallocarray", Heap, 2, 1, -1, 0},
      {"aligned_alloc", Heap, 1},
      {"memalign", Heap, 1},
      {"valloc", Heap, 0},
      {"pvalloc", Heap, 0},
      {"posix_memalign", Heap, 2, -1, 0},
      {"_mm_malloc", Heap, 0},
      {"mmap", Outside, 1},
      {"MPI_Alloc_mem", Outside, 0, -1, 2},
      {"memkind_malloc", Chosen, 1},
      {"memkind_calloc", Chosen, 2, 1},
      {"memkind_realloc", Chosen, 2, -1, -1, 1},
      {"memkind_posix_memalign", Chosen, 3, -1, 1},
      {"hbw_malloc", Chosen, 0},
      {"hbw_calloc", Chosen, 1, 0},
      {"hbw_realloc", Chosen, 1, -1, -1, 0},
      {"hbw_posix_memalign", Chosen, 2, -1, 0},
      {"hbw_posix_memalign_psize", Chosen, 2, -1, 0},
      {"numa_alloc", Chosen, 0},
      {"numa_alloc_local", Chosen, 0},
      {"numa_alloc_onnode", Chosen, 0},
      {"numa_alloc_interleaved", Chosen, 0},
      {"numa_alloc_interleaved_subset", Chosen, 0},
      {"numa_realloc", Chosen, 2, -1, -1, 0},
      {"omp_alloc", Chosen, 0},
      {"omp_calloc", Chosen, 1, 0},
      {"omp_aligned_alloc", Chosen, 1},
      {"omp_aligned_calloc", Chosen, 2, 1},
      {"omp_realloc", Chosen, 1, -1, -1, 0},
      {"kmp_malloc", Chosen, 0},
      {"kmp_aligned_malloc", Chosen, 0},
      {"kmp_calloc", Chosen, 1, 0},
      {"kmp_realloc", Chosen, 1, -1, -1, 0},
  };
  if (Name == "mmap64")
    Name = "mmap";
  else if (Name == "PMPI_Alloc_mem")
    Name = "MPI_Alloc_mem";
  for (const Allocator &A : All)
    if (A.Name == Name)
      return &A;
  return nullptr;
}

/// The index of the argument of function \p Name that is a block of Chosen
/// memory to be freed; -1 if it is not such a function.
inline int releasedArgument(std::string_view Name) {
  if (Name == "memkind_free")
    return 1;
  return Name == "hbw_free" || Name == "numa_free" || Name == "omp_free" ||
                 Name == "kmp_free"
             ? 0
             : -1;
}

/// Functions that return new memory (attribute malloc) which is not data of the
/// program: streams, strings, a library's own state.
inline bool returnsNoData(std::string_view Name) {
  for (std::string_view N : {"fopen",
                             "fopen64",
                             "fdopen",
                             "freopen",
                             "freopen64",
                             "popen",
                             "tmpfile",
                             "tmpfile64",
                             "fmemopen",
                             "open_memstream",
                             "open_wmemstream",
                             "fopencookie",
                             "opendir",
                             "fdopendir",
                             "setmntent",
                             "strdup",
                             "strndup",
                             "__strdup",
                             "__strndup",
                             "wcsdup",
                             "tempnam",
                             "getcwd",
                             "get_current_dir_name",
                             "canonicalize_file_name",
                             "realpath",
                             "backtrace_symbols"})
    if (Name == N)
      return true;
  return Name.substr(0, 2) == "__";
}

/// Allocators that the user names.
using AllocatorList = std::map<std::string, Allocator, std::less<>>;

/// Adds the allocators in \p Text, separated by commas, to \p List. Returns an
/// error message, or "" on success.
inline std::string readAllocators(std::string_view Text, AllocatorList &List) {
  while (!Text.empty()) {
    std::string_view Item = Text.substr(0, Text.find(','));
    Text.remove_prefix(Item.size() < Text.size() ? Item.size() + 1
                                                 : Text.size());
    // The colons of a qualified name come in pairs.
    size_t Name = 0;
    while (Name < Item.size() && Item[Name] != '>' &&
           (Item[Name] != ':' || Item.substr(Name, 2) == "::"))
      Name += Item[Name] == ':' ? 2 : 1;
    Allocator A{{}, AllocatorOrigin::Chosen, -1};
    std::string_view Rest = Item.substr(Name);
    auto Number = [&](char Mark, signed char &Into) {
      if (Rest.empty() || Rest[0] != Mark)
        return true;
      unsigned N = 0;
      size_t Digits = 1;
      for (; Digits < Rest.size() && Digits < 4 && Rest[Digits] >= '0' &&
             Rest[Digits] <= '9';
           ++Digits)
        N = N * 10 + unsigned(Rest[Digits] - '0');
      Rest.remove_prefix(Digits);
      Into = static_cast<signed char>(N - 1);
      return N >= 1 && N <= 100;
    };
    bool Sized = !Rest.empty() && Rest[0] == ':';
    if (!Name || !Number(':', A.Size) || (Sized && !Number('*', A.Count)) ||
        !Number('>', A.Out) || !Rest.empty())
      return "not an allocator: '" + std::string(Item) +
             "'; write NAME[:SIZE[*COUNT]][>OUT] with the numbers of its "
             "arguments from 1";
    List.insert_or_assign(std::string(Item.substr(0, Name)), A);
  }
  return {};
}

} // namespace evenkeel

#endif
