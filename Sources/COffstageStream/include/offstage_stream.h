#pragma once

// By its module, so that Swift sees one GIO.
#include "../../CSoup/shim.h"

/// The calls of a connection's stream, which wraps its base. Each gets the owner that was given to `offstage_stream_new`.
typedef struct {
    /// Reads without waiting, as `g_pollable_input_stream_read_nonblocking` does. GLib reads a pollable stream from its main context
    /// only: on the thread that runs that.
    gssize (*read)(gpointer owner, GPollableInputStream *base, void *buffer, gsize size, GError **error);
    /// Whether `read` has bytes without asking the base. On the same thread.
    gboolean (*has_more)(gpointer owner);
    /// The stream was closed or let go, once, ON ANY THREAD: GLib closes streams and drops last references in its thread pool, too.
    void (*closed)(gpointer owner);
    /// The stream is freed and needs the owner no more, on any thread.
    GDestroyNotify release;
} OffstageStreamCalls;

/// A stream whose input goes through `calls.read`; its output is the base's.
///
/// - base: referenced, closed with the stream.
/// - descriptor: the base's socket. A close never waits for it: where it takes no more, it is shut down first.
/// - calls: copied.
/// - owner: given to `calls.release` at the end.
GIOStream *offstage_stream_new(GIOStream *base, int descriptor, const OffstageStreamCalls *calls, gpointer owner);
