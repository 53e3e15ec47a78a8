/*
 * offstage.h - draws HTML snippets into pictures, off screen.
 *
 * MAIN LOOP.  The engine is WebKitGTK, which works on the process's main thread. Load the library there, make renderers there,
 * and let that thread iterate GLib's default main context: gtk_main(), g_application_run(), a GMainLoop, or
 * g_main_context_iteration(NULL, ...). Nothing is drawn while it does not. A display is not needed: the pictures are drawn on one
 * that the library starts (Xvfb), and a window system of the program's is not touched. gtk_init() is the program's to call
 * if it has windows, before its first drawing.
 *
 * THREADS.  offstage_renderer_new() and offstage_renderer_finish() are for the main thread; every other function may be called from any.
 *
 * CALLBACKS.  Each request has its callback called exactly once: with its picture, or with an error, also when it is cancelled or
 * the renderer is freed. It is called from the main context that was the thread-default one (g_main_context_ref_thread_default())
 * of the thread that asked, when that context is iterated; never from inside a function of this header.
 *
 * OWNERSHIP.  What a function with _new in its name returns, the caller frees. A picture that a callback gets is the library's: take
 * a reference to keep it. Texts, pixels and bytes of a picture live as long as the picture. Arguments are copied. The `data` of a
 * callback stays the caller's.
 *
 * UNITS.  CSS px for widths and heights in options, device px for those of pictures, seconds, bytes. Texts are UTF-8.
 *
 * ERRORS.  A GError of the domain OFFSTAGE_ERROR. Its message names the request by its identifier and says what to do; it never
 * holds a document's text. NULL where this header does not allow it is an error, too; a function without an error to give logs it as
 * GLib's do (a critical message) and does nothing.
 *
 * OPTIONS are names and values by turns, ended by NULL:
 *
 *     const char *options[] = {"html", "<b>Hello</b>", "width", "320", "scale", "2", NULL};
 *
 * Names and values are those of the command line (`offstage render --help`, without the dashes) and of `offstage pipe`
 * (`offstage --print-schema request`). A switch takes "true" or "false". What may stand several times there may here.
 */
#ifndef OFFSTAGE_H
#define OFFSTAGE_H

#include <glib.h>

G_BEGIN_DECLS

/* The library's version, as "0.1.0". It stays where it is. */
const char *offstage_version(void);

/* ---- Errors ---------------------------------------------------------------------------------------------------------------- */

#define OFFSTAGE_ERROR (offstage_error_quark())
GQuark offstage_error_quark(void);

typedef enum {
    /* A setting, an option or an argument is wrong; the same again fares no better. */
    OFFSTAGE_ERROR_INVALID,
    /* The document's file could not be read. */
    OFFSTAGE_ERROR_UNREADABLE,
    /* The document could not be drawn: it is empty, has no height, is too large, takes too long ... */
    OFFSTAGE_ERROR_NOT_DRAWN,
    /* It was drawn, and its file could not be written. */
    OFFSTAGE_ERROR_NOT_WRITTEN,
    /* A later request has taken the same file's place. */
    OFFSTAGE_ERROR_SUPERSEDED,
    OFFSTAGE_ERROR_CANCELLED,
    /* The request's "deadline" was over. */
    OFFSTAGE_ERROR_LATE,
    /* More wait than "max-waiting" allows, and this one was the least urgent. */
    OFFSTAGE_ERROR_QUEUE_FULL,
    /* The machine lacks something, or the renderer is finished. */
    OFFSTAGE_ERROR_UNAVAILABLE
} OffstageError;

/* ---- Renderers ------------------------------------------------------------------------------------------------------------- */

/* What draws: a queue, hidden web views, and what is kept of earlier pictures. One is enough for a program. */
typedef struct OffstageRenderer OffstageRenderer;

/*
 * Makes a renderer. Nothing starts before its first drawing, which takes 0.3 seconds longer than the next. On the main thread.
 *
 * settings: names and values by turns, ended by NULL; NULL for none:
 *
 *     views           How many pictures are drawn at once, each in a process of its own: 1 to 64. Default 2, 1 with one processor.
 *     memory          Bytes that pictures may take that are kept in memory, and as many for their files. Default a tenth of the
 *                     machine's, at most 512 MiB; 0 keeps none.
 *     cache           The folder in which pictures are kept on disk, over the program's end. Default none.
 *     cache-limit     Bytes on disk. Default 2 GiB.
 *     max-waiting     How many drawings may wait; of more, the least urgent fail. With 0, what cannot start fails. Default any number.
 *     sandbox         "where-possible", the default, "always" or "never": WebKit's sandbox. Without one, "javascript" is an error.
 *     allow-host, allow-private-addresses
 *                     What documents may load from the network. Default nothing.
 *
 * and the options of a drawing, which hold for requests that do not say otherwise; beside those of a request also the limits, such
 * as "max-memory" and "max-pixels". A request can shorten "timeout", and not lengthen it.
 *
 * Returns NULL with an error, OFFSTAGE_ERROR_INVALID.
 */
OffstageRenderer *offstage_renderer_new(const char *const *settings, GError **error);

/*
 * Cancels what has no picture yet, ends the engine, and lets go of the renderer. Callbacks that are due come as the main contexts
 * are iterated. Pictures stay valid. NULL is fine.
 */
void offstage_renderer_free(OffstageRenderer *renderer);

typedef void (*OffstageFinished)(gpointer data);

/*
 * Draws what waits, writes down what is kept on disk, ends the engine with its processes, and then calls `finished`, from the
 * thread-default main context. For a program that is about to end: without it, pictures of the last moment may not be kept. What is
 * asked for later fails with OFFSTAGE_ERROR_UNAVAILABLE. The renderer is still to be freed. On the main thread.
 */
void offstage_renderer_finish(OffstageRenderer *renderer, OffstageFinished finished, gpointer data);

/* ---- Pictures -------------------------------------------------------------------------------------------------------------- */

/* A finished picture. It never changes, and any thread may use it. */
typedef struct OffstagePicture OffstagePicture;

OffstagePicture *offstage_picture_ref(OffstagePicture *picture);
/* NULL is fine. */
void offstage_picture_unref(OffstagePicture *picture);

/* Device px. */
int offstage_picture_get_width(OffstagePicture *picture);
int offstage_picture_get_height(OffstagePicture *picture);
/* Device px to a CSS px. */
double offstage_picture_get_scale(OffstagePicture *picture);

/*
 * The pixels, the top row first: premultiplied, 4 bytes each, blue, green, red and alpha in memory on a little-endian machine, as
 * CAIRO_FORMAT_ARGB32. `stride` gets the bytes from a row's start to the next one's; it may be NULL. They must not be written to.
 * NULL for a picture that was asked for as bytes or as a file.
 */
const guint8 *offstage_picture_get_pixels(OffstagePicture *picture, int *stride);

/* The file's bytes, where they were asked for, else NULL. `length` gets how many; it may be NULL. */
const guint8 *offstage_picture_get_bytes(OffstagePicture *picture, gsize *length);

/* Where the file is, as an absolute path; NULL for a picture that was not asked for as a file. */
const char *offstage_picture_get_path(OffstagePicture *picture);

/* The name of its format, as the option "format" takes it: "png", "jpeg" ...; NULL for pixels. */
const char *offstage_picture_get_format(OffstagePicture *picture);

/* FALSE where the picture lacks something that its author put there; the report's warnings say what. */
gboolean offstage_picture_is_complete(OffstagePicture *picture);

/*
 * What is to be said of the drawing, as a line of JSON (`offstage --print-schema result`): warnings, the time it took, and with the
 * option "areas" links, named elements and the text. The same for all pictures of a request.
 */
const char *offstage_picture_get_report(OffstagePicture *picture);

/*
 * The next picture of the same request, which this one keeps alive; NULL for the last. With "each" there is one for every part, in
 * their order; with "also", of bytes and files, each is followed by its further files.
 */
OffstagePicture *offstage_picture_get_next(OffstagePicture *picture);

/* Which part of the document, from 1; 0 for a whole picture. */
int offstage_picture_get_part(OffstagePicture *picture);

/* ---- Requests -------------------------------------------------------------------------------------------------------------- */

/*
 * A request's end. One of `picture` and `error` is NULL; both are the library's.
 */
typedef void (*OffstageReady)(OffstagePicture *picture, const GError *error, gpointer data);

/*
 * These ask for a picture and return at once. `options` has "html" or "file", and what else is to be said:
 *
 *     html            The document. Relative URLs lead nowhere without "base", the folder where they start.
 *     file            Its file, in the charset that it declares, else UTF-8; relative URLs start at its folder.
 *     identifier      The program's name for the picture, which it is kept under. Default by its content.
 *     priority        "very-low", "low", "normal", the default, "high" or "very-high".
 *     group           A name that requests share which may be cancelled together.
 *     immediate       It may start while the renderer is suspended.
 *     deadline        Seconds after which it fails.
 *     refresh         It is drawn even if it is kept from before.
 *     store           "false": it is not kept for later.
 *
 * and how it is drawn: width, height, scale, background, selector, each, color-scheme, javascript, timeout, strict ... Relative
 * paths start at the program's working folder.
 *
 * They return the request's number, from 1; or 0 with an error, OFFSTAGE_ERROR_INVALID, where an option is wrong: there is no request
 * then, and `ready` is not called. A style sheet that "css" names is read before they return, a document is not.
 */

/* As pixels. "format" and "also" say nothing here. */
guint64 offstage_renderer_draw(
    OffstageRenderer *renderer, const char *const *options, OffstageReady ready, gpointer data, GError **error);

/* As a file's bytes, in the option's "format"; default PNG. */
guint64 offstage_renderer_encode(
    OffstageRenderer *renderer, const char *const *options, OffstageReady ready, gpointer data, GError **error);

/*
 * As a file, which appears whole or not at all; one that is there is replaced, and missing folders are made. The format is that of
 * the path's extension, unless the option "format" says it. Of two requests for one file the later has it in the end.
 */
guint64 offstage_renderer_write(
    OffstageRenderer *renderer, const char *const *options, const char *path, OffstageReady ready, gpointer data,
    GError **error);

/*
 * The pixels at once, to show them in the same frame: where they are in memory, and the document loads no files, and comes as "html".
 * The caller unrefs the picture. NULL without an error: it is to be asked for. It takes some 50 microseconds for a small
 * document; a program that shows a picture again and again keeps it.
 */
OffstagePicture *offstage_renderer_lookup(OffstageRenderer *renderer, const char *const *options, GError **error);

/* ---- Control --------------------------------------------------------------------------------------------------------------- */

/*
 * These withdraw requests that have no picture yet: they end with OFFSTAGE_ERROR_CANCELLED. A drawing that has begun is finished and
 * dropped, unless others asked for the same. Of a number that is over nothing happens.
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

/* These move requests that wait: what is in sight goes before what is not. */
void offstage_renderer_set_priority(OffstageRenderer *renderer, guint64 request, OffstagePriority priority);
void offstage_renderer_set_group_priority(OffstageRenderer *renderer, const char *group, OffstagePriority priority);

/*
 * Lets nothing new start, while a list scrolls, until the lease that it returns is given to offstage_renderer_resume() or `seconds`
 * are over (0 for no such end). What is being drawn is finished, what is in memory or on disk still comes. There may be several
 * leases; drawing goes on when the last has ended.
 */
guint64 offstage_renderer_suspend(OffstageRenderer *renderer, double seconds);
/* Ends a lease; nothing happens if it has ended. */
void offstage_renderer_resume(OffstageRenderer *renderer, guint64 lease);
gboolean offstage_renderer_is_suspended(OffstageRenderer *renderer);

/*
 * A number by its name; -1 for a name that there is not. How often since the renderer was made: "submitted", "joined", "started",
 * "drawn", "encoded", "stored", "hitsInMemory", "hitsOnDisk", "cancelled", "failed", "evicted". How many now: "underWay" requests without
 * an end, "waiting" and "running" drawings; "memoryPictures" and "memoryBytes" that are kept in memory.
 */
gint64 offstage_renderer_get_statistic(OffstageRenderer *renderer, const char *name);

/*
 * Lets go of pictures that are kept in memory, the least recently used first, until no more than a part of its limit is in use: 0
 * for none, 1 for all. When the machine runs short of memory, the library does so itself.
 */
void offstage_renderer_trim_memory(OffstageRenderer *renderer, double fraction);

G_END_DECLS

#endif
