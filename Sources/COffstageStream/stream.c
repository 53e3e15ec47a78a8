#include "offstage_stream.h"

#include <poll.h>
#include <sys/socket.h>

// The state that a stream and its input share. They are two GIO objects; the last one to be freed frees it.
typedef struct {
    gatomicrefcount count;
    gint is_closed;
    GIOStream *base;
    int descriptor;
    OffstageStreamCalls calls;
    gpointer owner;
} Shared;

static void shared_unref(Shared *shared) {
    if (!g_atomic_ref_count_dec(&shared->count)) return;
    g_object_unref(shared->base);
    shared->calls.release(shared->owner);
    g_free(shared);
}

typedef struct {
    GInputStream parent;
    Shared *shared;
} OffstageInput;

typedef struct {
    GInputStreamClass parent;
} OffstageInputClass;

typedef struct {
    GIOStream parent;
    Shared *shared;
    GInputStream *input;
} OffstageStream;

typedef struct {
    GIOStreamClass parent;
} OffstageStreamClass;

static void offstage_input_pollable(GPollableInputStreamInterface *interface);

G_DEFINE_TYPE_WITH_CODE(
    OffstageInput, offstage_input, G_TYPE_INPUT_STREAM,
    G_IMPLEMENT_INTERFACE(G_TYPE_POLLABLE_INPUT_STREAM, offstage_input_pollable))

G_DEFINE_TYPE(OffstageStream, offstage_stream, G_TYPE_IO_STREAM)

static GPollableInputStream *input_base(gpointer input) {
    Shared *shared = ((OffstageInput *)input)->shared;
    return G_POLLABLE_INPUT_STREAM(g_io_stream_get_input_stream(shared->base));
}

static gssize input_read_nonblocking(GPollableInputStream *input, void *buffer, gsize size, GError **error) {
    Shared *shared = ((OffstageInput *)input)->shared;
    return shared->calls.read(shared->owner, input_base(input), buffer, size, error);
}

static gboolean input_is_readable(GPollableInputStream *input) {
    Shared *shared = ((OffstageInput *)input)->shared;
    return shared->calls.has_more(shared->owner) || g_pollable_input_stream_is_readable(input_base(input));
}

static GSource *input_create_source(GPollableInputStream *input, GCancellable *cancellable) {
    Shared *shared = ((OffstageInput *)input)->shared;
    GSource *inner = shared->calls.has_more(shared->owner)
                         ? g_timeout_source_new(0)
                         : g_pollable_input_stream_create_source(input_base(input), NULL);
    GSource *source = g_pollable_source_new_full(input, inner, cancellable);
    g_source_unref(inner);
    return source;
}

static void offstage_input_pollable(GPollableInputStreamInterface *interface) {
    interface->read_nonblocking = input_read_nonblocking;
    interface->is_readable = input_is_readable;
    interface->create_source = input_create_source;
}

// Reads without waiting: a wait would block the main loop.
static gssize input_read(GInputStream *input, void *buffer, gsize size, GCancellable *cancellable, GError **error) {
    (void)cancellable;
    return input_read_nonblocking(G_POLLABLE_INPUT_STREAM(input), buffer, size, error);
}

static void offstage_input_finalize(GObject *object) {
    shared_unref(((OffstageInput *)object)->shared);
    G_OBJECT_CLASS(offstage_input_parent_class)->finalize(object);
}

static void offstage_input_class_init(OffstageInputClass *class) {
    G_OBJECT_CLASS(class)->finalize = offstage_input_finalize;
    G_INPUT_STREAM_CLASS(class)->read_fn = input_read;
}

static void offstage_input_init(OffstageInput *input) { (void)input; }

static GInputStream *stream_input(GIOStream *stream) { return ((OffstageStream *)stream)->input; }

static GOutputStream *stream_output(GIOStream *stream) {
    return g_io_stream_get_output_stream(((OffstageStream *)stream)->shared->base);
}

// Called by `g_io_stream_close`. GIO's dispose calls that too, so this always runs.
static gboolean stream_close(GIOStream *stream, GCancellable *cancellable, GError **error) {
    Shared *shared = ((OffstageStream *)stream)->shared;
    if (!g_atomic_int_compare_and_exchange(&shared->is_closed, 0, 1)) return TRUE;
    shared->calls.closed(shared->owner);
    // Closing TLS sends a final message, and would wait for a client that does not read.
    struct pollfd file = {.fd = shared->descriptor, .events = POLLOUT};
    if (poll(&file, 1, 0) <= 0) shutdown(shared->descriptor, SHUT_RDWR);
    return g_io_stream_close(shared->base, cancellable, error);
}

static void offstage_stream_finalize(GObject *object) {
    OffstageStream *stream = (OffstageStream *)object;
    g_object_unref(stream->input);
    shared_unref(stream->shared);
    G_OBJECT_CLASS(offstage_stream_parent_class)->finalize(object);
}

static void offstage_stream_class_init(OffstageStreamClass *class) {
    G_OBJECT_CLASS(class)->finalize = offstage_stream_finalize;
    GIOStreamClass *stream = G_IO_STREAM_CLASS(class);
    stream->get_input_stream = stream_input;
    stream->get_output_stream = stream_output;
    stream->close_fn = stream_close;
}

static void offstage_stream_init(OffstageStream *stream) { (void)stream; }

GIOStream *offstage_stream_new(GIOStream *base, int descriptor, const OffstageStreamCalls *calls, gpointer owner) {
    Shared *shared = g_new0(Shared, 1);
    g_atomic_ref_count_init(&shared->count);
    g_atomic_ref_count_inc(&shared->count);
    shared->base = g_object_ref(base);
    shared->descriptor = descriptor;
    shared->calls = *calls;
    shared->owner = owner;
    OffstageInput *input = g_object_new(offstage_input_get_type(), NULL);
    input->shared = shared;
    OffstageStream *stream = g_object_new(offstage_stream_get_type(), NULL);
    stream->shared = shared;
    stream->input = G_INPUT_STREAM(input);
    return G_IO_STREAM(stream);
}

GIOStream *offstage_tls_server_new(GIOStream *base, GTlsCertificate *certificate) {
    GType type = g_tls_backend_get_server_connection_type(g_tls_backend_get_default());
    // The database has to be among the properties: the initialisation, which comes after them, reads it.
    return g_initable_new(
        type, NULL, NULL, "base-io-stream", base, "certificate", certificate, "database", (gpointer)NULL, NULL);
}
