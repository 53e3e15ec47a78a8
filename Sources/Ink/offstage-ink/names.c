#include "names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// The slot of a name, or the free slot for it. There is always a free slot.
static size_t slot_of(const struct names *names, const char *text) {
    uint64_t hash = 1469598103934665603u;
    for (const char *at = text; *at; at++) hash = (hash ^ (uint8_t)*at) * 1099511628211u;
    size_t slot = (size_t)(hash ^ hash >> 32) & (names->room - 1);
    while (names->slots[slot].text && strcmp(names->slots[slot].text, text) != 0) slot = (slot + 1) & (names->room - 1);
    return slot;
}

static bool grow(struct names *names) {
    if (2 * names->count < names->room) return true;
    struct names larger = {.room = names->room ? 2 * names->room : 64};
    larger.slots = calloc(larger.room, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < names->room; i++)
        if (names->slots[i].text) larger.slots[slot_of(&larger, names->slots[i].text)] = names->slots[i];
    free(names->slots);
    names->slots = larger.slots;
    names->room = larger.room;
    return true;
}

void names_set(struct names *names, const char *text, size_t number) {
    if (!text || !*text || !grow(names)) return;
    struct name *slot = &names->slots[slot_of(names, text)];
    if (!slot->text) {
        slot->text = strdup(text);
        if (!slot->text) return;
        names->count++;
    }
    slot->number = number;
}

bool names_find(const struct names *names, const char *reference, size_t *number) {
    if (reference && *reference == '#') reference++;
    if (!reference || !*reference || names->count == 0) return false;
    const struct name *slot = &names->slots[slot_of(names, reference)];
    if (slot->text) *number = slot->number;
    return slot->text != NULL;
}

void names_free(struct names *names) {
    for (size_t i = 0; i < names->room; i++) free(names->slots[i].text);
    free(names->slots);
    *names = (struct names){0};
}
