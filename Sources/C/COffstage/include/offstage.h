/*
 * offstage.h - draws HTML snippets to pictures, off screen.
 *
 * MAIN LOOP.  The engine is WebKitGTK, which runs on the main thread of the process. Load the library and make renderers on
 * that thread, and let it iterate GLib's default main context: with gtk_main(), g_application_run(), a GMainLoop, or
 * g_main_context_iteration(NULL, ...). The library draws only while the context is iterated. It needs no display: it starts a
 * private one (Xvfb) and does not touch the program's window system. If the program has windows, it calls gtk_init() itself,
 * before its first drawing.
 *
 * THREADS.  Call offstage_renderer_new() and offstage_renderer_finish() on the main thread. Call every other function from any
 * thread.
 *
 * CALLBACKS.  The library calls the callback of each request exactly once, with a picture or with an error, even if the request is
 * cancelled or the renderer is freed. It makes the call from the main context that was the requesting thread's default
 * (g_main_context_ref_thread_default()), when that context is iterated. It never makes the call from inside a function of this header.
 *
 * OWNERSHIP.  The caller frees the results of functions with _new in their names. A picture passed to a callback belongs to the library:
 * take a reference to keep it. The texts, pixels and bytes of a picture live as long as the picture. The library copies arguments. The
 * `data` of a callback belongs to the caller.
 *
 * UNITS.  CSS px for widths and heights in options, device px for those of pictures, seconds, bytes. Texts are UTF-8.
 *
 * ERRORS.  A GError of the domain OFFSTAGE_ERROR. Its message names the request by its identifier and describes the remedy; it
 * never contains a document's text. Passing NULL where this header does not allow it is an error, too. A function without a
 * GError parameter then logs a critical message, as GLib's functions do, and does nothing.
 *
 * OPTIONS are alternating names and values, ended by NULL:
 *
 *     const char *options[] = {"html", "<b>Hello</b>", "width", "320", "scale", "2", NULL};
 *
 * Names and values are those of the command line (`offstage render --help`, without the dashes) and of `offstage pipe`
 * (`offstage --print-schema request`). A switch takes "true" or "false". Options that are repeatable there are repeatable
 * here.
 */
#ifndef OFFSTAGE_H
#define OFFSTAGE_H

#include <glib.h>

G_BEGIN_DECLS

/* The version of the library, such as "0.1.0". The text is static. */
const char *offstage_version(void);

/* ---- Errors -------------------------------------------------------------------------------------------------------------- */

#define OFFSTAGE_ERROR (offstage_error_quark())
GQuark offstage_error_quark(void);

typedef enum {
    /* A setting, an option or an argument is wrong; trying again does not help. */
    OFFSTAGE_ERROR_INVALID,
    /* The document's file could not be read. */
    OFFSTAGE_ERROR_UNREADABLE,
    /* The document could not be drawn: it is empty, has no height, is too large, takes too long ... */
    OFFSTAGE_ERROR_NOT_DRAWN,
    /* The document was drawn, but its file could not be written. */
    OFFSTAGE_ERROR_NOT_WRITTEN,
    /* A later request writes the same file. */
    OFFSTAGE_ERROR_SUPERSEDED,
    OFFSTAGE_ERROR_CANCELLED,
    /* The request's "deadline" has passed. */
    OFFSTAGE_ERROR_LATE,
    /* More drawings wait than "max-waiting" allows, and this one was the least urgent. */
    OFFSTAGE_ERROR_QUEUE_FULL,
    /* The machine lacks something, or the renderer is finished. */
    OFFSTAGE_ERROR_UNAVAILABLE
} OffstageError;

/* ---- Renderers ----------------------------------------------------------------------------------------------------------- */

/* A queue, hidden web views, and a cache of earlier pictures. One renderer is enough for a program. */
typedef struct OffstageRenderer OffstageRenderer;

/*
 * Makes a renderer. Call it on the main thread. The engine starts with the first drawing, which takes 0.3 seconds longer than later ones.
 *
 * settings: alternating names and values, ended by NULL; NULL for none:
 *
 *     views           The number of drawings at once, each in its own process: 1 to 64. Default 2, or 1 on one processor.
 *     memory          The size of the memory cache for pictures, and of a second one for their files, in bytes. Default a tenth of
 *                     the machine's memory, at most 512 MiB; 0 for no memory cache.
 *     cache           The folder of the store, which keeps pictures on disk after the program ends. Default none.
 *     cache-limit     The size of the store, in bytes. Default 2 GiB.
 *     max-waiting     The maximum number of waiting drawings; beyond it, the least urgent fail. With 0, a drawing that cannot
 *                     start at once fails. Default no maximum.
 *     sandbox         "where-possible", the default, "always" or "never": WebKit's sandbox. Without one, "javascript" is an
 *                     error.
 *     fresh-workers   When a file other than HTML gets a worker that has drawn nothing before: "document", for each document;
 *                     "never", the default. "client" means "document" here: the program is one client, without a name.
 *     allow-host, allow-private-addresses
 *                     The hosts from which documents may load. Default none.
 *
 * and the options of a drawing, as defaults of all requests. The limits, such as "max-memory" and "max-pixels", can be set only here. A
 * request can shorten "timeout", but not lengthen it.
 *
 * Returns NULL with an error, OFFSTAGE_ERROR_INVALID.
 */
OffstageRenderer *offstage_renderer_new(const char *const *settings, GError **error);

/*
 * Cancels requests that have no picture yet, ends the engine, and releases the renderer. Callbacks that are still due are made
 * when their main contexts are iterated. Pictures stay valid. `renderer` may be NULL.
 */
void offstage_renderer_free(OffstageRenderer *renderer);

typedef void (*OffstageFinished)(gpointer data);

/*
 * Draws waiting requests, completes the writes to the store, ends the engine with its processes, and then calls `finished`
 * from the thread-default main context. Call it on the main thread, before the program ends: otherwise the last pictures may
 * be missing from the store. Later requests fail with OFFSTAGE_ERROR_UNAVAILABLE. The caller still has to free the renderer.
 */
void offstage_renderer_finish(OffstageRenderer *renderer, OffstageFinished finished, gpointer data);

/* ---- Pictures ------------------------------------------------------------------------------------------------------------ */

/* A finished picture. It is immutable, and any thread may use it. */
typedef struct OffstagePicture OffstagePicture;

OffstagePicture *offstage_picture_ref(OffstagePicture *picture);
/* `picture` may be NULL. */
void offstage_picture_unref(OffstagePicture *picture);

/* Device px. */
int offstage_picture_get_width(OffstagePicture *picture);
int offstage_picture_get_height(OffstagePicture *picture);
/* Device px per CSS px. */
double offstage_picture_get_scale(OffstagePicture *picture);

/*
 * The pixels, from top to bottom: premultiplied, 4 bytes each, in the format CAIRO_FORMAT_ARGB32. On a little-endian machine,
 * the order in memory is blue, green, red, alpha. `stride` receives the number of bytes from the start of one row to the next;
 * it may be NULL. The pixels must not be written to. Returns NULL for a picture that was requested as bytes or as a file.
 */
const guint8 *offstage_picture_get_pixels(OffstagePicture *picture, int *stride);

/* The bytes of the file, or NULL if the picture was not requested as bytes. `length` receives their number; it may be NULL. */
const guint8 *offstage_picture_get_bytes(OffstagePicture *picture, gsize *length);

/* The absolute path of the file; NULL for a picture that was not requested as a file. */
const char *offstage_picture_get_path(OffstagePicture *picture);

/* The name of the format, as in the option "format": "png", "jpeg" ...; NULL for pixels. */
const char *offstage_picture_get_format(OffstagePicture *picture);

/* FALSE if the picture lacks something that its author put there; the report has the warnings. */
gboolean offstage_picture_is_complete(OffstagePicture *picture);

/*
 * The report of the drawing, a line of JSON (`offstage --print-schema result`): warnings, the time it took, and with the
 * option "areas" links, named elements and the text. All pictures of a request have the same report.
 */
const char *offstage_picture_get_report(OffstagePicture *picture);

/*
 * The next picture of the same request, which this one retains; NULL for the last. With "each", a request has one picture for
 * every part, in their order. With "also", for bytes and files, each picture is followed by its further files.
 */
OffstagePicture *offstage_picture_get_next(OffstagePicture *picture);

/* The number of the document's part, from 1; 0 for a whole picture. */
int offstage_picture_get_part(OffstagePicture *picture);

/* ---- Requests ------------------------------------------------------------------------------------------------------------ */

/* Called when a request ends. Either `picture` or `error` is NULL. The library owns both. */
typedef void (*OffstageReady)(OffstagePicture *picture, const GError *error, gpointer data);

/*
 * These functions request a picture and return at once. `options` has "html" or "file", and can have these:
 *
 *     html            The document. Relative URLs resolve only with "base", the folder to which they are relative.
 *     file            The document's file, in the charset that it declares, else UTF-8; relative URLs are relative to its
 *                     folder.
 *     identifier      The program's name for the picture, and its name in the cache; at most 255 bytes. Default derived from its content.
 *     priority        "very-low", "low", "normal", the default, "high" or "very-high".
 *     group           A name for requests that can be cancelled together.
 *     immediate       The drawing may start while the renderer is suspended.
 *     deadline        Seconds after which the request fails.
 *     refresh         Draw the picture even if it is cached.
 *     store           "false": do not cache the picture.
 *
 * and the options of a drawing: width, height, scale, background, selector, each, color-scheme, javascript, timeout, strict
 * ... Relative paths are relative to the program's working folder.
 *
 * They return the number of the request, from 1. If an option is wrong, they return 0 with an error, OFFSTAGE_ERROR_INVALID;
 * there is then no request, and `ready` is not called. Before they return, they read the style sheets that "css" names, but
 * not the document.
 */

/* Requests pixels. "format" and "also" have no effect. */
guint64 offstage_renderer_draw(
    OffstageRenderer *renderer, const char *const *options, OffstageReady ready, gpointer data, GError **error);

/* Requests the bytes of a file, in the format of the option "format"; default PNG. */
guint64 offstage_renderer_encode(
    OffstageRenderer *renderer, const char *const *options, OffstageReady ready, gpointer data, GError **error);

/*
 * Requests a file. It appears complete or not at all; it replaces an existing file, and missing folders are made. The format
 * follows the path's extension, unless there is an option "format". If two requests name the same file, the later one
 * determines its content.
 */
guint64 offstage_renderer_write(
    OffstageRenderer *renderer, const char *const *options, const char *path, OffstageReady ready, gpointer data,
    GError **error);

/*
 * Returns the pixels at once, to show them in the same frame, if they are in the memory cache, the document is given as
 * "html", and it loads no files. The caller unrefs the picture. NULL without an error: request the picture instead. The call
 * takes about 50 microseconds for a small document; a program that shows a picture repeatedly should keep it.
 */
OffstagePicture *offstage_renderer_lookup(OffstageRenderer *renderer, const char *const *options, GError **error);

/* ---- Documents ----------------------------------------------------------------------------------------------------------- */

/*
 * Called when annotations are saved. `document` is the new PDF document; call g_bytes_ref() to keep it. `left_out` names the annotations
 * that were not read or not written, one per line; NULL for none. If nothing was saved, `document` is NULL and `error` has the reason.
 * The library owns all three.
 */
typedef void (*OffstageSaved)(GBytes *document, const char *left_out, const GError *error, gpointer data);

/*
 * Saves annotations in a PDF document, for all programs, or deletes some from it. The document's file stays as it is. `options`
 * are alternating names and values, ended by NULL:
 *
 *     file            The path of the document.
 *     annotations     The path of an annotation file: .json (`offstage --print-schema annotations`) or .xfdf.
 *     xfdf            The annotations as XFDF, instead of "annotations".
 *     remove          "all", or the identifier of one of the document's own annotations to delete; repeatable.
 *     output          The path of the new document, which cannot be "file". Default none: only `saved` gets the document.
 *     password-file   A file whose first line is the password of the document.
 *     force           "true": change even a certified document.
 *
 * Returns the number of the request, from 1, or 0 with an error, OFFSTAGE_ERROR_INVALID; `saved` is then not called. If
 * the document or the annotations cannot be read, `saved` gets OFFSTAGE_ERROR_UNREADABLE or OFFSTAGE_ERROR_INVALID. Such a request
 * cannot be cancelled.
 */
guint64 offstage_renderer_annotate(
    OffstageRenderer *renderer, const char *const *options, OffstageSaved saved, gpointer data, GError **error);

/* ---- Control ------------------------------------------------------------------------------------------------------------- */

/*
 * These functions cancel requests that have no picture yet: they end with OFFSTAGE_ERROR_CANCELLED. A drawing in progress is
 * completed and dropped, unless other requests need it. The number of a request that has ended has no effect.
 */
void offstage_renderer_cancel(OffstageRenderer *renderer, guint64 request);
void offstage_renderer_cancel_group(OffstageRenderer *renderer, const char *group);
void offstage_renderer_cancel_all(OffstageRenderer *renderer);

typedef enum {
    OFFSTAGE_PRIORITY_VERY_LOW,
    OFFSTAGE_PRIORITY_LOW,
    OFFSTAGE_PRIORITY_NORMAL,
    OFFSTAGE_PRIORITY_HIGH,
    OFFSTAGE_PRIORITY_VERY_HIGH
} OffstagePriority;

/* These functions change the priority of waiting requests, for example to draw visible rows first. */
void offstage_renderer_set_priority(OffstageRenderer *renderer, guint64 request, OffstagePriority priority);
void offstage_renderer_set_group_priority(OffstageRenderer *renderer, const char *group, OffstagePriority priority);

/*
 * Starts no drawing, for example while a list scrolls, until the returned lease is passed to offstage_renderer_resume() or
 * `seconds` have passed (0 for no time limit). Drawings in progress are completed, and cached pictures are still returned.
 * Several leases can be active; drawing resumes when the last one has ended.
 */
guint64 offstage_renderer_suspend(OffstageRenderer *renderer, double seconds);
/* Ends a lease. Has no effect if the lease has ended. */
void offstage_renderer_resume(OffstageRenderer *renderer, guint64 lease);
gboolean offstage_renderer_is_suspended(OffstageRenderer *renderer);

/*
 * The value of a named counter; -1 for an unknown name. Totals since the renderer was made: "submitted", "joined", "started", "drawn",
 * "encoded", "stored", "hitsInMemory", "hitsOnDisk", "cancelled", "failed", "evicted", "withdrawn". Current numbers: "underWay" for
 * requests that have not ended, "waiting" and "running" for drawings, "memoryPictures" and "memoryBytes" for the memory cache.
 */
gint64 offstage_renderer_get_statistic(OffstageRenderer *renderer, const char *name);

/*
 * Evicts pictures from the memory cache, the least recently used first, until at most this fraction of its limit is in use: 0
 * evicts all, 1 none. The library does this by itself when the machine runs short of memory.
 */
void offstage_renderer_trim_memory(OffstageRenderer *renderer, double fraction);

G_END_DECLS

#endif
