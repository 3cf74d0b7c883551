/*===- rows.c - from mappings to rows of objects ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/rows.h"
#include "touches/base/arena.h"
#include "touches/modules.h"
#include "touches/stream.h"

#include <string.h>

enum { MOST_ROWS = 1 << 16, MOST_OTHERS = 1 << 14 };

/* Memory without a block: one object per kind and contiguous range. */
typedef struct other {
  uintptr_t base, end;
  uint32_t id, kind, module, told;
} other;

static ek_touch_row *rows;
static uint32_t row_count;
static other *others;
static uint32_t other_count, last_other;
uint32_t ek_rows_left_out;

static struct {
  ek_block *blocks;
  size_t count, cursor;
  uint32_t stream;
  uint64_t start_ns;
  uintptr_t page;
} pass;

bool ek_rows_start(void) {
  rows = ek_arena_take(MOST_ROWS * sizeof *rows);
  others = ek_arena_take(MOST_OTHERS * sizeof *others);
  return rows && others;
}

void ek_rows_begin(ek_block *blocks, size_t count, uint32_t stream,
                   uint64_t start_ns, uintptr_t page) {
  row_count = 0;
  pass.blocks = blocks;
  pass.count = count;
  pass.cursor = 0;
  pass.stream = stream;
  pass.start_ns = start_ns;
  pass.page = page;
}

const ek_touch_row *ek_rows_all(uint32_t *count) {
  *count = row_count;
  return rows;
}

/* --- telling -----------------------------------------------------------------
 */

static void tell_module(uint32_t index) {
  ek_module_seen *m = ek_modules_get(index);
  if (!m || m->told == pass.stream)
    return;
  m->told = pass.stream;
  const size_t n = strlen(m->path);
  const ek_touch_module item = {m->bias, index, (uint32_t)n};
  ek_stream_item(EK_TOUCH_MODULE, &item, sizeof item, m->path, n);
}

static void tell_block(ek_block *b) {
  const ek_stack_taken *s = ek_blocks_stack(b->stack);
  ek_touch_object o = {
      .base = b->begin,
      .bytes = b->base + b->bytes - b->begin,
      .born_ns = b->born_ns > pass.start_ns ? b->born_ns - pass.start_ns : 0,
      .id = b->id,
      .kind = b->kind,
      .module = EK_TOUCH_UNKNOWN,
      .stack = b->stack,
      .frame_count = s ? s->count : 0};
  for (uint32_t i = 0; s && i < s->count; ++i) {
    o.frames[i].module = s->frames[i].module;
    o.frames[i].address = s->frames[i].address;
    tell_module(s->frames[i].module);
  }
  ek_stream_item(EK_TOUCH_OBJECT, &o, sizeof o, NULL, 0);
  b->told = pass.stream;
  ek_blocks_told(b, pass.stream);
}

void ek_rows_tell_blocks(void) {
  for (size_t i = 0; i < pass.count; ++i)
    if (pass.blocks[i].told != pass.stream)
      tell_block(&pass.blocks[i]);
}

static void tell_other(other *x) {
  const ek_touch_object o = {.base = x->base,
                             .bytes = x->end - x->base,
                             .id = x->id,
                             .kind = x->kind,
                             .module = x->module,
                             .stack = EK_TOUCH_UNKNOWN};
  tell_module(x->module);
  ek_stream_item(EK_TOUCH_OBJECT, &o, sizeof o, NULL, 0);
  x->told = pass.stream;
}

/* --- memory without a block --------------------------------------------------
 */

static bool holds(const other *x, uint32_t kind, uint32_t module,
                  uintptr_t from) {
  return x->kind == kind && x->module == module && x->base <= from &&
         from <= x->end;
}

/* The object of \p kind that contains \p from, or ends there; a new one if
 * there is none, NULL if there is no room. */
static other *other_at(uint32_t kind, uint32_t module, uintptr_t from,
                       uintptr_t to) {
  /* Passes go through them in the order of the first one. */
  other *x = NULL;
  for (uint32_t i = 0; !x && i < other_count; ++i) {
    const uint32_t next = (last_other + i) % other_count;
    if (holds(&others[next], kind, module, from))
      x = &others[last_other = next];
  }
  if (!x) {
    if (other_count == MOST_OTHERS)
      return NULL;
    last_other = other_count++;
    x = &others[last_other];
    *x = (other){from, from, ek_blocks_next_id(), kind, module, 0};
  }
  if (to > x->end) {
    x->end = to;
    x->told = 0;
  }
  return x;
}

static uint32_t loaded_at(uintptr_t address) {
  ek_blocks_lock();
  const uint32_t module = ek_modules_at(address);
  ek_blocks_unlock();
  return module;
}

/* The kind of a mapping's memory that is in no block, and its module. Static
 * storage that is not in the file is anonymous, within the module's range. */
static uint32_t kind_of(const ek_mapping *m, uint32_t *module) {
  *module = EK_TOUCH_UNKNOWN;
  if (strcmp(m->name, "[heap]") == 0)
    return EK_TOUCH_HEAP;
  if (strncmp(m->name, "[stack", 6) == 0)
    return EK_TOUCH_STACK;
  if (!m->file && m->name[0])
    return EK_TOUCH_UNNAMED;
  *module = loaded_at(m->from);
  if (m->writable && !m->shared && (m->file || *module != EK_TOUCH_UNKNOWN))
    return EK_TOUCH_DATA;
  if (!m->file)
    return EK_TOUCH_UNNAMED;
  if (*module == EK_TOUCH_UNKNOWN) {
    ek_blocks_lock();
    *module = ek_modules_named(m->name);
    ek_blocks_unlock();
  }
  return EK_TOUCH_FILE;
}

/* --- rows --------------------------------------------------------------------
 */

/* What is left of a mapping's figures for its further pieces. */
typedef struct rest {
  uint64_t pages;
  uint32_t resident, touched, written, samples;
} rest;

static uint32_t share(uint32_t *left, uint64_t part, uint64_t all) {
  if (*left == EK_TOUCH_UNKNOWN)
    return EK_TOUCH_UNKNOWN;
  const uint32_t n = (uint32_t)((*left * part + all / 2) / all);
  *left -= n;
  return n;
}

static bool counts(uint32_t n) { return n && n != EK_TOUCH_UNKNOWN; }

static void add_row(uint32_t object, uintptr_t base, uintptr_t from,
                    uintptr_t to, rest *r) {
  const uint64_t pages = (to - from) / pass.page;
  ek_touch_row row = {.object = object,
                      .first = (uint32_t)((from - base) / pass.page),
                      .pages = (uint32_t)pages,
                      .resident = share(&r->resident, pages, r->pages),
                      .touched = share(&r->touched, pages, r->pages),
                      .written = share(&r->written, pages, r->pages),
                      .samples = share(&r->samples, pages, r->pages)};
  r->pages -= pages;
  if (!row.resident && !counts(row.touched) && !counts(row.written) &&
      !row.samples)
    return;
  if (row_count == MOST_ROWS)
    ++ek_rows_left_out;
  else
    rows[row_count++] = row;
}

/* Adds the piece [from, to) of a mapping, which belongs to no block. */
static void add_other(uint32_t kind, uint32_t module, uintptr_t from,
                      uintptr_t to, rest *r) {
  other *x = other_at(kind, module, from, to);
  if (!x) {
    ++ek_rows_left_out;
    return;
  }
  if (x->told != pass.stream)
    tell_other(x);
  add_row(x->id, x->base, from, to, r);
}

void ek_rows_add(const ek_mapping *m, const ek_watch_seen *seen) {
  if (!m->resident) /* its module would take a place in the table */
    return;
  uint32_t module;
  const uint32_t kind = kind_of(m, &module);
  rest r = {(m->to - m->from) / pass.page, (uint32_t)(m->resident / pass.page),
            seen->touched, seen->written, seen->samples};
  for (uintptr_t at = m->from; at < m->to;) {
    while (pass.cursor < pass.count &&
           pass.blocks[pass.cursor].base + pass.blocks[pass.cursor].bytes <= at)
      ++pass.cursor;
    ek_block *b = pass.cursor < pass.count ? &pass.blocks[pass.cursor] : NULL;
    const uintptr_t first = b ? b->base / pass.page * pass.page : UINTPTR_MAX;
    if (first > at) {
      const uintptr_t to = first < m->to ? first : m->to;
      add_other(kind, module, at, to, &r);
      at = to;
      continue;
    }
    uintptr_t to = (b->base + b->bytes + pass.page - 1) / pass.page * pass.page;
    if (to > m->to)
      to = m->to;
    if (b->told != pass.stream)
      tell_block(b);
    add_row(b->id, b->begin / pass.page * pass.page, at, to, &r);
    at = to;
  }
}
