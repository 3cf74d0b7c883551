/*===- stack.c - from the call stack to a site --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the unwinder; which code belongs to which program or library; and the
 * table (stacks.h). Addresses are module and offset, because the loader may put
 * modules anywhere; a module counts only if it is the build from which the
 * table was made. Frames of code outside the table (the C and C++ libraries,
 * ours) are skipped.
 * Each thread keeps results, with the return addresses they depend on and where
 * those lay: while the same addresses lie there, the stack is the same. That is
 * only done on the thread's own stack, all of which can be read.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/stack.h"
#include "calls/placed.h"
#include "calls/range.h"
#include "calls/raw/stack_log.h"
#include "calls/stacks.h"
#include "core/options.h"
#include "core/say.h"
#include "core/state.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "objects/object.h"
#include "ranks/node.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

static ek_stacks *table;
static unsigned generation; /* changes when a module is unloaded */
static char executable[4096];
static bool known; /* a module of the table is loaded, of whichever build */

#define TLS _Thread_local __attribute__((tls_model("initial-exec")))

enum { FRAMES = 48, KEPT_FRAMES = 8, KEPT = 8 };

typedef struct frame {
  uintptr_t slot, pc;
} frame;

typedef struct kept {
  unsigned count; /* 0: empty */
  unsigned generation;
  frame frames[KEPT_FRAMES];
  ek_stack_end end;
  ek_asked asked;
} kept;

static TLS bool busy;
static TLS kept cache[KEPT];
static TLS struct {
  uintptr_t from, to;
  bool asked;
} own_stack;

/* --- modules -----------------------------------------------------------------
 */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_hex(const char *text, const unsigned char *bytes, size_t n) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < n; ++i)
    if (text[2 * i] != digits[bytes[i] >> 4] ||
        text[2 * i + 1] != digits[bytes[i] & 15])
      return false;
  return text[2 * n] == 0;
}

/* The build id in a segment of notes, or NULL. */
static const unsigned char *build_id(const char *at, size_t size, size_t *n) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, at, sizeof note);
    size_t name = ((size_t)note.n_namesz + 3) & ~(size_t)3;
    size_t data = ((size_t)note.n_descsz + 3) & ~(size_t)3;
    size_t all = sizeof note + name + data;
    if (all > size)
      break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(at + sizeof note, "GNU", 4) == 0) {
      *n = note.n_descsz;
      return (const unsigned char *)at + sizeof note + name;
    }
    at += all;
    size -= all;
  }
  return NULL;
}

/* Hashes code without a build id; the last few results are kept, because
 * hashing takes long. */
static uint64_t text_hash(uintptr_t bias, const ElfW(Phdr) * headers,
                          size_t count) {
  static struct {
    uintptr_t bias;
    unsigned generation;
    uint64_t hash;
  } known[8];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static unsigned next;
  unsigned now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (known[i].hash && known[i].bias == bias && known[i].generation == now) {
      uint64_t hash = known[i].hash;
      pthread_mutex_unlock(&lock);
      return hash;
    }
  uint64_t hash = 0;
  for (size_t i = 0; i < count; ++i)
    if (headers[i].p_type == PT_LOAD && headers[i].p_flags & PF_X &&
        !(headers[i].p_flags & PF_W))
      hash = ek_stacks_text_hash(hash, (void *)(bias + headers[i].p_vaddr),
                                 headers[i].p_filesz);
  unsigned at = next++ % (sizeof known / sizeof *known);
  known[at].bias = bias;
  known[at].generation = now;
  known[at].hash = hash;
  pthread_mutex_unlock(&lock);
  return hash;
}

static ek_stack_module *found(ek_stack_module *m) {
  if (!__atomic_load_n(&known, __ATOMIC_RELAXED))
    __atomic_store_n(&known, true, __ATOMIC_RELAXED);
  return m;
}

bool ek_stack_stranger(void) {
  return table && !__atomic_load_n(&known, __ATOMIC_RELAXED);
}

/* Says once per module of the table that another build is loaded. */
static void other_build(ek_stack_module *m) {
  __atomic_store_n(&known, true, __ATOMIC_RELAXED);
  if (__atomic_exchange_n(&m->other_said, true, __ATOMIC_RELAXED))
    return;
  ek_count(EK_WHY_stack_other_build, 1);
  ek_say("evenkeel: %s: made from another build of '%s'; make the table "
         "again with evenkeel analyze --binary\n",
         ek_opt.stacks, m->name);
}

/* The table's module for a loaded file, or NULL. */
static ek_stack_module *module_of(const char *path, uintptr_t bias,
                                  const ElfW(Phdr) * headers, size_t count) {
  const unsigned char *id = NULL;
  size_t size = 0;
  for (size_t i = 0; i < count && !id; ++i)
    if (headers[i].p_type == PT_NOTE)
      id = build_id((const char *)(bias + headers[i].p_vaddr),
                    headers[i].p_memsz, &size);
  const char *name = base_name(path[0] ? path : executable);
  ek_stack_module *same_name = NULL;
  for (size_t i = 0; i < table->module_count; ++i) {
    ek_stack_module *m = &table->modules[i];
    bool named = strcmp(m->name, name) == 0;
    if (id && strncmp(m->build, "id:", 3) == 0) {
      if (is_hex(m->build + 3, id, size))
        return found(m);
    } else if (!id && named && strncmp(m->build, "text:", 5) == 0) {
      char hash[32];
      snprintf(hash, sizeof hash, "%016llx",
               (unsigned long long)text_hash(bias, headers, count));
      if (strcmp(m->build + 5, hash) == 0)
        return found(m);
    }
    if (named)
      same_name = m;
  }
  if (same_name)
    other_build(same_name);
  return NULL;
}

/* The module that contains \p pc, and its load address. Takes no lock: the
 * caller may hold the loader's lock or be in a signal handler. */
static ek_stack_module *module_at(uintptr_t pc, uintptr_t *bias) {
  struct dl_find_object at;
  if (_dl_find_object((void *)pc, &at) != 0)
    return NULL;
  const ElfW(Ehdr) *header = at.dlfo_map_start;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return NULL;
  *bias = at.dlfo_link_map->l_addr;
  return module_of(at.dlfo_link_map->l_name, *bias,
                   (const ElfW(Phdr) *)((const char *)header + header->e_phoff),
                   header->e_phnum);
}

/* --- walking -----------------------------------------------------------------
 */

typedef struct walk {
  uintptr_t from; /* the slot where the walk begins */
  bool begun;
  unsigned frames;
  kept *keep; /* the result, with its frames */
  bool keeps;
  ek_stack_state state;
  ek_stack_end end;
} walk;

static ek_stack_end step(walk *w, uintptr_t pc) {
  uintptr_t bias;
  /* The return address of a call at the end of its code is past the code. */
  ek_stack_module *m = module_at(pc - 1, &bias);
  return m ? ek_stack_step(table, m, pc - 1 - bias, &w->state) : EK_STACK_OPEN;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data) {
  walk *w = data;
  uintptr_t pc = _Unwind_GetIP(context);
  uintptr_t slot = _Unwind_GetCFA(context) - sizeof(uintptr_t);
  if (!w->begun && slot != w->from)
    return _URC_NO_REASON;
  w->begun = true;
  kept *k = w->keep;
  if (k->count == KEPT_FRAMES || slot < own_stack.from ||
      slot >= own_stack.to || *(const uintptr_t *)slot != pc)
    w->keeps = false;
  if (w->keeps)
    k->frames[k->count++] = (frame){slot, pc};
  w->end = step(w, pc);
  return w->end != EK_STACK_OPEN || ++w->frames == FRAMES ? _URC_END_OF_STACK
                                                          : _URC_NO_REASON;
}

static void find_own_stack(void) {
  pthread_attr_t attributes;
  void *at;
  size_t size;
  own_stack.asked = true;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  if (pthread_attr_getstack(&attributes, &at, &size) == 0) {
    own_stack.from = (uintptr_t)at;
    own_stack.to = (uintptr_t)at + size;
  }
  pthread_attr_destroy(&attributes);
}

static bool same_stack(const kept *k, const uintptr_t *slot) {
  if (!k->count || k->frames[0].slot != (uintptr_t)slot ||
      k->generation != __atomic_load_n(&generation, __ATOMIC_ACQUIRE))
    return false;
  for (unsigned i = 0; i < k->count; ++i)
    if (*(const uintptr_t *)k->frames[i].slot != k->frames[i].pc)
      return false;
  return true;
}

/* The result for the call that returns through \p slot. */
static ek_stack_end find(const uintptr_t *slot, ek_asked *out) {
  if (!own_stack.asked)
    find_own_stack();
  uintptr_t key = (uintptr_t)slot ^ (*slot * 0x9e3779b97f4a7c15ULL >> 32);
  kept *k = &cache[(key >> 4) % KEPT];
  if (same_stack(k, slot)) {
    *out = k->asked;
    return k->end;
  }
  k->count = 0;
  k->generation = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
  walk w = {.from = (uintptr_t)slot, .keep = k, .keeps = true};
  _Unwind_Backtrace(visit, &w);
  *out = (ek_asked){.fast = EK_NO_FAST};
  ek_stack_end end = ek_stack_answer(table, &w.state, w.end, out);
  if (!w.keeps)
    k->count = 0;
  k->end = end;
  k->asked = *out;
  return end;
}

static bool ask(const uintptr_t *slot, ek_asked *out) {
  switch (find(slot, out)) {
  case EK_STACK_SITE:
    return true;
  case EK_STACK_NO_SITE:
    ek_count(EK_WHY_stack_no_site, 1);
    break;
  case EK_STACK_AMBIGUOUS:
    ek_count(EK_WHY_stack_ambiguous, 1);
    break;
  default:
    ek_count(EK_WHY_stack_unknown, 1);
  }
  return false;
}

void *ek_stack_alloc(size_t align, size_t n, bool *zeroed,
                     const uintptr_t *slot) {
  ek_asked asked;
  if (n < __atomic_load_n(&ek_threshold, __ATOMIC_RELAXED) || busy)
    return NULL;
  if (!ek_running()) { /* during the start, the runtime is incomplete */
    ek_count(EK_WHY_stack_early, 1);
    return NULL;
  }
  if (!table || ek_threshold == SIZE_MAX)
    return NULL;
  int saved = errno;
  busy = true;
  void *p = ask(slot, &asked) ? ek_placed_at(&asked, align, n, zeroed) : NULL;
  if (p)
    ek_stack_log(asked.site, asked.context, n, slot);
  busy = false;
  errno = saved;
  return p;
}

void ek_stack_mapped(void *p, size_t n, int protection, int flags,
                     const uintptr_t *slot) {
  uintptr_t bias;
  ek_asked asked;
  if (n < __atomic_load_n(&ek_threshold, __ATOMIC_RELAXED) || busy || !table ||
      ek_threshold == SIZE_MAX || !ek_running())
    return;
  int saved = errno;
  busy = true;
  if (module_at(*slot - 1, &bias) && ask(slot, &asked))
    ek_range_mapped(&asked, p, n, protection, flags);
  busy = false;
  errno = saved;
}

/* --- sync points -------------------------------------------------------------
 */

bool ek_stack_has_table(void) { return table; }

bool ek_stack_knows_joins(void) { return table && table->joins; }

uint64_t ek_stack_sync_after(const void *code, bool mpi) {
  if (!table)
    return 0;
  uintptr_t bias, pc = (uintptr_t)code;
  ek_stack_module *m = module_at(pc - 1, &bias);
  return m ? ek_stack_sync_at(m, pc - 1 - bias, mpi) : 0;
}

uint64_t ek_stack_waited(const void *code) {
  return table && table->waits ? ek_stack_sync_after(code, true) : 0;
}

/* --- start -------------------------------------------------------------------
 */

static int add_globals(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  (void)data;
  ek_stack_module *m = module_of(info->dlpi_name, info->dlpi_addr,
                                 info->dlpi_phdr, info->dlpi_phnum);
  for (size_t i = 0; m && i < m->global_count; ++i)
    ek_global(m->globals[i].site,
              (void *)(info->dlpi_addr + m->globals[i].address),
              m->globals[i].bytes);
  return 0;
}

void ek_stack_globals(void) {
  if (table)
    dl_iterate_phdr(add_globals, NULL);
}

static void read_table(void) {
  char why[512];
  if (!ek_opt.stacks[0])
    return;
  ssize_t n = readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[n > 0 ? n : 0] = 0;
  table = ek_stacks_read(ek_opt.stacks, why, sizeof why);
  if (!table) {
    ek_say("evenkeel: %s; running without it\n", why);
    ek_count(EK_WHY_stacks_unreadable, 1);
  }
}

/* Runs after the constructor of start.c, in whichever order the loader calls
 * them. */
__attribute__((constructor)) static void at_load(void) {
  busy = true;
  if (ek_start()) {
    read_table();
    ek_stack_globals();
  }
  if (ek_running() && !ek_stack_stranger())
    ek_node_join();
  busy = false;
}

/* Invalidates kept results: another module may be loaded at the address. */
__attribute__((visibility("default"))) int dlclose(void *handle) {
  static int (*next)(void *);
  if (!__atomic_load_n(&next, __ATOMIC_RELAXED)) {
    void *f = dlsym(RTLD_NEXT, "dlclose");
    __atomic_store_n(&next, (int (*)(void *))f, __ATOMIC_RELAXED);
  }
  int result = next(handle);
  __atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
  return result;
}
