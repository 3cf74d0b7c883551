/*===- charge.c - new blocks in fast and slow memory --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See charge.h.
 *===----------------------------------------------------------------------===*/
#include "touches/placing/charge.h"
#include "touches/placing/account.h"
#include "touches/placing/tiers.h"

bool ek_charge_on;
static uint64_t chunk_bytes;
static uintptr_t page;

void ek_charge_start(uint64_t chunk, uintptr_t page_bytes) {
  chunk_bytes = chunk;
  page = page_bytes;
  ek_charge_on = true;
}

/* A block of the C library that has a mapping of its own begins behind a header
 * of 16 bytes, and nothing else lies in its pages. Otherwise the pages at both
 * ends may be shared with other blocks. */
void ek_charge_pages(uintptr_t base, size_t bytes, uintptr_t *from,
                     uintptr_t *to) {
  const bool alone = base % page <= 16;
  const uintptr_t up = page - 1, end = base + bytes;
  *from = (alone ? base : base + up) / page * page;
  *to = (alone ? end + up : end) / page * page;
  if (*to < *from)
    *to = *from;
}

uintptr_t ek_charge_border(uintptr_t at, uintptr_t to) {
  if (!chunk_bytes)
    return to;
  const uintptr_t next = (at / chunk_bytes + 1) * chunk_bytes;
  return next < to && next > at ? next : to;
}

void ek_charge_born(ek_charge *c, uintptr_t base, size_t bytes, bool fast) {
  if (!ek_charge_on)
    return;
  uintptr_t from, to, at, next;
  ek_charge_pages(base, bytes, &from, &to);
  for (at = from; fast && at < to; at = next) {
    next = ek_charge_border(at, to);
    if (!ek_account_take(next - at))
      break;
    c->fast += next - at;
  }
  c->fast_to = at;
  /* The last chunk may be smaller than the others. */
  uintptr_t last = at;
  for (next = at; next < to; next = ek_charge_border(next, to))
    last = next;
  if (fast && last > c->fast_to && ek_account_take(to - last)) {
    c->fast += to - last;
    c->fast_last = true;
  }
  ek_tiers_place(from, c->fast_to, true);
  ek_tiers_place(c->fast_to, c->fast_last ? last : to, false);
  ek_tiers_place(c->fast_last ? last : to, to, true);
}

void ek_charge_moved(ek_charge *c, uintptr_t base, size_t bytes,
                     uint64_t taken) {
  if (!ek_charge_on)
    return;
  if (ek_tiers_emulated()) { /* the pages have no place of their own */
    ek_account_give(taken);
    ek_charge_born(c, base, bytes, taken != 0);
    return;
  }
  uintptr_t from, to;
  ek_charge_pages(base, bytes, &from, &to);
  *c = (ek_charge){.fast = taken, .fast_to = from, .found = true};
  ek_tiers_place(from, to, false);
}

void ek_charge_gone(ek_charge *c, uintptr_t base, size_t bytes) {
  if (!ek_charge_on)
    return;
  uintptr_t from, to;
  ek_charge_pages(base, bytes, &from, &to);
  ek_tiers_release(from, to);
  ek_account_give(c->fast);
  c->fast = 0;
}
