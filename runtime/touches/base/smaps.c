/*===- smaps.c - reading /proc/PID/smaps --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#include "touches/base/smaps.h"

static const char *hex(const char *p, uintptr_t *value) {
  uintptr_t v = 0;
  for (;; ++p) {
    unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                     : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a' + 10)
                                              : 16;
    if (digit == 16)
      break;
    v = v << 4 | digit;
  }
  *value = v;
  return p;
}

static const char *past_blanks(const char *p) {
  while (*p == ' ' || *p == '\t')
    ++p;
  return p;
}

static const char *past_word(const char *p) {
  while (*p && *p != ' ' && *p != '\t')
    ++p;
  return past_blanks(p);
}

/* 7f00-7f01 rw-p 00000000 00:00 0 [heap] */
static bool header(ek_mapping *m, const char *line) {
  uintptr_t from, to, inode;
  const char *p = hex(line, &from);
  if (p == line || *p != '-')
    return false;
  const char *q = hex(p + 1, &to);
  if (q == p + 1 || *q != ' ' || from >= to)
    return false;
  const char *rights = past_blanks(q);
  for (int i = 0; i < 4; ++i)
    if (!rights[i])
      return false;
  *m = (ek_mapping){.from = from,
                    .to = to,
                    .writable = rights[1] == 'w',
                    .shared = rights[3] == 's'};
  p = past_word(past_word(past_word(rights)));
  hex(p, &inode); /* decimal, but only zero matters */
  m->file = inode != 0;
  p = past_word(p);
  for (size_t i = 0; p[i] && i + 1 < sizeof m->name; ++i)
    m->name[i] = p[i];
  return true;
}

/* Whether \p line begins with \p key; then \p value is its number. */
static bool number(const char *line, const char *key, uint64_t *value) {
  for (; *key; ++line, ++key)
    if (*line != *key)
      return false;
  uint64_t v = 0;
  for (line = past_blanks(line); *line >= '0' && *line <= '9'; ++line)
    v = v * 10 + (uint64_t)(*line - '0');
  *value = v;
  return true;
}

static bool flagged(const char *flags, char a, char b) {
  for (const char *p = past_word(flags); *p; p = past_word(p))
    if (p[0] == a && p[1] == b && (!p[2] || p[2] == ' '))
      return true;
  return false;
}

static void end_of_line(ek_smaps *s) {
  const char *line = s->line;
  uint64_t n;
  if ((line[0] >= '0' && line[0] <= '9') ||
      (line[0] >= 'a' && line[0] <= 'f')) {
    s->begun = header(&s->at, line);
  } else if (!s->begun) {
    return;
  } else if (number(line, "Rss:", &n)) {
    s->at.resident = n << 10;
  } else if (number(line, "Referenced:", &n)) {
    s->at.referenced = n << 10;
  } else if (number(line, "AnonHugePages:", &n) ||
             number(line, "ShmemPmdMapped:", &n) ||
             number(line, "FilePmdMapped:", &n)) {
    s->at.huge_bytes += n << 10;
  } else if (number(line, "THPeligible:", &n)) {
    s->at.huge = n != 0;
  } else if (number(line, "VmFlags:", &n)) {
    s->at.not_dumped = flagged(line, 'd', 'd');
    s->at.fresh = flagged(line, 's', 'd');
    s->at.huge |= s->at.huge_bytes != 0;
    s->begun = false;
    s->found(&s->at, s->data);
  }
}

void ek_smaps_start(ek_smaps *s, void (*found)(const ek_mapping *m, void *data),
                    void *data) {
  s->begun = false;
  s->filled = 0;
  s->found = found;
  s->data = data;
}

void ek_smaps_feed(ek_smaps *s, const char *text, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (text[i] != '\n') {
      if (s->filled + 1 < sizeof s->line)
        s->line[s->filled++] = text[i];
      continue;
    }
    s->line[s->filled] = 0;
    s->filled = 0;
    end_of_line(s);
  }
}
