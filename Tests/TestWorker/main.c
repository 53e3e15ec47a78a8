// Draws test pictures and misbehaves in every way that the tests need. The first byte of the options is the command.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <offstage_worker.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
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

/// Sends a message that the worker composes itself.
static void say(struct offstage_wire_head head) {
    head.number = number;
    offstage_wire_say(OFFSTAGE_WIRE_SOCKET, &head, NULL);
}

static struct offstage_wire_head drawn(uint64_t width, uint64_t height) {
    return (struct offstage_wire_head){.kind = OFFSTAGE_WIRE_DRAWN, .values = {width, height, 1, 1}};
}

/// Waits for another document, and never answers.
static void swallow(void) {
    static char bytes[OFFSTAGE_WIRE_PAYLOAD];
    struct offstage_wire_head head;
    int files[OFFSTAGE_WIRE_FILES];
    while (offstage_wire_receive(OFFSTAGE_WIRE_SOCKET, -1, &head, bytes, files, NULL) == OFFSTAGE_WIRE_RECEIVED) continue;
    _exit(0);
}

/// Reports the picture as ready, but keeps its memory.
static void keep_memory(struct offstage_worker_reply *reply) {
    if (offstage_worker_picture(reply, 32, 32, true)) say(drawn(32, 32));
    swallow();
}

/// Sends an answer that is wrong in one respect.
static void lie_about(char what) {
    switch (what) {
    case 'o': return say(drawn((uint64_t)1 << 62, 4));
    case 'x': return say(drawn(0, 32));
    case 'k': return say((struct offstage_wire_head){.kind = 77});
    case 'd': return say((struct offstage_wire_head){.kind = OFFSTAGE_WIRE_DRAW});
    default: return;
    }
}

static void send_garbage(void) {
    char garbage[1000];
    memset(garbage, 0xa5, sizeof garbage);
    struct iovec part = {garbage, sizeof garbage};
    if (writev(OFFSTAGE_WIRE_SOCKET, &part, 1) < 0) _exit(9);
}

/// Sends a message with a descriptor.
static void send_descriptor(void) {
    struct offstage_wire_head head = drawn(32, 32);
    offstage_wire_send(OFFSTAGE_WIRE_SOCKET, &head, NULL, (int[]){STDERR_FILENO, -1});
}

static int return_at_once(void *nothing) { return nothing != NULL; }

/// Starts a thread with additional flags.
static void start_thread(int flags) {
    static char stack[65536] __attribute__((aligned(16)));
    clone(return_at_once, stack + sizeof stack, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | flags, NULL);
}

/// Reads the processor time of another process.
static void read_clock(void) {
    struct timespec time;
    clock_gettime((clockid_t)(~2u << 3 | 2), &time);
}

/// Like libc 2.41 on a newer kernel: tries to map memory for a random number generator, and falls back on getrandom.
static void draw_random(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    // MAP_DROPPABLE
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, 8 | MAP_ANONYMOUS, -1, 0);
    bool is_refused = memory == MAP_FAILED && errno == EINVAL;
    unsigned number;
    if (is_refused && getrandom(&number, sizeof number, 0) == sizeof number) echo(job, reply, 32);
}

/// Keeps a processor busy, and ignores the kernel's signal that the CPU time limit is reached.
static void burn(void) {
    static volatile unsigned spins;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    while (true) spins++;
}

/// Sends the right answer, and then keeps a processor busy and never answers again.
static void answer_and_burn(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    uint8_t *pixels = offstage_worker_picture(reply, 32, 32, true);
    for (size_t i = 0; i < 4096; i++) pixels[i] = job->document[i % job->document_size];
    munmap(pixels, 4096);
    say(drawn(32, 32));
    burn();
}

/// Answers this request and also the next one, with a picture that does not belong to it.
static void answer_twice(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    uint8_t *pixels = offstage_worker_picture(reply, 32, 32, true);
    for (size_t i = 0; i < 4096; i++) pixels[i] = job->document[i % job->document_size];
    munmap(pixels, 4096);
    say(drawn(32, 32));
    number++;
    say(drawn(32, 32));
    offstage_worker_fail(reply, OFFSTAGE_WIRE_FIRST_CODE, 0, 0);
}

/// Sends empty parts for ever.
static void send_nothing(struct offstage_worker_reply *reply) {
    while (offstage_worker_part(reply, NULL, 0, 0, 0, (uint64_t[]){0, 0})) continue;
}

static void allocate_all(struct offstage_worker_reply *reply) {
    while (true) {
        // Volatile, so that the compiler does not remove unused writes.
        char *volatile block = malloc(16 << 20);
        if (!block) return offstage_worker_fail(reply, OFFSTAGE_WIRE_NO_MEMORY, 0, 0);
        memset(block, 1, 16 << 20);
    }
}

/// Sends three parts before the answer.
static void send_parts(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    for (uint64_t i = 0; i < 3; i++)
        offstage_worker_part(reply, job->document, job->document_size, i + 1, 3, (uint64_t[]){7, i});
    echo(job, reply, 32);
}

/// Keeps 16 MiB after the answer.
static void hold(void) {
    void *held = mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (held != MAP_FAILED) memset(held, 1, 16 << 20);
}

static void answer_and_hold(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    hold();
    echo(job, reply, 32);
}

/// Draws with memory that belonged to another document and has not been written since.
static void draw_old_memory(struct offstage_worker_reply *reply) {
    // Volatile, because the compiler would remove calls whose result is unused.
    uint8_t *volatile old = malloc(4096);
    if (!old) _exit(9);
    memset(old, 0xA7, 4096);
    free(old);
    uint8_t *volatile block = malloc(4096);
    uint8_t *pixels = offstage_worker_picture(reply, 32, 32, true);
    if (block && pixels) memcpy(pixels, block, 4096);
    free(block);
}

/// Sends the right answer, and allocates memory after it.
static void answer_and_grow(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    uint8_t *pixels = offstage_worker_picture(reply, 32, 32, true);
    for (size_t i = 0; i < 4096; i++) pixels[i] = job->document[i % job->document_size];
    munmap(pixels, 4096);
    say(drawn(32, 32));
    // After the host has checked the memory for the first time.
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 30);
    hold();
    burn();
}

/// Sends the right answer, and then makes a system call that drawing does not need.
static void answer_and_open(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    uint8_t *pixels = offstage_worker_picture(reply, 32, 32, true);
    for (size_t i = 0; i < 4096; i++) pixels[i] = job->document[i % job->document_size];
    munmap(pixels, 4096);
    say(drawn(32, 32));
    open("/etc/passwd", O_RDONLY);
}

/// Makes the system call that the options name, with the numbers after it, such as "close 0". Fails with the call's
/// error, or with 1 if this machine does not have the call.
static void call(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    char text[128] = "", name[64] = "";
    size_t size = job->options_size - 1 < sizeof text - 1 ? job->options_size - 1 : sizeof text - 1;
    memcpy(text, job->options + 1, size);
    long numbers[6] = {0};
    sscanf(
        text, "%63s %ld %ld %ld %ld %ld %ld", name, numbers, numbers + 1, numbers + 2, numbers + 3, numbers + 4, numbers + 5);
    int number = seccomp_syscall_resolve_name(name);
    if (number < 0) return offstage_worker_fail(reply, OFFSTAGE_WIRE_FIRST_CODE + 8, 0, 1);
    errno = 0;
    long result = syscall(number, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    offstage_worker_fail(reply, OFFSTAGE_WIRE_FIRST_CODE + 8, result < 0 ? (uint64_t)errno : 0, 0);
}

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    static volatile unsigned spins;
    number++;
    char command = job->options_size > 0 ? (char)job->options[0] : 'e';
    switch (command) {
    case 'e': return echo(job, reply, 32);
    case 'b': return echo(job, reply, 1000);
    case 'O': return answer_and_open(job, reply);
    case 'M': return answer_and_hold(job, reply);
    case 'Z': return draw_old_memory(reply);
    case 'G': return answer_and_grow(job, reply);
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
    case 'u': return keep_memory(reply);
    case 'B': return answer_and_burn(job, reply);
    case 'C': return burn();
    case 'E': return send_nothing(reply);
    case '1': open("/etc/passwd", O_RDONLY); return;
    case '2': socket(AF_INET, SOCK_STREAM, 0); return;
    case '3': execl("/bin/true", "true", NULL); return;
    case '4': fork(); return;
    case '5': mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); return;
    case 'S': mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); return;
    case '6': connect(OFFSTAGE_WIRE_SOCKET, &(struct sockaddr){.sa_family = AF_UNIX}, sizeof(struct sockaddr)); return;
    case '7': memfd_create("more", MFD_CLOEXEC | MFD_ALLOW_SEALING); return;
    case '8': return send_descriptor();
    case '9': return start_thread(0);
    case 'N': return start_thread(CLONE_NEWNET);
    case 'q': return read_clock();
    case 'r': return draw_random(job, reply);
    case 'Y': return call(job, reply);
    default: lie_about(command);
    }
}

/// With a file's name and a number as arguments, it adds a byte to the file at each start, and is killed before it is
/// ready until the file has that many bytes.
static void die_until(const char *path, off_t bytes) {
    int file = open(path, O_WRONLY | O_APPEND);
    if (file < 0 || lseek(file, 0, SEEK_END) >= bytes) return;
    if (write(file, "x", 1) == 1) raise(SIGKILL);
}

int main(int count, char **arguments) {
    if (count > 2) die_until(arguments[1], atoi(arguments[2]));
    return offstage_worker_run(&(struct offstage_worker_program){.draw = draw});
}
