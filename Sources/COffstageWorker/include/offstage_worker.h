// The frame of a worker program: it closes the jail, then draws one document after the other.
//
//     static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
//         uint8_t *pixels = offstage_worker_picture(reply, 400, 300, true);
//         if (pixels) paint(pixels, job);
//     }
//
//     int main(void) { return offstage_worker_run(&(struct offstage_worker_program){.draw = draw}); }
#ifndef OFFSTAGE_WORKER_H
#define OFFSTAGE_WORKER_H

#include <offstage_wire.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One drawing. Its memory is valid until `draw` returns; see also `offstage_worker_keep_document`.
struct offstage_worker_job {
    /// Cannot be changed by anybody, this process included. NULL if empty.
    const uint8_t *document;
    size_t document_size;
    /// The bytes that the host's source adds to the document, such as options.
    const uint8_t *options;
    size_t options_size;
    /// The document, to be read with `pread`, for a program that `reads_file`; otherwise -1. Its bytes may change, and it may have
    /// fewer than `document_size`.
    int file;
    /// The most pixels of the picture.
    uint64_t pixel_limit;
};

/// The answer to a job. The functions below fill it in; the last outcome counts.
struct offstage_worker_reply;

struct offstage_worker_program {
    /// Loads what needs files, such as fonts or tables, before the jail is closed. It sees no document. NULL for nothing.
    void (*prepare)(void);
    /// True: the document is not mapped into memory, which it may exceed. `draw` reads it from `job->file`.
    bool reads_file;
    /// True: its decoders start threads. False: the kernel ends a worker that starts one.
    bool has_threads;
    /// Draws a document. Files, network and processes are out of reach: the kernel ends a worker that tries.
    void (*draw)(const struct offstage_worker_job *job, struct offstage_worker_reply *reply);
};

/// Closes the jail and draws until the host closes the connection. Returns the program's exit code.
int offstage_worker_run(const struct offstage_worker_program *program);

/// Gives the picture's memory: premultiplied BGRA, top row first, `4 * width` bytes per row, all zero. The size is in device px.
/// Call it at most once per job. The memory belongs to the reply. Returns NULL, and makes the reply a failure, if the picture has
/// more pixels than the limit or if memory is short.
uint8_t *offstage_worker_picture(struct offstage_worker_reply *reply, uint64_t width, uint64_t height, bool is_opaque);

/// Reports that some pixels of the picture are not opaque after all.
void offstage_worker_transparent(struct offstage_worker_reply *reply);

/// Adds bytes for the host's source to the reply, such as warnings. At most OFFSTAGE_WIRE_PAYLOAD per reply; returns false
/// if there are more, and adds none.
bool offstage_worker_report(struct offstage_worker_reply *reply, const void *bytes, size_t size);

/// Sends bytes to the host's source before the answer, and waits until the host takes them. `size` is at most
/// OFFSTAGE_WIRE_PAYLOAD, `done` of `total` bytes of the document have been read, and the source defines the meaning of the
/// numbers. Returns false if the host is gone.
bool offstage_worker_part(
    struct offstage_worker_reply *reply, const void *bytes, size_t size, uint64_t done, uint64_t total,
    const uint64_t numbers[2]);

/// Keeps the document's memory after the job, for a program whose next job may be for the same document. The program unmaps it.
void offstage_worker_keep_document(struct offstage_worker_reply *reply);

/// Makes the reply a failure. `code` is one of `offstage_wire_code`, or the source's own. The numbers explain it.
void offstage_worker_fail(struct offstage_worker_reply *reply, uint32_t code, uint64_t first, uint64_t second);

/// Closes the jail. Returns the bits of `offstage_wire_protection` that are in force. For tests; `offstage_worker_run` calls it.
unsigned offstage_worker_jail(bool has_threads);

#ifdef __cplusplus
}
#endif

#endif
