/*===- blocks.c - large blocks of the program, with their stacks --*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: live blocks lie close together, so that each pass reads no more than
 * it needs; a hash table with open addressing finds them by address.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/blocks.h"
#include "core/tuning.h"
#include "touches/base/arena.h"
#include "touches/base/raw.h"
#include "touches/modules.h"
#include "touches/placing/account.h"
#include "touches/placing/initial.h"
#include "touches/placing/tiers.h"

#include <string.h>
#include <unwind.h>

enum {
  SLOTS = 1 << 17,
  MOST_BLOCKS = SLOTS / 2,
  STACKS = 1 << 13,
  FRAMES_SKIPPED = 64 /* frames between ours and the caller's, at most */
};
#define GONE 0xffffffffu /* a slot whose block was removed */

size_t ek_blocks_threshold = SIZE_MAX;
static ek_raw_lock_t lock;
static ek_block *blocks; /* those that live, in no order */
static uint32_t live, maps;
static uint32_t *slots; /* by address; number of a block plus one, or 0 */
static uint32_t used;   /* slots that are not 0 */
static ek_stack_taken *stacks;
static uint32_t last_id;
static uint64_t credit;
static ek_touch_notes notes;

static _Thread_local bool busy __attribute__((tls_model("initial-exec")));

bool ek_blocks_start(size_t threshold, const char *name) {
  blocks = ek_arena_take(MOST_BLOCKS * sizeof *blocks);
  slots = ek_arena_take(SLOTS * sizeof *slots);
  stacks = ek_arena_take(STACKS * sizeof *stacks);
  if (!blocks || !slots || !stacks || !ek_modules_start(name))
    return false;
  credit = EK_FIRST_STACKS;
  __atomic_store_n(&ek_blocks_threshold, threshold, __ATOMIC_RELEASE);
  return true;
}

void ek_blocks_lock(void) { ek_raw_take(&lock); }
void ek_blocks_unlock(void) { ek_raw_give(&lock); }

static uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

/* --- call stacks -------------------------------------------------------------
 */

typedef struct walk {
  uintptr_t from; /* the slot where the walk begins */
  unsigned skipped, count;
  uintptr_t pcs[EK_TOUCH_FRAMES];
} walk;

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data) {
  walk *w = data;
  uintptr_t slot = _Unwind_GetCFA(context) - sizeof(uintptr_t);
  if (!w->count && slot != w->from)
    return ++w->skipped < FRAMES_SKIPPED ? _URC_NO_REASON : _URC_END_OF_STACK;
  uintptr_t pc = _Unwind_GetIP(context);
  if (!pc)
    return _URC_END_OF_STACK;
  w->pcs[w->count++] = pc - 1; /* within the call */
  return w->count < EK_TOUCH_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static bool same_stack(const ek_stack_taken *a, const ek_stack_taken *b) {
  if (a->count != b->count)
    return false;
  for (uint32_t i = 0; i < a->count; ++i)
    if (a->frames[i].module != b->frames[i].module ||
        a->frames[i].address != b->frames[i].address)
      return false;
  return true;
}

static const char *module_name(uint32_t index) {
  const ek_module_seen *m = ek_modules_get(index);
  const char *slash = m ? strrchr(m->path, '/') : NULL;
  return slash ? slash + 1 : m ? m->path : "?";
}

static bool may_be_fast(const ek_stack_taken *s) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < s->count; ++i)
    hash = ek_touch_stack_hash(hash, module_name(s->frames[i].module),
                               s->frames[i].address);
  return ek_initial_fast(hash);
}

/* The number of the stack with the return addresses \p w. Under the lock. */
static uint32_t stack_of(const walk *w) {
  ek_stack_taken s = {.count = w->count};
  uint64_t hash = w->count;
  for (uint32_t i = 0; i < w->count; ++i) {
    s.frames[i].module = ek_modules_calling(w->pcs[i]);
    const ek_module_seen *m = ek_modules_get(s.frames[i].module);
    s.frames[i].address = w->pcs[i] - (m ? m->bias : 0);
    hash =
        mixed(hash ^ s.frames[i].address ^ (uint64_t)s.frames[i].module << 48);
  }
  for (uint32_t i = 0; i < STACKS; ++i) {
    uint32_t at = (uint32_t)(hash + i) % STACKS;
    if (!stacks[at].count) {
      stacks[at] = s;
      stacks[at].fast = may_be_fast(&s);
    }
    if (same_stack(&stacks[at], &s))
      return at;
  }
  return EK_TOUCH_UNKNOWN;
}

const ek_stack_taken *ek_blocks_stack(uint32_t stack) {
  return stack < STACKS ? &stacks[stack] : NULL;
}

/* --- the table ---------------------------------------------------------------
 */

static uint32_t place_of(uintptr_t base) {
  return (uint32_t)mixed(base) & (SLOTS - 1);
}

/* The slot of the block that begins at \p base, or SLOTS. */
static uint32_t slot_of(uintptr_t base) {
  for (uint32_t i = place_of(base); slots[i]; i = (i + 1) & (SLOTS - 1))
    if (slots[i] != GONE && blocks[slots[i] - 1].base == base)
      return i;
  return SLOTS;
}

static void index_block(uint32_t block) {
  uint32_t i = place_of(blocks[block].base);
  while (slots[i] && slots[i] != GONE)
    i = (i + 1) & (SLOTS - 1);
  used += !slots[i];
  slots[i] = block + 1;
}

/* Takes block number \p block, at \p slot, out; the last one gets its place. */
static void erase(uint32_t slot) {
  const uint32_t block = slots[slot] - 1;
  slots[slot] = GONE;
  maps -= blocks[block].kind == EK_TOUCH_MAP;
  const uint32_t last = live - 1;
  if (block != last) {
    slots[slot_of(blocks[last].base)] = block + 1;
    blocks[block] = blocks[last];
  }
  __atomic_store_n(&live, last, __ATOMIC_RELAXED);
}

/* Too many removed entries make searches long, and without a free slot they
 * would not end. */
static void index_again(void) {
  memset(slots, 0, SLOTS * sizeof *slots);
  used = 0;
  for (uint32_t i = 0; i < live; ++i)
    index_block(i);
}

static void insert(const ek_block *b) {
  if (used >= SLOTS / 4 * 3)
    index_again();
  blocks[live] = *b;
  index_block(live);
  maps += b->kind == EK_TOUCH_MAP;
  __atomic_store_n(&live, live + 1, __ATOMIC_RELAXED);
}

bool ek_blocks_any(void) { return __atomic_load_n(&live, __ATOMIC_RELAXED); }

void ek_blocks_earn(uint64_t n) {
  __atomic_fetch_add(&credit, n, __ATOMIC_RELAXED);
}

uint32_t ek_blocks_next_id(void) {
  return __atomic_fetch_add(&last_id, 1, __ATOMIC_RELAXED);
}

static bool pay(void) {
  uint64_t left = __atomic_load_n(&credit, __ATOMIC_RELAXED);
  while (left &&
         !__atomic_compare_exchange_n(&credit, &left, left - 1, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  if (!left)
    __atomic_fetch_add(&notes.not_named, 1, __ATOMIC_RELAXED);
  return left;
}

/* Takes the block at \p slot out, and gives back its fast memory. */
static void drop(uint32_t slot) {
  ek_block *b = &blocks[slots[slot] - 1];
  ek_charge_gone(&b->charge, b->base, b->bytes);
  erase(slot);
}

/* Puts \p b, with its stack \p w, into the table. */
static bool add_locked(ek_block *b, const walk *w) {
  const uint32_t old = slot_of(b->base);
  if (old != SLOTS) /* freed where we did not see it */
    drop(old);
  if (live == MOST_BLOCKS) {
    ++notes.table_full;
    return false;
  }
  b->stack = stack_of(w);
  b->id = ek_blocks_next_id();
  return true;
}

void ek_blocks_give_back(uint64_t taken) {
  if (!taken)
    return;
  ek_blocks_lock();
  ek_account_give(taken);
  ek_blocks_unlock();
}

#define NOT_MOVED UINT64_MAX

static void add(void *p, size_t bytes, enum ek_touch_kind kind,
                const uintptr_t *caller, uint64_t taken) {
  if (busy || !pay()) {
    if (taken != NOT_MOVED)
      ek_blocks_give_back(taken);
    return;
  }
  busy = true;
  walk w = {.from = (uintptr_t)caller};
  _Unwind_Backtrace(visit, &w);
  ek_block b = {.base = (uintptr_t)p,
                .bytes = bytes,
                .begin = (uintptr_t)p,
                .born_ns = ek_raw_ns(CLOCK_MONOTONIC),
                .kind = kind};
  ek_blocks_lock();
  if (add_locked(&b, &w)) {
    const ek_stack_taken *s = ek_blocks_stack(b.stack);
    if (taken == NOT_MOVED)
      ek_charge_born(&b.charge, b.base, bytes,
                     s ? s->fast : ek_initial_fast_unknown());
    else
      ek_charge_moved(&b.charge, b.base, bytes, taken);
    insert(&b);
  } else if (taken != NOT_MOVED) {
    ek_account_give(taken);
  }
  ek_blocks_unlock();
  busy = false;
}

void ek_blocks_add(void *p, size_t bytes, enum ek_touch_kind kind,
                   const uintptr_t *caller) {
  add(p, bytes, kind, caller, NOT_MOVED);
}

void ek_blocks_add_moved(void *p, size_t bytes, enum ek_touch_kind kind,
                         const uintptr_t *caller, uint64_t taken) {
  add(p, bytes, kind, caller, taken);
}

bool ek_blocks_remove(const void *p) {
  if (busy || !ek_blocks_any())
    return false;
  busy = true;
  ek_blocks_lock();
  const uint32_t slot = slot_of((uintptr_t)p);
  if (slot != SLOTS)
    drop(slot);
  ek_blocks_unlock();
  busy = false;
  return slot != SLOTS;
}

/* Shortens block number \p i, which overlaps [from, to); or removes it, and
 * then adds what lies behind \p to. */
static void cut(uint32_t i, uintptr_t from, uintptr_t to) {
  ek_block rest = blocks[i];
  if (rest.base < from) { /* the next pass gives back fast memory */
    blocks[i].bytes = from - rest.base;
    return;
  }
  if (rest.base + rest.bytes <= to) {
    drop(slot_of(rest.base));
    return;
  }
  erase(slot_of(rest.base));
  rest.bytes -= to - rest.base;
  rest.base = to;
  insert(&rest);
}

void ek_blocks_cut(uintptr_t from, uintptr_t to) {
  if (busy || !__atomic_load_n(&maps, __ATOMIC_RELAXED))
    return;
  busy = true;
  ek_blocks_lock();
  for (uint32_t i = live; i-- > 0;)
    if (blocks[i].kind == EK_TOUCH_MAP && blocks[i].base < to &&
        blocks[i].base + blocks[i].bytes > from)
      cut(i, from, to);
  ek_blocks_unlock();
  busy = false;
}

/* --- fast memory -------------------------------------------------------------
 */

static ek_block *block_of(uintptr_t base, uint32_t id) {
  const uint32_t slot = slot_of(base);
  ek_block *b = slot != SLOTS ? &blocks[slots[slot] - 1] : NULL;
  return b && b->id == id ? b : NULL;
}

bool ek_blocks_has(uintptr_t base, uint32_t id) { return block_of(base, id); }

bool ek_blocks_take(uintptr_t base, uint32_t id, uint64_t bytes) {
  ek_block *b = block_of(base, id);
  if (!b || !ek_account_take(bytes))
    return false;
  b->charge.fast += bytes;
  return true;
}

void ek_blocks_give(uintptr_t base, uint32_t id, uint64_t bytes) {
  ek_block *b = block_of(base, id);
  if (!b)
    return;
  ek_account_give(bytes);
  b->charge.fast -= bytes;
}

bool ek_blocks_charge(uintptr_t base, uint32_t id, uint64_t bytes) {
  ek_block *b = block_of(base, id);
  if (!b)
    return true;
  if (bytes > b->charge.fast)
    return ek_blocks_take(base, id, bytes - b->charge.fast);
  ek_blocks_give(base, id, b->charge.fast - bytes);
  return true;
}

uint64_t ek_blocks_take_over(const void *p) {
  if (busy || !ek_charge_on || !ek_blocks_any())
    return 0;
  busy = true;
  ek_blocks_lock();
  const uint32_t slot = slot_of((uintptr_t)p);
  uint64_t taken = 0;
  if (slot != SLOTS) {
    ek_block *b = &blocks[slots[slot] - 1];
    uintptr_t from, to;
    ek_charge_pages(b->base, b->bytes, &from, &to);
    ek_tiers_release(from, to);
    taken = b->charge.fast;
    b->charge.fast = 0;
  }
  ek_blocks_unlock();
  busy = false;
  return taken;
}

void ek_blocks_forked(void) {
  for (uint32_t i = 0; i < live; ++i)
    blocks[i].charge = (ek_charge){0};
}

/* --- for the sampler ---------------------------------------------------------
 */

static void sift(ek_block *b, size_t root, size_t n) {
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && b[child].base < b[child + 1].base)
      ++child;
    if (b[root].base >= b[child].base)
      return;
    ek_block t = b[root];
    b[root] = b[child];
    b[child] = t;
  }
}

/* Heap sort: the C library's qsort may allocate. */
static void sort(ek_block *b, size_t n) {
  for (size_t i = n / 2; i-- > 0;)
    sift(b, i, n);
  for (size_t i = n; i-- > 1;) {
    ek_block t = b[0];
    b[0] = b[i];
    b[i] = t;
    sift(b, 0, i);
  }
}

size_t ek_blocks_live(ek_block *to, size_t room) {
  size_t n = 0;
  ek_blocks_lock();
  for (; n < live && n < room; ++n)
    to[n] = blocks[n];
  ek_blocks_unlock();
  sort(to, n);
  return n;
}

void ek_blocks_told(const ek_block *b, uint32_t stream) {
  ek_blocks_lock();
  const uint32_t slot = slot_of(b->base);
  if (slot != SLOTS && blocks[slots[slot] - 1].id == b->id)
    blocks[slots[slot] - 1].told = stream;
  ek_blocks_unlock();
}

void ek_blocks_notes(ek_touch_notes *to) {
  to->table_full = notes.table_full;
  to->modules_left_out = ek_modules_left_out();
  to->not_named = __atomic_load_n(&notes.not_named, __ATOMIC_RELAXED);
}
