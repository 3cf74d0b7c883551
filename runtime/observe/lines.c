/*===- lines.c - source places of addresses -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See lines.h. A file may contain anything: no length in it is trusted, and
 * what does not parse is treated as unknown.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/lines.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- bytes -------------------------------------------------------------------
 */

/* The bytes still to be read; reading past the end yields zeros. */
typedef struct bytes {
  const uint8_t *at, *end;
} bytes;

static const uint8_t *take(bytes *b, uint64_t n) {
  const uint8_t *from = b->at;
  if (n > (uint64_t)(b->end - b->at)) {
    b->at = b->end;
    return NULL;
  }
  b->at += n;
  return from;
}

static uint64_t number(bytes *b, unsigned size) {
  uint64_t value = 0;
  const uint8_t *p = take(b, size);
  if (p)
    memcpy(&value, p, size); /* little endian */
  return value;
}

static uint64_t leb(bytes *b, bool is_signed) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = (uint8_t)number(b, 1);
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  if (is_signed && shift < 64 && byte & 0x40)
    value |= ~(uint64_t)0 << shift;
  return value;
}

/* Reads a NUL-terminated string; "" if it is not terminated. */
static const char *string(bytes *b) {
  const uint8_t *from = b->at;
  const uint8_t *zero = memchr(from, 0, (size_t)(b->end - from));
  b->at = zero ? zero + 1 : b->end;
  return zero ? (const char *)from : "";
}

static const char *string_at(bytes in, uint64_t offset) {
  return take(&in, offset) ? string(&in) : "";
}

/* --- files -------------------------------------------------------------------
 */

typedef struct image {
  const uint8_t *data;
  size_t size;
  bytes symbols, names;           /* of functions, and their strings */
  bytes line, line_strings, text; /* .debug_line, _line_str, _str */
} image;

static bytes part(const image *f, uint64_t offset, uint64_t size) {
  if (offset > f->size || size > f->size - offset)
    return (bytes){f->data, f->data};
  return (bytes){f->data + offset, f->data + offset + size};
}

static bool open_image(image *f, const char *path) {
  struct stat st;
  *f = (image){0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
      (size_t)st.st_size > sizeof(Elf64_Ehdr)) {
    f->size = (size_t)st.st_size;
    f->data = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (f->data == MAP_FAILED)
      f->data = NULL;
  }
  if (fd >= 0)
    close(fd);
  Elf64_Ehdr h;
  if (!f->data)
    return false;
  memcpy(&h, f->data, sizeof h);
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
      h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB ||
      h.e_shentsize != sizeof(Elf64_Shdr))
    return true; /* not an ELF file that we can read: nothing is known */
  bytes table = part(f, h.e_shoff, (uint64_t)h.e_shnum * sizeof(Elf64_Shdr));
  const Elf64_Shdr *s = (const Elf64_Shdr *)(const void *)table.at;
  size_t count = (size_t)(table.end - table.at) / sizeof *s;
  if (h.e_shoff % 8 || h.e_shstrndx >= count)
    return true;
  bytes names = part(f, s[h.e_shstrndx].sh_offset, s[h.e_shstrndx].sh_size);
  bool full = false;
  for (size_t i = 0; i < count; ++i) {
    bytes here = part(f, s[i].sh_offset, s[i].sh_size);
    const char *name = string_at(names, s[i].sh_name);
    if (s[i].sh_flags & SHF_COMPRESSED || s[i].sh_type == SHT_NOBITS)
      continue;
    if (strcmp(name, ".debug_line") == 0)
      f->line = here;
    else if (strcmp(name, ".debug_line_str") == 0)
      f->line_strings = here;
    else if (strcmp(name, ".debug_str") == 0)
      f->text = here;
    else if ((s[i].sh_type == SHT_SYMTAB ||
              (s[i].sh_type == SHT_DYNSYM && !full)) &&
             s[i].sh_link < count) {
      full = s[i].sh_type == SHT_SYMTAB;
      f->symbols = here;
      f->names = part(f, s[s[i].sh_link].sh_offset, s[s[i].sh_link].sh_size);
    }
  }
  return true;
}

/* --- functions ---------------------------------------------------------------
 */

char *__cxa_demangle(const char *name, char *out, size_t *size, int *status)
    __attribute__((weak));

static void name_function(ek_place *p, const char *name) {
  int status = -1;
  if (strncmp(name, ".omp_", 5) == 0)
    return; /* an outlined function whose name does not say whose it is */
  char *plain = __cxa_demangle && strncmp(name, "_Z", 2) == 0
                    ? __cxa_demangle(name, NULL, NULL, &status)
                    : NULL;
  snprintf(p->function, sizeof p->function, "%s", plain ? plain : name);
  free(plain);
  /* Parts that compilers split off belong to the original function. */
  static const char *const parts[] = {
      ".omp_outlined", "._omp_fn.", ".cold", ".part.", ".isra.", ".constprop."};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i) {
    char *at = strstr(p->function, parts[i]);
    if (at && at != p->function)
      *at = 0;
  }
}

static void find_functions(const image *f, ek_place **places, size_t count) {
  const Elf64_Sym *s = (const Elf64_Sym *)(const void *)f->symbols.at;
  size_t n = (size_t)(f->symbols.end - f->symbols.at) / sizeof *s;
  for (size_t k = 0; k < count; ++k) {
    uint64_t at = places[k]->offset - 1;
    for (size_t i = 0; i < n; ++i) {
      Elf64_Sym x;
      memcpy(&x, &s[i], sizeof x);
      if (ELF64_ST_TYPE(x.st_info) == STT_FUNC && x.st_shndx &&
          at >= x.st_value && at - x.st_value < x.st_size) {
        name_function(places[k], string_at(f->names, x.st_name));
        break;
      }
    }
  }
}

/* --- lines -------------------------------------------------------------------
 */

typedef struct unit {
  unsigned version, offset_size, address_size;
  unsigned step, line_range, opcode_base;
  int line_base;
  const uint8_t *lengths; /* of standard opcodes */
  bytes tables, program;
} unit;

static bool read_unit(bytes *from, unit *u) {
  uint64_t length = number(from, 4);
  u->offset_size = 4;
  if (length == 0xffffffff) {
    length = number(from, 8);
    u->offset_size = 8;
  }
  const uint8_t *start = take(from, length);
  if (!start || !length)
    return false;
  bytes b = {start, start + length};
  u->version = (unsigned)number(&b, 2);
  u->address_size = 8;
  if (u->version >= 5) {
    u->address_size = (unsigned)number(&b, 1);
    number(&b, 1);
  }
  uint64_t header = number(&b, u->offset_size);
  bytes program = b;
  take(&program, header);
  u->step = (unsigned)number(&b, 1);
  if (u->version >= 4)
    number(&b, 1);
  number(&b, 1);
  u->line_base = (int8_t)number(&b, 1);
  u->line_range = (unsigned)number(&b, 1);
  u->opcode_base = (unsigned)number(&b, 1);
  u->lengths = u->opcode_base ? take(&b, u->opcode_base - 1) : NULL;
  u->tables = b;
  u->program = program;
  return u->version >= 2 && u->version <= 5 && u->line_range && u->lengths &&
         u->address_size <= 8;
}

static const char *form(const image *f, const unit *u, bytes *b,
                        uint64_t which) {
  switch (which) {
  case 0x08: /* string */
    return string(b);
  case 0x1f: /* line_strp */
    return string_at(f->line_strings, number(b, u->offset_size));
  case 0x0e: /* strp */
    return string_at(f->text, number(b, u->offset_size));
  case 0x0f: /* udata */
    leb(b, false);
    break;
  case 0x0b: /* data1 */
    number(b, 1);
    break;
  case 0x05: /* data2 */
    number(b, 2);
    break;
  case 0x06: /* data4 */
    number(b, 4);
    break;
  case 0x07: /* data8 */
    number(b, 8);
    break;
  case 0x1e: /* data16 */
    take(b, 16);
    break;
  case 0x09: /* block */
    take(b, leb(b, false));
    break;
  default:
    b->at = b->end;
  }
  return NULL;
}

/* Returns entry \p wanted of the next DWARF 5 table, or "", and moves past the
 * table. */
static const char *entry(const image *f, const unit *u, bytes *b,
                         uint64_t wanted) {
  const char *found = "";
  bytes formats = *b;
  unsigned columns = (unsigned)number(&formats, 1);
  *b = formats;
  for (unsigned i = 0; i < 2 * columns; ++i)
    leb(b, false);
  uint64_t count = leb(b, false);
  for (uint64_t i = 0; i < count && b->at < b->end; ++i) {
    bytes column = formats;
    for (unsigned c = 0; c < columns; ++c) {
      uint64_t content = leb(&column, false);
      const char *text = form(f, u, b, leb(&column, false));
      if (i == wanted && content == 1 && text)
        found = text;
    }
  }
  return found;
}

static const char *file_name(const image *f, const unit *u, uint64_t index) {
  bytes b = u->tables;
  if (u->version >= 5) {
    entry(f, u, &b, UINT64_MAX);
    return entry(f, u, &b, index);
  }
  while (b.at < b.end && *string(&b)) /* folders */
    ;
  for (uint64_t i = 1; b.at < b.end; ++i) {
    const char *name = string(&b);
    if (!*name || i == index)
      return name;
    for (int k = 0; k < 3; ++k)
      leb(&b, false);
  }
  return "";
}

typedef struct row {
  uint64_t address, file;
  uint32_t line;
} row;

/* Assigns the line of \p from to the code up to \p to. \p places is sorted by
 * offset. */
static void between(const image *f, const unit *u, const row *from, uint64_t to,
                    ek_place **places, size_t count) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (places[middle]->offset - 1 < from->address)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < count && places[low]->offset - 1 < to; ++low) {
    ek_place *p = places[low];
    if (p->line || !from->line)
      continue;
    const char *name = file_name(f, u, from->file);
    const char *slash = strrchr(name, '/');
    snprintf(p->file, sizeof p->file, "%s", slash ? slash + 1 : name);
    p->line = from->line;
  }
}

static void run_unit(const image *f, const unit *u, ek_place **places,
                     size_t count) {
  bytes b = u->program;
  row now = {0, 1, 1}, last = now;
  bool open = false;
  while (b.at < b.end) {
    unsigned op = (unsigned)number(&b, 1);
    bool emits = false, ends = false;
    if (op >= u->opcode_base) {
      op -= u->opcode_base;
      now.address += (uint64_t)u->step * (op / u->line_range);
      now.line += (uint32_t)(u->line_base + (int)(op % u->line_range));
      emits = true;
    } else if (op == 0) {
      uint64_t size = leb(&b, false);
      const uint8_t *at = take(&b, size);
      bytes x = {at, at ? at + size : at};
      unsigned what = (unsigned)number(&x, 1);
      emits = ends = what == 1;
      if (what == 2)
        now.address = number(&x, size - 1 < 8 ? (unsigned)size - 1 : 8);
    } else if (op == 1) {
      emits = true;
    } else if (op == 2) {
      now.address += u->step * leb(&b, false);
    } else if (op == 3) {
      now.line += (uint32_t)leb(&b, true);
    } else if (op == 4) {
      now.file = leb(&b, false);
    } else if (op == 8) {
      now.address +=
          (uint64_t)u->step * ((255 - u->opcode_base) / u->line_range);
    } else if (op == 9) {
      now.address += number(&b, 2);
    } else {
      for (unsigned i = 0; i < u->lengths[op - 1]; ++i)
        leb(&b, false);
    }
    if (!emits)
      continue;
    if (open && now.address > last.address)
      between(f, u, &last, now.address, places, count);
    last = now;
    open = !ends;
    if (ends)
      now = (row){0, 1, 1};
  }
}

/* --- modules -----------------------------------------------------------------
 */

static int by_offset(const void *a, const void *b) {
  const ek_place *x = *(ek_place *const *)a, *y = *(ek_place *const *)b;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void read_module(const char *path, ek_place **places, size_t count) {
  image f;
  qsort(places, count, sizeof *places, by_offset);
  if (!open_image(&f, path))
    return;
  find_functions(&f, places, count);
  unit u;
  for (bytes lines = f.line; lines.at < lines.end;)
    if (read_unit(&lines, &u))
      run_unit(&f, &u, places, count);
  munmap((void *)(uintptr_t)f.data, f.size);
}

static void name_build(ek_place *p, const ElfW(Ehdr) * header, uintptr_t bias) {
  const ElfW(Phdr) *h =
      (const ElfW(Phdr) *)((const char *)header + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    if (h[i].p_type != PT_NOTE)
      continue;
    const uint8_t *at = (const uint8_t *)(bias + h[i].p_vaddr);
    bytes notes = {at, at + h[i].p_memsz};
    while (notes.at < notes.end) {
      uint64_t name = number(&notes, 4), size = number(&notes, 4);
      uint64_t type = number(&notes, 4);
      const uint8_t *who = take(&notes, (name + 3) & ~(uint64_t)3);
      const uint8_t *id = take(&notes, (size + 3) & ~(uint64_t)3);
      if (!who || !id || type != NT_GNU_BUILD_ID || name != 4 ||
          memcmp(who, "GNU", 4) != 0)
        continue;
      for (unsigned k = 0; k < size && k < 20; ++k)
        snprintf(p->build + 2 * k, 3, "%02x", id[k]);
      return;
    }
  }
}

void ek_lines_find(ek_place *places, size_t count) {
  ek_place **some = calloc(count + 1, sizeof *some);
  const struct link_map **maps = calloc(count + 1, sizeof *maps);
  char self[4096] = "";
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  for (size_t i = 0; some && maps && i < count; ++i) {
    struct dl_find_object at;
    ek_place *p = &places[i];
    if (!p->code || _dl_find_object((char *)p->code - 1, &at) != 0)
      continue;
    maps[i] = at.dlfo_link_map;
    const char *path = maps[i]->l_name[0] ? maps[i]->l_name : self;
    const char *slash = strrchr(path, '/');
    snprintf(p->module, sizeof p->module, "%s", slash ? slash + 1 : path);
    p->offset = (uintptr_t)p->code - maps[i]->l_addr;
    const ElfW(Ehdr) *header = at.dlfo_map_start;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) == 0)
      name_build(p, header, maps[i]->l_addr);
  }
  for (size_t i = 0; some && maps && i < count; ++i) {
    const struct link_map *map = maps[i];
    size_t k = 0;
    for (size_t j = i; map && j < count; ++j)
      if (maps[j] == map) {
        some[k++] = &places[j];
        maps[j] = NULL;
      }
    if (k)
      read_module(map->l_name[0] ? map->l_name : "/proc/self/exe", some, k);
  }
  free(some);
  free(maps);
}

void ek_lines_text(char *out, size_t size, const ek_place *p) {
  char where[320];
  if (p->line && p->file[0])
    snprintf(where, sizeof where, "%s:%u", p->file, p->line);
  else if (p->module[0])
    snprintf(where, sizeof where, "%s+0x%llx, build %s", p->module,
             (unsigned long long)p->offset, p->build[0] ? p->build : "unknown");
  else
    snprintf(where, sizeof where, "unknown code");
  if (p->function[0])
    snprintf(out, size, "%s (%s)", p->function, where);
  else
    snprintf(out, size, "%s", where);
}
