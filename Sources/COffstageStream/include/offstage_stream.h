#pragma once

// Includes GIO through its module, so that Swift sees only one GIO.
#include "../../CSoup/shim.h"

/// The functions with which a connection's stream replaces those of its base stream. Each gets the owner.
typedef struct {
    /// Reads without waiting, like `g_pollable_input_stream_read_nonblocking`. GLib reads a pollable stream only from its main
    /// context, on the thread that runs it.
    gssize (*read)(gpointer owner, GPollableInputStream *base, void *buffer, gsize size, GError **error);
    /// Whether `read` has bytes without reading the base. Called on the same thread.
    gboolean (*has_more)(gpointer owner);
    /// The stream was closed or freed. Called once, ON ANY THREAD: GLib also closes streams and drops last references in its
    /// thread pool.
    void (*closed)(gpointer owner);
    /// The stream is freed and no longer needs the owner. Called on any thread.
    GDestroyNotify release;
} OffstageStreamCalls;

/// A stream whose input goes through `calls.read`. Its output is the base's.
///
/// - base: Referenced, and closed with the stream.
/// - descriptor: The base's socket. Closing never waits for it: a socket that accepts no more data is shut down first.
/// - calls: Copied.
/// - owner: Passed to `calls.release` at the end.
GIOStream *offstage_stream_new(GIOStream *base, int descriptor, const OffstageStreamCalls *calls, gpointer owner);

/// The server's side of TLS over a stream, which it references; NULL if it cannot be made.
///
/// Unlike `g_tls_server_connection_new`, it never has a database of authorities. Clients have no certificates here, and the default
/// database would be read for each connection, which takes some milliseconds and some megabytes.
GIOStream *offstage_tls_server_new(GIOStream *base, GTlsCertificate *certificate);
