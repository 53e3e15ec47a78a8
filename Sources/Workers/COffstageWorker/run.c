#define _GNU_SOURCE
#include "offstage_worker.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail.h"

struct offstage_worker_reply {
    uint32_t number;
    uint64_t pixel_limit;
    bool has_failed;
    uint64_t failure[3];
    /// The host's memory for the picture, and its mapping; -1 and NULL for none.
    int file;
    uint8_t *pixels;
    uint64_t width, height;
    bool is_opaque;
    bool keeps_document;
    size_t report_size;
    uint8_t report[OFFSTAGE_WIRE_PAYLOAD];
};

void offstage_worker_fail(struct offstage_worker_reply *reply, uint32_t code, uint64_t first, uint64_t second) {
    reply->has_failed = true;
    reply->failure[0] = code;
    reply->failure[1] = first;
    reply->failure[2] = second;
}

uint8_t *offstage_worker_picture(struct offstage_worker_reply *reply, uint64_t width, uint64_t height, bool is_opaque) {
    if (width == 0 || height == 0 || width > reply->pixel_limit || height > reply->pixel_limit / width) {
        offstage_worker_fail(reply, OFFSTAGE_WIRE_TOO_MANY_PIXELS, width, height);
        return NULL;
    }
    size_t size = 4 * width * height;
    void *memory = MAP_FAILED;
    // In one step: the kernel would otherwise clear and count each page when it is first touched.
    if (reply->file >= 0 && (off_t)size <= lseek(reply->file, 0, SEEK_END))
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, reply->file, 0);
    if (memory == MAP_FAILED) {
        offstage_worker_fail(reply, OFFSTAGE_WIRE_NO_MEMORY, size, 0);
        return NULL;
    }
    reply->pixels = memory;
    reply->width = width;
    reply->height = height;
    reply->is_opaque = is_opaque;
    return memory;
}

void offstage_worker_transparent(struct offstage_worker_reply *reply) { reply->is_opaque = false; }

bool offstage_worker_report(struct offstage_worker_reply *reply, const void *bytes, size_t size) {
    if (size > sizeof reply->report - reply->report_size) return false;
    memcpy(reply->report + reply->report_size, bytes, size);
    reply->report_size += size;
    return true;
}

bool offstage_worker_part(
    struct offstage_worker_reply *reply, const void *bytes, size_t size, uint64_t done, uint64_t total,
    const uint64_t numbers[2]) {
    struct offstage_wire_head head = {
        .kind = OFFSTAGE_WIRE_PART,
        .number = reply->number,
        .length = (uint32_t)size,
        .values = {done, total, numbers[0], numbers[1]},
    };
    return offstage_wire_say(OFFSTAGE_WIRE_SOCKET, &head, bytes) == 0;
}

void offstage_worker_keep_document(struct offstage_worker_reply *reply) { reply->keeps_document = true; }

/// Sends the reply and releases its picture. Returns false if the host is gone.
static bool answer(struct offstage_worker_reply *reply, uint32_t number) {
    // The host seals it, and rejects a picture that could still change.
    if (reply->pixels) munmap(reply->pixels, 4 * reply->width * reply->height);
    if (reply->file >= 0) close(reply->file);
    int result;
    if (reply->has_failed) {
        struct offstage_wire_head head = {.kind = OFFSTAGE_WIRE_FAILED, .number = number};
        memcpy(head.values, reply->failure, sizeof reply->failure);
        result = offstage_wire_say(OFFSTAGE_WIRE_SOCKET, &head, NULL);
    } else {
        struct offstage_wire_head head = {
            .kind = OFFSTAGE_WIRE_DRAWN,
            .number = number,
            .length = (uint32_t)reply->report_size,
            .values = {reply->width, reply->height, reply->is_opaque, reply->pixels != NULL},
        };
        result = offstage_wire_say(OFFSTAGE_WIRE_SOCKET, &head, reply->report);
    }
    return result == 0;
}

/// The current drawing. A signal handler on the same thread reads it.
static volatile bool is_drawing;
static volatile uint32_t drawing;

void offstage_worker_report_exhaustion(void) {
    if (!is_drawing) return;
    struct offstage_wire_head head = {.kind = OFFSTAGE_WIRE_FAILED, .number = drawing, .values = {OFFSTAGE_WIRE_NO_MEMORY}};
    offstage_wire_say(OFFSTAGE_WIRE_SOCKET, &head, NULL);
}

/// Draws one document. Returns false if the host is gone or no document can be read.
static bool serve(const struct offstage_worker_program *program) {
    // Large, and used by one drawing at a time: not on the stack.
    static uint8_t options[OFFSTAGE_WIRE_PAYLOAD];
    static struct offstage_worker_reply reply;
    struct offstage_wire_head head;
    int files[OFFSTAGE_WIRE_FILES];
    if (offstage_wire_receive(OFFSTAGE_WIRE_SOCKET, -1, &head, options, files, NULL) != OFFSTAGE_WIRE_RECEIVED) return false;
    // The host's files are trusted: the document was sealed before it was sent.
    int file = head.values[2] ? files[0] : -1, room = head.values[3] ? files[head.values[2] ? 1 : 0] : -1;
    struct offstage_worker_job job = {
        .options = options,
        .options_size = head.length,
        .document_size = head.values[0],
        .file = -1,
        .pixel_limit = head.values[1],
    };
    void *document = MAP_FAILED;
    if (program->reads_file) job.file = file;
    else if (file >= 0 && job.document_size > 0)
        document = mmap(NULL, job.document_size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    if (file >= 0 && job.file < 0) close(file);
    reply.number = head.number;
    reply.pixel_limit = job.pixel_limit;
    reply.has_failed = false;
    reply.file = room;
    reply.pixels = NULL;
    reply.width = reply.height = 0;
    reply.is_opaque = false;
    reply.keeps_document = false;
    reply.report_size = 0;
    if (document != MAP_FAILED) job.document = document;
    if (job.document_size > 0 && !job.document && job.file < 0)
        offstage_worker_fail(&reply, OFFSTAGE_WIRE_NO_MEMORY, job.document_size, 0);
    else {
        drawing = head.number;
        is_drawing = true;
        errno = 0;
        program->draw(&job, &reply);
        is_drawing = false;
    }
    if (job.document && !reply.keeps_document) munmap(document, job.document_size);
    if (job.file >= 0) close(job.file);
    return answer(&reply, head.number);
}

int offstage_worker_run(const struct offstage_worker_program *program) {
    // All threads use the first thread's heap: before libc shrinks another heap, it opens a file in /proc, which the jail
    // forbids.
    mallopt(M_ARENA_MAX, 1);
    // The value 255 fills allocated memory with zeros. If a damaged file makes a decoder read memory that it has not written,
    // the picture is then the same each time and shows nothing of another document. Not for blocks below 1 KB, which libc
    // manages separately.
    mallopt(M_PERTURB, 255);
    if (program->prepare) program->prepare();
    struct offstage_wire_head head = {.kind = OFFSTAGE_WIRE_READY};
    head.values[0] = offstage_worker_jail(program->has_threads);
    if (offstage_wire_say(OFFSTAGE_WIRE_SOCKET, &head, NULL) != 0) return 1;
    while (serve(program)) continue;
    // Skip the libraries' exit handlers, which may make calls that the jail forbids.
    _exit(0);
}
