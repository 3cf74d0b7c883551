/*===- deepbind.c - libraries loaded with RTLD_DEEPBIND -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a library loaded with RTLD_DEEPBIND calls functions of the libraries
 * that it needs rather than those loaded before it: the C library's free, which
 * does not know our blocks. Only its references to the C library's own free,
 * realloc, reallocarray and malloc_usable_size, and those of libraries loaded
 * with it, are redirected to ours, which forward foreign blocks. All other
 * bindings stay, and libraries with an allocator of their own keep it.
 * Not here: a name without a slash, loaded by code with a search path of its
 * own. The loader would not find it if we asked, so such calls are counted.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/libc.h"
#include "core/stats.h"
#include "core/system.h"
#include "format/ek_sizes.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Relocation types that hold the address of a symbol. */
static bool is_address(unsigned long type) {
#if defined(__x86_64__)
  return type == R_X86_64_64 || type == R_X86_64_GLOB_DAT ||
         type == R_X86_64_JUMP_SLOT;
#elif defined(__aarch64__)
  return type == R_AARCH64_ABS64 || type == R_AARCH64_GLOB_DAT ||
         type == R_AARCH64_JUMP_SLOT;
#else
  (void)type;
  return false;
#endif
}

enum { COUNT = 4 };
static const char *const names[COUNT] = {"free", "realloc", "reallocarray",
                                         "malloc_usable_size"};

enum { MOST = 256 };
typedef struct bound {
  const struct link_map *modules[MOST];
  size_t count;
  uintptr_t ours[COUNT];
} bound;

typedef struct tables {
  const ElfW(Sym) * symbols;
  const char *strings;
  const ElfW(Rela) * rela[2]; /* for data and for calls */
  size_t bytes[2];
} tables;

static const void *at(const struct dl_phdr_info *m, ElfW(Addr) address) {
  /* The loader has relocated these addresses, but not on every machine. */
  return (const void *)(address < m->dlpi_addr ? m->dlpi_addr + address
                                               : address);
}

static bool read_tables(const struct dl_phdr_info *m, tables *out) {
  memset(out, 0, sizeof *out);
  const ElfW(Dyn) *d = NULL;
  for (size_t i = 0; i < m->dlpi_phnum; ++i)
    if (m->dlpi_phdr[i].p_type == PT_DYNAMIC)
      d = (const void *)(m->dlpi_addr + m->dlpi_phdr[i].p_vaddr);
  for (; d && d->d_tag != DT_NULL; ++d)
    switch (d->d_tag) {
    case DT_SYMTAB:
      out->symbols = at(m, d->d_un.d_ptr);
      break;
    case DT_STRTAB:
      out->strings = at(m, d->d_un.d_ptr);
      break;
    case DT_RELA:
      out->rela[0] = at(m, d->d_un.d_ptr);
      break;
    case DT_RELASZ:
      out->bytes[0] = d->d_un.d_val;
      break;
    case DT_JMPREL:
      out->rela[1] = at(m, d->d_un.d_ptr);
      break;
    case DT_PLTRELSZ:
      out->bytes[1] = d->d_un.d_val;
      break;
    default:
      break;
    }
  return out->symbols && out->strings;
}

/* After binding, the loader makes these pages read-only. */
static bool is_read_only(const struct dl_phdr_info *m, uintptr_t address) {
  for (size_t i = 0; i < m->dlpi_phnum; ++i) {
    const ElfW(Phdr) *p = &m->dlpi_phdr[i];
    uintptr_t from = m->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_GNU_RELRO && address >= from &&
        address < from + p->p_memsz)
      return true;
  }
  return false;
}

static void put(const struct dl_phdr_info *m, uintptr_t *slot,
                uintptr_t value) {
  const uintptr_t page = (uintptr_t)slot & ~(uintptr_t)(EK_PAGE - 1);
  bool locked = is_read_only(m, (uintptr_t)slot);
  if (locked &&
      ek_system_protect((void *)page, EK_PAGE, PROT_READ | PROT_WRITE) != 0)
    return;
  __atomic_store_n(slot, value, __ATOMIC_RELEASE);
  if (locked)
    ek_system_protect((void *)page, EK_PAGE, PROT_READ);
}

static int which(const char *name) {
  for (int i = 0; i < COUNT; ++i)
    if (strcmp(name, names[i]) == 0)
      return i;
  return -1;
}

/* Whether the library's free is the function behind ours. */
static bool ends_in_libc(const char *path) {
  void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  void *f = handle ? dlsym(handle, "free") : NULL;
  if (handle)
    dlclose(handle);
  return f && f == (void *)(uintptr_t)ek_behind_us.free;
}

static int bind_module(struct dl_phdr_info *m, size_t size, void *data) {
  (void)size;
  bound *b = data;
  tables t;
  bool is_one = false;
  for (size_t i = 0; i < b->count; ++i)
    is_one |= m->dlpi_addr == b->modules[i]->l_addr &&
              strcmp(m->dlpi_name, b->modules[i]->l_name) == 0;
  if (!is_one || !read_tables(m, &t))
    return 0;
  for (int k = 0; k < 2; ++k)
    for (size_t i = 0; i < t.bytes[k] / sizeof *t.rela[k]; ++i) {
      const ElfW(Rela) *r = &t.rela[k][i];
      if (!is_address(ELF64_R_TYPE(r->r_info)) || r->r_addend)
        continue;
      const ElfW(Sym) *s = &t.symbols[ELF64_R_SYM(r->r_info)];
      int name = s->st_shndx == SHN_UNDEF ? which(t.strings + s->st_name) : -1;
      if (name >= 0)
        put(m, (uintptr_t *)(m->dlpi_addr + r->r_offset), b->ours[name]);
    }
  return 0;
}

static void bind_to_us(void *handle) {
  struct link_map *map;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
    return;
  void (*volatile f)(void *) = free;
  void *(*volatile r)(void *, size_t) = realloc;
  void *(*volatile a)(void *, size_t, size_t) = reallocarray;
  size_t (*volatile u)(void *) = malloc_usable_size;
  bound b = {.ours = {(uintptr_t)f, (uintptr_t)r, (uintptr_t)a, (uintptr_t)u}};
  /* The libraries loaded with it follow it in the list. They are collected here
   * because the loader must not be called from inside dl_iterate_phdr. */
  for (; map && b.count < MOST; map = map->l_next)
    if (ends_in_libc(map->l_name))
      b.modules[b.count++] = map;
  dl_iterate_phdr(bind_module, &b);
}

/* Whether the module of \p caller has a search path for names without a
 * slash. */
static bool has_search_path(const void *caller) {
  Dl_info info;
  struct link_map *map = NULL;
  if (!dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
    return true;
  for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; ++d)
    if (d->d_tag == DT_RUNPATH || d->d_tag == DT_RPATH)
      return true;
  return false;
}

typedef void *loader(const char *, int);

static loader *next_loader(void) {
  static loader *next;
  loader *f = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (!f) {
    f = (loader *)dlsym(RTLD_NEXT, "dlopen");
    __atomic_store_n(&next, f, __ATOMIC_RELAXED);
  }
  return f;
}

/* All other calls go to the loader as a tail call, which keeps the return
 * address: the loader looks at its caller. */
EXPORT void *dlopen(const char *path, int mode) {
  loader *next = next_loader();
  if (mode & RTLD_DEEPBIND && path && !(mode & RTLD_NOLOAD) &&
      ek_free_is_ours()) {
    if (strchr(path, '/') || !has_search_path(__builtin_return_address(0))) {
      void *handle = next(path, mode);
      if (handle)
        bind_to_us(handle);
      return handle;
    }
    ek_count(EK_WHY_deep_bound, 1);
  }
#if defined(__clang__)
  __attribute__((musttail))
#endif
  return next(path, mode);
}
