/*===- lines.h - where code comes from ----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: function, file and line of addresses in what is loaded, from symbol
 * and line tables of its files (ELF, DWARF 2 to 5); where there are none, build
 * id and offset. For what is printed at the end of a run.
 * Leaves out: inlined calls (the line is the innermost one's, the function the
 * one that has the code), compressed sections and separate debug files.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LINES_H
#define EVENKEEL_RUNTIME_LINES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_place {
  const void *code;   /* behind a call; told by whoever asks */
  char function[160]; /* "": not known, as all of these */
  char file[96];      /* without folders */
  unsigned line;
  char module[64]; /* its file's name */
  char build[41];  /* its build id */
  uint64_t offset; /* of the code in it, as linked */
} ek_place;

/* Fills in what is known of each. Reads each file once. */
void ek_lines_find(ek_place *places, size_t count);
/* "function (file:line)", or as much of it as is known. */
void ek_lines_text(char *out, size_t size, const ek_place *place);

#ifdef __cplusplus
}
#endif
#endif
