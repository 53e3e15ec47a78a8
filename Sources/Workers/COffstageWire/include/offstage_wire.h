// The messages between a host and a worker: one packet on a socket each. Only the host's messages carry descriptors; a worker has
// no system call to send one. Both ends run on the same machine, so numbers are in its byte order.
#ifndef OFFSTAGE_WIRE_H
#define OFFSTAGE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define OFFSTAGE_WIRE_MAGIC 0x5346464fu
/// Both ends must have the same version. Raise it with every change of the header or of a value's meaning.
#define OFFSTAGE_WIRE_VERSION 3
/// The maximum number of bytes after the header: options, or a report.
#define OFFSTAGE_WIRE_PAYLOAD 65536
/// The worker's end of the socket.
#define OFFSTAGE_WIRE_SOCKET 3

enum offstage_wire_kind {
    /// Worker, once: the jail is closed. Values: the protections in force, Landlock's version.
    OFFSTAGE_WIRE_READY = 1,
    /// Host, with the descriptors of the document and of the picture's memory. Values: the document's size in bytes, the maximum
    /// number of pixels, 1 if there is a document, 1 if there is memory. Payload: the options.
    OFFSTAGE_WIRE_DRAW = 2,
    /// Worker. Values: width and height in device px, 1 if every pixel is opaque, 1 if it has drawn a picture, at the start of
    /// the picture's memory. Payload: the report.
    OFFSTAGE_WIRE_DRAWN = 3,
    /// Worker. Values: the code, and three numbers whose meaning depends on it.
    OFFSTAGE_WIRE_FAILED = 4,
    /// Worker, any number of times before its answer. Values: the bytes of the document read so far and in total, and two numbers
    /// whose meaning depends on the source. Payload: bytes for the source.
    OFFSTAGE_WIRE_PART = 5,
};

/// Codes of OFFSTAGE_WIRE_FAILED that all workers share. Those of a source start at OFFSTAGE_WIRE_FIRST_CODE.
enum offstage_wire_code {
    /// An allocation failed.
    OFFSTAGE_WIRE_NO_MEMORY = 1,
    /// Numbers: the width and the height of the picture in device px. It was not painted.
    OFFSTAGE_WIRE_TOO_MANY_PIXELS = 2,
    OFFSTAGE_WIRE_FIRST_CODE = 100,
};

/// Bits of the protections in force.
enum offstage_wire_protection {
    OFFSTAGE_WIRE_NO_NEW_PRIVILEGES = 1,
    OFFSTAGE_WIRE_SECCOMP = 2,
    OFFSTAGE_WIRE_LANDLOCK = 4,
    OFFSTAGE_WIRE_LIMITS = 8,
    OFFSTAGE_WIRE_EMPTY_ENVIRONMENT = 16,
};

struct offstage_wire_head {
    uint32_t magic;
    uint16_t version;
    uint16_t kind;
    /// The request's number, which the answer repeats.
    uint32_t number;
    /// The number of bytes after the header.
    uint32_t length;
    uint64_t values[4];
};

enum offstage_wire_result {
    OFFSTAGE_WIRE_RECEIVED,
    /// The other end was closed, after it had read everything.
    OFFSTAGE_WIRE_END,
    /// The other end was closed with an unread message.
    OFFSTAGE_WIRE_UNREAD,
    OFFSTAGE_WIRE_TIMEOUT,
    /// The packet is not a message: the length, magic, version or number of descriptors is wrong. Its descriptors are closed.
    OFFSTAGE_WIRE_MALFORMED,
    /// A system call failed; see `errno`.
    OFFSTAGE_WIRE_ERROR,
};

/// Makes a connection with two ends, for the host and for the worker. Both are closed on exec. Messages at the host's end name
/// their sender. Returns -1 with `errno` set on failure.
int offstage_wire_pair(int *host, int *worker);

/// The maximum number of descriptors per message.
#define OFFSTAGE_WIRE_FILES 2

/// Sends a message from the host. Sets the header's magic and version. The caller keeps the files; -1 for none. Returns -1 with
/// `errno` set on failure, which is EPIPE or ECONNRESET if the other end is closed, and EAGAIN if its queue is full.
int offstage_wire_send(
    int socket, struct offstage_wire_head *head, const void *payload, const int files[OFFSTAGE_WIRE_FILES]);

/// Sends a message from a worker. Sets the header's magic and version. Waits until the host can receive it. Returns -1 with `errno`
/// set on failure, which is EPIPE if the host is gone. The caller ignores SIGPIPE.
int offstage_wire_say(int socket, struct offstage_wire_head *head, const void *payload);

/// Waits for a message, at most this many milliseconds; -1 to wait forever.
///
/// `payload` must have space for OFFSTAGE_WIRE_PAYLOAD bytes. `files` receives the message's descriptors, closed on exec, which
/// the caller closes; the rest is set to -1. If `files` is NULL, a message with a descriptor is malformed. `sender`, if not NULL,
/// becomes the process that sent the message, which the kernel vouches for, or 0.
enum offstage_wire_result offstage_wire_receive(
    int socket, int milliseconds, struct offstage_wire_head *head, void *payload, int files[OFFSTAGE_WIRE_FILES], pid_t *sender);

/// True if the other end has not read everything.
bool offstage_wire_has_unread(int socket);

/// Copies bytes into a memory file that can no longer be changed. Returns a descriptor, which the caller closes, or -1 with
/// `errno` set.
int offstage_wire_sealed(const void *bytes, size_t size);

/// Makes a memory file for a picture of at most `size` bytes. Memory is allocated as it is written. Returns a descriptor, which
/// the caller closes, or -1 with `errno` set.
int offstage_wire_room(size_t size);

/// Truncates a memory file to `size` bytes and seals it. Returns -1 with `errno` set on failure: EINVAL if it is smaller, and
/// EBUSY if another process can still write to it.
int offstage_wire_close(int file, size_t size);

/// Maps a file for reading. Rejects (EINVAL) a file that is not a memory file, does not have exactly this size, or can still be
/// changed: reading from it could fault or return changing bytes. Returns NULL with `errno` set on failure. The caller unmaps it;
/// the descriptor may be closed before that.
const void *offstage_wire_map(int file, size_t size);

#endif
