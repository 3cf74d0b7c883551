#include "pool.h"
#include <stdlib.h>
static node *slab;
static long used, room;
node *table[1 << 15];
node *take(void) {
  if (used == room) {
    room = 4096;
    used = 0;
    slab = malloc(room * sizeof *slab);
  }
  return &slab[used++];
}
void fill(long n) {
  for (long i = 0; i < n; i++) {
    node *p = take();
    p->key = i;
    p->next = table[i & 1023];
    table[i & 1023] = p;
  }
}
