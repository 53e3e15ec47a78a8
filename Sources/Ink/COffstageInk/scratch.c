#include <stdlib.h>
#include <string.h>

#include "ink.h"

struct offstage_ink_scratch *offstage_ink_scratch_new(void) { return calloc(1, sizeof(struct offstage_ink_scratch)); }

void offstage_ink_scratch_free(struct offstage_ink_scratch *scratch) {
    if (!scratch) return;
    free(scratch->mask);
    free(scratch->spans);
    free(scratch->nodes);
    free(scratch->shares);
    free(scratch->points);
    free(scratch->crossings);
    free(scratch->measured.points);
    free(scratch->measured.stops);
    free(scratch);
}

bool ink_grow(void **memory, size_t *room, size_t count, size_t size) {
    if (count <= *room) return true;
    size_t wanted = *room < 64 ? 64 : *room;
    while (wanted < count) wanted += wanted / 2;
    if (wanted > SIZE_MAX / 2 / size) return false;
    void *larger = realloc(*memory, wanted * size);
    if (!larger) return false;
    *memory = larger;
    *room = wanted;
    return true;
}

bool ink_add_node(struct offstage_ink_scratch *scratch, double x, double y, double radius, double opacity) {
    if (!ink_grow((void **)&scratch->nodes, &scratch->node_room, scratch->node_count + 1, sizeof *scratch->nodes))
        return false;
    scratch->nodes[scratch->node_count++] =
        (struct offstage_ink_node){(float)x, (float)y, (float)radius, (float)opacity};
    return true;
}
