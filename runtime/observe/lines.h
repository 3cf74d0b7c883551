/*===- lines.h - source places of addresses -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: function, file and line of code addresses in loaded modules, from the
 * symbol and line tables of their files (ELF, DWARF 2 to 5); without tables,
 * build id and offset. For output at the end of a run.
 * Not here: inlined calls (the line is that of the innermost call, the function
 * the one that contains the code), compressed sections, separate debug files.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LINES_H
#define EVENKEEL_RUNTIME_LINES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_place {
  const void *code;   /* set by the caller: the address after a call */
  char function[160]; /* "": unknown, as for all of these */
  char file[96];      /* without its folder */
  unsigned line;
  char module[64]; /* file name of the module */
  char build[41];  /* its build id */
  uint64_t offset; /* of the code in the module, as linked */
} ek_place;

/* Fills in what is known of each place; reads each file once. */
void ek_lines_find(ek_place *places, size_t count);
/* Writes "function (file:line)", or what is known of it, to \p out. */
void ek_lines_text(char *out, size_t size, const ek_place *place);

#ifdef __cplusplus
}
#endif
#endif
