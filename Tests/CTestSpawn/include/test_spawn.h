// Starts programs for tests with newer parts of posix_spawn, which Swift does not import.
#ifndef TEST_SPAWN_H
#define TEST_SPAWN_H

#include <sys/types.h>

/// Starts a program in its own process group, in `folder`, with no signal blocked or ignored. Its descriptors 0 to 2
/// are `descriptors`; it has no others. `argv` and `envp` end with NULL. Returns 0, or an error number.
int test_spawn(pid_t *id, char *const argv[], char *const envp[], const char *folder, const int descriptors[3]);

/// A pipe that the programs we start do not inherit; -1 with `errno` set on failure.
int test_pipe(int ends[2]);

#endif
