// The main loop of a worker program: it closes the jail, then draws one document after the other.
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
    /// No process can change it, not even this one. NULL if empty.
    const uint8_t *document;
    size_t document_size;
    /// The bytes that the host's source adds to the document, such as options.
    const uint8_t *options;
    size_t options_size;
    /// For a program that `reads_file`, the document, to be read with `pread`; otherwise -1. The file can change meanwhile, and
    /// can become shorter than `document_size`.
    int file;
    /// The maximum number of pixels of the picture.
    uint64_t pixel_limit;
};

/// The answer to a job. The functions below fill it in; the last outcome counts.
struct offstage_worker_reply;

struct offstage_worker_program {
    /// Loads everything that needs files, such as fonts or tables, before the jail is closed. It runs before any document arrives.
    /// NULL if not needed.
    void (*prepare)(void);
    /// True: the document is not mapped into memory, because it may be larger than that. `draw` reads it from `job->file`.
    bool reads_file;
    /// True if its decoders start threads. If false, the kernel kills a worker that starts one.
    bool has_threads;
    /// Draws a document. It cannot use files, the network or other processes: the kernel kills a worker that tries to.
    void (*draw)(const struct offstage_worker_job *job, struct offstage_worker_reply *reply);
};

/// Closes the jail and draws until the host closes the connection. Returns the program's exit code.
int offstage_worker_run(const struct offstage_worker_program *program);

/// Returns the picture's memory: premultiplied BGRA, top row first, `4 * width` bytes per row, all zero. The size is in device px.
/// Call it at most once per job. The memory belongs to the reply. Returns NULL, and makes the reply a failure, if the picture has
/// more pixels than the limit or if memory is short.
uint8_t *offstage_worker_picture(struct offstage_worker_reply *reply, uint64_t width, uint64_t height, bool is_opaque);

/// Reports that some pixels of the picture are not opaque after all.
void offstage_worker_transparent(struct offstage_worker_reply *reply);

/// Adds bytes for the host's source to the reply, such as warnings. At most OFFSTAGE_WIRE_PAYLOAD per reply; beyond that, it adds
/// nothing and returns false.
bool offstage_worker_report(struct offstage_worker_reply *reply, const void *bytes, size_t size);

/// Sends bytes to the host's source before the answer, and waits until the host takes them. `size` is at most
/// OFFSTAGE_WIRE_PAYLOAD. `done` and `total` are the bytes of the document read so far and in all. The source defines the meaning
/// of the numbers. Returns false if the host is gone.
bool offstage_worker_part(
    struct offstage_worker_reply *reply, const void *bytes, size_t size, uint64_t done, uint64_t total,
    const uint64_t numbers[2]);

/// Keeps the document's memory after the job, for a program whose next job may be for the same document. The program unmaps it.
void offstage_worker_keep_document(struct offstage_worker_reply *reply);

/// Makes the reply a failure. `code` is one of `offstage_wire_code`, or one that the source defines. The numbers explain it.
void offstage_worker_fail(struct offstage_worker_reply *reply, uint32_t code, uint64_t first, uint64_t second);

/// Closes the jail. Returns the bits of `offstage_wire_protection` that are in force. For tests; `offstage_worker_run` calls it.
unsigned offstage_worker_jail(bool has_threads);

#ifdef __cplusplus
}
#endif

#endif
