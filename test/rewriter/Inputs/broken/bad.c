#include <stdlib.h>
void *bad(void) { return malloc(1) }
