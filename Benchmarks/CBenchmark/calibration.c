#include "calibration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TABLE = 1 << 14, BLOCK = 8 << 20, STEPS = 3000000, COPIES = 4 };

uint64_t offstage_calibrate_compute(void) {
    uint64_t *table = malloc(TABLE * sizeof *table);
    unsigned char *from = malloc(BLOCK), *to = malloc(BLOCK);
    uint64_t state = 0x9E3779B97F4A7C15u, sum = 0;
    if (table != NULL && from != NULL && to != NULL) {
        for (int i = 0; i < TABLE; i++) table[i] = state += 0x9E3779B97F4A7C15u;
        // Each step depends on the previous one, so the processor cannot do several at once.
        for (int i = 0; i < STEPS; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            uint64_t *place = &table[state % TABLE];
            *place += state;
            state += *place >> 3;
        }
        memset(from, (int)(state & 0xFF), BLOCK);
        for (int i = 0; i < COPIES; i++) {
            memcpy(to, from, BLOCK);
            sum += to[(state + (uint64_t)i * 4099) % BLOCK];
            from[i] = (unsigned char)sum;
        }
    }
    free(table);
    free(from);
    free(to);
    return state + sum;
}

// Runs in the child of a program that may have threads: only async-signal-safe calls.
static void echo(int in, int out) {
    char byte;
    while (read(in, &byte, 1) == 1 && write(out, &byte, 1) == 1) continue;
    _exit(0);
}

int offstage_calibrate_switch(int round_trips) {
    int there[2], back[2];
    if (pipe(there) != 0) return -1;
    if (pipe(back) != 0) {
        close(there[0]);
        close(there[1]);
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        close(there[1]);
        close(back[0]);
        echo(there[0], back[1]);
    }
    int code = child < 0 ? errno : 0;
    close(there[0]);
    close(back[1]);
    char byte = 0;
    for (int i = 0; code == 0 && i < round_trips; i++) {
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) code = EPIPE;
    }
    // The child ends when its pipe is closed.
    close(there[1]);
    close(back[0]);
    if (child > 0) waitpid(child, NULL, 0);
    errno = code;
    return code == 0 ? 0 : -1;
}
