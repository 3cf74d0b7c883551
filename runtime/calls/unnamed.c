/*===- unnamed.c - counting large blocks without an id ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: with libevenkeel-audit loaded (audit.c), which calls without an id are
 * made by the program and libraries it brings along, and which by libraries of
 * the system. Does nothing in other runs.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/unnamed.h"
#include "calls/placed.h"
#include "core/stats.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

static bool starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

static _Thread_local unsigned paused __attribute__((tls_model("initial-exec")));

void ek_audit_pause(bool yes) { paused += yes ? 1u : -1u; }

__attribute__((visibility("default"))) void ek_audit(size_t n,
                                                     const void *caller) {
  if (!&ek_audit_loaded || paused)
    return;
  ++paused; /* dladdr may itself allocate */
  int saved = errno;
  Dl_info from = {0};
  if (ek_may_place(n) && n >= ek_threshold) { /* only large ones count */
    const char *path =
        dladdr(caller, &from) && from.dli_fname ? from.dli_fname : "";
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (starts(name, "libevenkeel.so"))
      ; /* our own tables */
    else if (strstr(name, ".so") &&
             (starts(path, "/lib") || starts(path, "/usr/lib")))
      ek_add(library_bytes, n);
    else
      ek_add(unnamed_bytes, n);
  }
  errno = saved;
  --paused;
}
