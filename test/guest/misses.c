/* misses.c - a QEMU plugin: instructions, and misses of a cache by memory node
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * misses.so,out=FILE,first=BYTES[,llc=BYTES]: node 0 has the first so many
 * bytes of the guest's memory. Behind a first level of 32 KiB stands one level
 * of LLC bytes, both with 64-byte lines and the least recently used one
 * leaving, for all that the guest does, its kernel included. A store to MARK
 * (count.c) begins a row, the word behind it ends it: a line of instructions,
 * misses of node 0, misses of node 1. Leaves out: prefetching, overlap and
 * write-backs. One virtual processor only. The interface's own header is not
 * packaged: what is used of its version 1 is declared here.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
typedef uint32_t plugin_access;
typedef struct qemu_plugin_tb block;
typedef struct qemu_plugin_insn instruction;
typedef struct qemu_plugin_hwaddr physical;
enum { ADD_U64 = 0, NO_REGISTERS = 0, READS_AND_WRITES = 3 };

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id,
                                           void (*f)(plugin_id, block *));
void qemu_plugin_register_vcpu_tb_exec_inline(block *b, int op, void *to,
                                              uint64_t value);
void qemu_plugin_register_vcpu_mem_cb(instruction *i,
                                      void (*f)(unsigned, plugin_access,
                                                uint64_t, void *),
                                      int flags, int which, void *data);
size_t qemu_plugin_tb_n_insns(const block *b);
instruction *qemu_plugin_tb_get_insn(const block *b, size_t at);
bool qemu_plugin_mem_is_store(plugin_access a);
physical *qemu_plugin_get_hwaddr(plugin_access a, uint64_t address);
bool qemu_plugin_hwaddr_is_io(const physical *p);
uint64_t qemu_plugin_hwaddr_phys_addr(const physical *p);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static const uint64_t mark = 0x7eee00000000u; /* count.c's */
enum { LINE = 64, WAYS = 16 };

typedef struct cache {
  uint64_t sets;   /* a power of two */
  uint64_t *lines; /* WAYS a set, the latest first; 0: none */
  unsigned ways;
} cache;

static cache l1, llc;
static uint64_t instructions, began, misses[2], first_bytes;
static bool counting;
static FILE *out;

static bool make(cache *c, uint64_t bytes, unsigned ways) {
  c->ways = ways;
  c->sets = 1;
  while (c->sets * 2 * ways * LINE <= bytes)
    c->sets *= 2;
  c->lines = calloc(c->sets * ways, sizeof *c->lines);
  return c->lines;
}

/* Whether the line was there; it is the latest now. */
static bool touch(cache *c, uint64_t line) {
  uint64_t *set = c->lines + line % c->sets * c->ways, tag = line + 1;
  unsigned at = 0;
  while (at < c->ways - 1 && set[at] != tag)
    ++at;
  bool hit = set[at] == tag;
  memmove(set + 1, set, at * sizeof *set);
  set[0] = tag;
  return hit;
}

static void marked(uint64_t word) {
  if (word == 0) {
    began = instructions;
    misses[0] = misses[1] = 0;
    counting = true;
  } else if (counting) {
    counting = false;
    fprintf(out, "%llu %llu %llu\n", (unsigned long long)(instructions - began),
            (unsigned long long)misses[0], (unsigned long long)misses[1]);
    fflush(out);
  }
}

static void accessed(unsigned cpu, plugin_access a, uint64_t address,
                     void *data) {
  (void)cpu, (void)data;
  if (address - mark < 16 && qemu_plugin_mem_is_store(a)) {
    marked(address - mark);
    return;
  }
  if (!counting || touch(&l1, address / LINE))
    return;
  physical *p = qemu_plugin_get_hwaddr(a, address);
  if (!p || qemu_plugin_hwaddr_is_io(p))
    return;
  uint64_t where = qemu_plugin_hwaddr_phys_addr(p);
  if (!touch(&llc, where / LINE))
    ++misses[where >= first_bytes];
}

static void translated(plugin_id id, block *b) {
  (void)id;
  size_t count = qemu_plugin_tb_n_insns(b);
  qemu_plugin_register_vcpu_tb_exec_inline(b, ADD_U64, &instructions, count);
  for (size_t i = 0; i < count; ++i)
    qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(b, i), accessed,
                                     NO_REGISTERS, READS_AND_WRITES, NULL);
}

__attribute__((visibility("default"))) int
qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  uint64_t llc_bytes = 512 << 10;
  for (int i = 0; i < argc; ++i)
    if (strncmp(argv[i], "out=", 4) == 0)
      out = fopen(argv[i] + 4, "we");
    else if (strncmp(argv[i], "first=", 6) == 0)
      first_bytes = strtoull(argv[i] + 6, NULL, 10);
    else if (strncmp(argv[i], "llc=", 4) == 0)
      llc_bytes = strtoull(argv[i] + 4, NULL, 10);
  if (!out || !first_bytes || !make(&l1, 32 << 10, 8) ||
      !make(&llc, llc_bytes, WAYS))
    return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
