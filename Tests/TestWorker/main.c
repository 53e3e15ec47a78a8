// Draws what the tests need, and misbehaves in every way that they test. The first byte of the options is the command.
#define _GNU_SOURCE
#include <fcntl.h>
#include <offstage_worker.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/// A square picture whose pixels are the document's bytes, repeated.
static void echo(const struct offstage_worker_job *job, struct offstage_worker_reply *reply, uint64_t side) {
    uint8_t *pixels = offstage_worker_picture(reply, side, side, false);
    if (!pixels) return;
    size_t size = 4 * side * side;
    for (size_t i = 0; job->document_size > 0 && i < size; i++) pixels[i] = job->document[i % job->document_size];
    offstage_worker_report(reply, job->document, job->document_size < 16 ? job->document_size : 16);
}

/// The number of the current request.
static uint32_t number;

/// Sends an answer of the worker's own making.
static void lie(struct offstage_wire_head head, int file) {
    head.number = number;
    offstage_wire_send(OFFSTAGE_WIRE_SOCKET, &head, NULL, file);
}

static int memory(size_t size, bool is_sealed) {
    int file = memfd_create("lie", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (ftruncate(file, (off_t)size) != 0) _exit(9);
    if (is_sealed) offstage_wire_seal(file);
    return file;
}

static struct offstage_wire_head drawn(uint64_t width, uint64_t height) {
    return (struct offstage_wire_head){.kind = OFFSTAGE_WIRE_DRAWN, .values = {width, height, 1, 1}};
}

/// Sends an answer that is wrong in one respect.
static void lie_about(char what) {
    switch (what) {
    case 'z': return lie(drawn(100, 100), memory(4096, true));
    case 'o': return lie(drawn((uint64_t)1 << 62, 4), memory(4096, true));
    case 'u': return lie(drawn(32, 32), memory(4096, false));
    case 'n': return lie(drawn(32, 32), -1);
    case 'x': return lie(drawn(0, 32), memory(4096, true));
    case 'k': return lie((struct offstage_wire_head){.kind = 77}, -1);
    case 'd': return lie((struct offstage_wire_head){.kind = OFFSTAGE_WIRE_DRAW}, memory(4096, true));
    case 'p': return lie(drawn(32, 32), STDERR_FILENO);
    default: return;
    }
}

static void send_garbage(void) {
    char garbage[1000];
    memset(garbage, 0xa5, sizeof garbage);
    struct iovec part = {garbage, sizeof garbage};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (sendmsg(OFFSTAGE_WIRE_SOCKET, &message, 0) < 0) _exit(9);
}

/// An answer to this request, and one to the next, with a picture that is not its.
static void answer_twice(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    struct offstage_wire_head head = drawn(32, 32);
    head.number = number;
    int file = memfd_create("answer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (ftruncate(file, 4096) != 0) _exit(9);
    uint8_t *pixels = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    for (size_t i = 0; i < 4096; i++) pixels[i] = job->document[i % job->document_size];
    munmap(pixels, 4096);
    offstage_wire_seal(file);
    offstage_wire_send(OFFSTAGE_WIRE_SOCKET, &head, NULL, file);
    head.number = number + 1;
    offstage_wire_send(OFFSTAGE_WIRE_SOCKET, &head, NULL, file);
    offstage_worker_fail(reply, OFFSTAGE_WIRE_FIRST_CODE, 0, 0);
}

static void allocate_all(struct offstage_worker_reply *reply) {
    while (true) {
        // Volatile, or the compiler leaves out what nobody reads.
        char *volatile block = malloc(16 << 20);
        if (!block) return offstage_worker_fail(reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
        memset(block, 1, 16 << 20);
    }
}

/// Waits for another document, and never answers.
static void swallow(void) {
    static char bytes[OFFSTAGE_WIRE_PAYLOAD];
    struct offstage_wire_head head;
    int file;
    while (offstage_wire_receive(OFFSTAGE_WIRE_SOCKET, -1, &head, bytes, &file, NULL) == OFFSTAGE_WIRE_RECEIVED) continue;
    _exit(0);
}

/// Three parts before the answer.
static void send_parts(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    for (uint64_t i = 0; i < 3; i++)
        offstage_worker_part(reply, job->document, job->document_size, i + 1, 3, (uint64_t[]){7, i});
    echo(job, reply, 32);
}

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    static volatile unsigned spins;
    number++;
    char command = job->options_size > 0 ? (char)job->options[0] : 'e';
    switch (command) {
    case 'e': return echo(job, reply, 32);
    case 'b': return echo(job, reply, 1000);
    case 'P': return send_parts(job, reply);
    case 'c': abort();
    case 's': *(volatile int *)8 = 1; return;
    case 'h': while (true) spins++;
    case 'w': return swallow();
    case 'a': return allocate_all(reply);
    case 'i': _exit(0);
    case 'f': return offstage_worker_fail(reply, OFFSTAGE_WIRE_FIRST_CODE + 7, 11, 22);
    case 'g': return send_garbage();
    case 't': return answer_twice(job, reply);
    case '1': open("/etc/passwd", O_RDONLY); return;
    case '2': socket(AF_INET, SOCK_STREAM, 0); return;
    case '3': execl("/bin/true", "true", NULL); return;
    case '4': fork(); return;
    case '5': mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); return;
    case '6': connect(OFFSTAGE_WIRE_SOCKET, &(struct sockaddr){.sa_family = AF_UNIX}, sizeof(struct sockaddr)); return;
    default: lie_about(command);
    }
}

/// With a file's name as its argument, it is killed before it is ready until the file has that many bytes: a byte is added each time.
static void die_until(const char *path, off_t bytes) {
    int file = open(path, O_WRONLY | O_APPEND);
    if (file < 0 || lseek(file, 0, SEEK_END) >= bytes) return;
    if (write(file, "x", 1) == 1) raise(SIGKILL);
}

int main(int count, char **arguments) {
    if (count > 2) die_until(arguments[1], atoi(arguments[2]));
    return offstage_worker_run(&(struct offstage_worker_program){.draw = draw});
}
