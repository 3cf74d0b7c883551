//===- MemoryHeader.cpp - the header of sources that call a library -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MemoryHeader.h. Functions are weak, so that all units of a program share
// one allocator and C and C++ may be mixed.
//===----------------------------------------------------------------------===//
#include "MemoryHeader.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

namespace evenkeel {
using llvm::StringRef;

static constexpr char Mark[] = "Made by evenkeel rewrite --style ";

namespace {
/// A kind of memory: the function that returns it, and what the library calls
/// it.
struct Kind {
  const char *Function, *OpenMP, *Memkind, *Comment;
};
} // namespace

static constexpr Kind Kinds[] = {
    {"high_bandwidth_memory", "omp_high_bw_mem_space", "MEMKIND_HBW_PREFERRED",
     "High-bandwidth memory (HBM)"},
    {"large_capacity_memory", "omp_large_cap_mem_space",
     "MEMKIND_HIGHEST_CAPACITY_PREFERRED",
     "The memory of the largest capacity"},
    {"persistent_memory", "", "MEMKIND_DAX_KMEM_PREFERRED",
     "Persistent memory that the system uses as main memory"},
    {"ordinary_memory", "omp_default_mem_space", "",
     "As malloc, for blocks that are freed together with those of other kinds"},
};
static constexpr const char *Helpers[] = {
    "memory_posix_memalign", "memory_aligned_alloc", "memory_delete_array"};
/// That the sources have an array of a kind of memory by new.
static constexpr char NewArray[] = "new[]";

void addUsedMemory(StringRef Source, std::set<std::string> &Used) {
  auto Add = [&](const char *Name) {
    const StringRef Call(Name);
    for (size_t At = Source.find(Call); At != StringRef::npos;
         At = Source.find(Call, At + 1)) {
      const StringRef After = Source.drop_front(At + Call.size());
      if (After.starts_with("(") &&
          (At == 0 ||
           !(llvm::isAlnum(Source[At - 1]) || Source[At - 1] == '_')))
        Used.insert(Name);
    }
  };
  for (const Kind &K : Kinds) {
    Add(K.Function);
    for (const char *Before : {"new (", "new("})
      if (Source.contains((Before + StringRef(K.Function)).str()))
        Used.insert(NewArray);
  }
  if (Source.contains("new (MEMKIND_DEFAULT)") ||
      Source.contains("new(MEMKIND_DEFAULT)"))
    Used.insert(NewArray);
  for (const char *Helper : Helpers)
    Add(Helper);
}

bool isMemoryHeader(StringRef Text) {
  return Text.take_front(400).contains(Mark);
}

static const char OpenMPAllocator[] =
    R"(/* An allocator of a memory space, made at the first call. If OpenMP has
   no such space, or no room left there, blocks come from the default space. */
static __inline__ omp_allocator_handle_t
memory_allocator_(omp_allocator_handle_t *made, omp_memspace_handle_t space) {
  omp_alloctrait_t traits[2];
  omp_allocator_handle_t other = __atomic_load_n(made, __ATOMIC_ACQUIRE);
  omp_allocator_handle_t mine;
  if (other != omp_null_allocator)
    return other;
  traits[0].key = omp_atk_alignment; /* as malloc */
  traits[0].value = 16;
  traits[1].key = omp_atk_fallback;
  traits[1].value = omp_atv_default_mem_fb;
  mine = omp_init_allocator(space, 2, traits);
  if (mine == omp_null_allocator)
    mine = omp_init_allocator(omp_default_mem_space, 2, traits);
  if (mine == omp_null_allocator)
    return omp_default_mem_alloc;
  if (__atomic_compare_exchange_n(made, &other, mine, 0, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return mine;
  omp_destroy_allocator(mine); /* another thread was first */
  return other;
}
)";

static const char OpenMPAligned[] =
    R"(static __inline__ int memory_posix_memalign(omp_allocator_handle_t where,
                                            void **block, size_t alignment,
                                            size_t size) {
  void *made;
  if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment)
    return EINVAL;
  made = omp_aligned_alloc(alignment, size, where);
  if (!made && size)
    return ENOMEM;
  *block = made;
  return 0;
}
)";

static const char MemkindAligned[] =
    R"(static __inline__ void *
memory_aligned_alloc(memkind_t kind, size_t alignment, size_t size) {
  void *made = NULL;
  const int wrong = memkind_posix_memalign(kind, &made, alignment, size);
  if (wrong)
    errno = wrong;
  return wrong ? NULL : made;
}
)";

static const char NewArrays[] =
    R"(
#ifdef __cplusplus
#include <new>

/* new (kind) T[n] for types without a destructor, and its delete[]. */
__attribute__((noinline)) inline void *operator new[](size_t size, KIND where) {
  void *made = MADE;
  if (!made)
    throw std::bad_alloc();
  return made;
}
__attribute__((noinline)) inline void operator delete[](void *block, KIND) {
  FREED;
}
template <class T> inline void memory_delete_array(T *block) {
  operator delete[](
      const_cast<void *>(static_cast<const volatile void *>(block)), NONE);
}
#endif
)";

static std::string newArrays(bool OpenMP) {
  std::string Out = NewArrays;
  const std::pair<const char *, const char *> Words[] = {
      {"KIND", OpenMP ? "omp_allocator_handle_t" : "memkind_t"},
      {"MADE", OpenMP ? "omp_alloc(size ? size : 1, where)"
                      : "memkind_malloc(where, size ? size : 1)"},
      {"FREED", OpenMP ? "omp_free(block, omp_null_allocator)"
                       : "memkind_free(NULL, block)"},
      {"NONE", OpenMP ? "omp_null_allocator" : "MEMKIND_DEFAULT"}};
  for (auto [Word, By] : Words)
    for (size_t At; (At = Out.find(Word)) != std::string::npos;)
      Out.replace(At, std::strlen(Word), By);
  return Out;
}

/// The function of \p K.
static std::string kindText(const Kind &K, LibraryCalls Style) {
  const std::string Function = std::string(K.Function) + "(void)";
  const bool OpenMP = Style == LibraryCalls::OpenMP;
  const std::string Type = OpenMP ? "omp_allocator_handle_t" : "memkind_t";
  std::string Out = "\n/* " + std::string(K.Comment) + ". */\n" + Type + " " +
                    Function + ";\n__attribute__((weak)) " + Type + " " +
                    Function + " {\n";
  if (OpenMP)
    return Out +
           "  static omp_allocator_handle_t made = omp_null_allocator;\n" +
           "  return memory_allocator_(&made, " + K.OpenMP + ");\n}\n";
  return Out + "  static memkind_t chosen;\n" +
         "  return memory_kind_(&chosen, " + K.Memkind + ");\n}\n";
}

static const char MemkindKind[] =
    R"(/* The kind, or the default one if the machine has no such memory. If
   there is no room left, blocks come from other memory. */
static __inline__ memkind_t memory_kind_(memkind_t *chosen, memkind_t kind) {
  memkind_t found = __atomic_load_n(chosen, __ATOMIC_ACQUIRE);
  if (found)
    return found;
  found = memkind_check_available(kind) == MEMKIND_SUCCESS ? kind
                                                           : MEMKIND_DEFAULT;
  __atomic_store_n(chosen, found, __ATOMIC_RELEASE);
  return found;
}
)";

std::string memoryHeader(LibraryCalls Style,
                         const std::set<std::string> &Used) {
  const bool OpenMP = Style == LibraryCalls::OpenMP;
  const std::string Name = memoryHeaderName(Style);
  const std::string Guard = StringRef(Name).drop_back(2).upper() + "_H";
  const bool Aligned =
      Used.count(OpenMP ? "memory_posix_memalign" : "memory_aligned_alloc");
  std::string Out =
      "/* " + Name + " - kinds of memory for large blocks\n   " + Mark +
      (OpenMP ? "omp" : "memkind") +
      ", which may write it again. It needs\n   " +
      (OpenMP ? "OpenMP 5.1 (-fopenmp)"
              : "libmemkind 1.11 or later (-lmemkind)") +
      " alone. */\n#ifndef " + Guard + "\n#define " + Guard + "\n\n" +
      (Aligned ? "#include <errno.h>\n" : "") +
      (OpenMP ? "#include <omp.h>\n" : "#include <memkind.h>\n") +
      "#include <stddef.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n"
      "#endif\n\n" +
      (OpenMP ? OpenMPAllocator : MemkindKind);
  for (const Kind &K : Kinds)
    if (Used.count(K.Function))
      Out += kindText(K, Style);
  if (Aligned)
    Out += std::string("\n") + (OpenMP ? OpenMPAligned : MemkindAligned);
  Out += "\n#ifdef __cplusplus\n}\n#endif\n";
  if (Used.count(NewArray) || Used.count("memory_delete_array"))
    Out += newArrays(OpenMP);
  return Out + "\n#endif\n";
}

} // namespace evenkeel
