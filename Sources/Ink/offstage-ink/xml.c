#include "xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "container.h"

/// Ink needs five levels, and InkML's groups some more.
#define DEEPEST 256

struct state {
    struct document *document;
    struct xml_reader *reader;
    XML_Parser parser;
    int depth;
};

static const char *local(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static void halt(struct state *state) {
    if (state->document->failure) XML_StopParser(state->parser, XML_FALSE);
}

static void XMLCALL start(void *context, const char *name, const char **attributes) {
    struct state *state = context;
    state->reader->text_count = 0;
    if (++state->depth > DEEPEST) {
        document_stop(state->document, OFFSTAGE_INK_DAMAGED, 0, 0);
        return halt(state);
    }
    state->reader->start(state->reader->context, local(name), attributes);
    halt(state);
}

static void XMLCALL end(void *context, const char *name) {
    struct state *state = context;
    state->depth--;
    state->reader->end(state->reader->context, local(name));
    state->reader->text_count = 0;
    halt(state);
}

static void XMLCALL text(void *context, const char *bytes, int count) {
    struct state *state = context;
    struct xml_reader *reader = state->reader;
    if (!reader->wants_text) return;
    size_t needed = reader->text_count + (size_t)count + 1;
    if (needed > state->document->most_bytes) {
        document_stop(state->document, OFFSTAGE_INK_OVER_LIMIT, 1, state->document->most_bytes);
        return halt(state);
    }
    if (needed > reader->text_room) {
        size_t room = needed + needed / 2;
        char *larger = realloc(reader->text, room);
        if (!larger) {
            document_stop(state->document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
            return halt(state);
        }
        reader->text = larger;
        reader->text_room = room;
    }
    memcpy(reader->text + reader->text_count, bytes, (size_t)count);
    reader->text_count += (size_t)count;
    reader->text[reader->text_count] = 0;
}

/// No ink format needs custom entities, and they can be an attack.
static void XMLCALL entity(
    void *context, const char *name, int is_parameter, const char *value, int length, const char *base, const char *system,
    const char *public, const char *notation) {
    struct state *state = context;
    document_stop(state->document, OFFSTAGE_INK_DAMAGED, 0, 0);
    halt(state);
}

static bool feed(void *context, const uint8_t *bytes, size_t count) {
    struct state *state = context;
    return XML_Parse(state->parser, (const char *)bytes, (int)count, 0) == XML_STATUS_OK;
}

bool xml_read(struct document *document, struct xml_reader *reader, const uint8_t *bytes, size_t count) {
    struct state state = {document, reader, XML_ParserCreate(NULL), 0};
    if (!state.parser) {
        document_stop(document, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
        return false;
    }
    XML_SetUserData(state.parser, &state);
    XML_SetElementHandler(state.parser, start, end);
    XML_SetCharacterDataHandler(state.parser, text);
    XML_SetEntityDeclHandler(state.parser, entity);
    bool is_whole = unpack(document, bytes, count, feed, &state) && XML_Parse(state.parser, "", 0, 1) == XML_STATUS_OK;
    XML_ParserFree(state.parser);
    free(reader->text);
    reader->text = NULL;
    return is_whole;
}

const char *xml_attribute(const char **attributes, const char *name) {
    for (; attributes[0]; attributes += 2)
        if (strcmp(local(attributes[0]), name) == 0) return attributes[1];
    return NULL;
}
