#include "offstage_system.h"

#include <malloc.h>

void offstage_return_large_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

void offstage_return_memory(void) { malloc_trim(0); }
