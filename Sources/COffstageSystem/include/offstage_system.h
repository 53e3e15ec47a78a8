// Linux calls that Swift cannot make: what lies between fork and exec, and system calls without a wrapper.
#ifndef OFFSTAGE_SYSTEM_H
#define OFFSTAGE_SYSTEM_H

#include <stdbool.h>
#include <sys/types.h>

/// Starts a program that ends with us: it gets SIGTERM when the calling thread ends, however that happens (so call it from
/// the main thread). It runs in a process group of its own, out of reach of the terminal's Ctrl-C.
///
/// `argv` ends with NULL; `argv[0]` is looked up in PATH. The child's descriptors 0 to `count - 1` are `descriptors`;
/// it has no others. No signal is blocked in it, but for SIGUSR1 and SIGUSR2 where they are in the calling thread: what has
/// a meaning for us ends no helper. Returns its process id, or -1 with `errno` set, also where exec failed. Reap it with `waitpid`.
pid_t offstage_spawn(char *const argv[], const int descriptors[], int count);

/// Limits a child to so many seconds of a processor and bytes of address space, and to no core dump.
void offstage_limit(pid_t child, int seconds, size_t memory);

/// From now on, what is left of a child that ended is this process's child, to be waited for.
void offstage_adopt_orphans(void);

/// Opens a plain file below a folder for reading. The kernel refuses (EXDEV) a path that leaves the folder by "..", by an
/// absolute path or by a symbolic link. Never opens, and so never disturbs, a device, pipe or socket (EACCES).
/// Returns a descriptor to close, or -1 with `errno` set.
int offstage_open_beneath(const char *folder, const char *path);

/// A pipe, both ends closed on exec; -1 with `errno` set on failure.
int offstage_pipe(int ends[2]);

/// A file in memory, closed on exec, open for reading and writing; -1 with `errno` set on failure.
int offstage_memory_file(const char *name);

/// The same with this many bytes, all 0, which stay as many whoever writes into it.
int offstage_sealed_memory_file(const char *name, int size);

/// A network namespace without a way out, which lives as long as one of its descriptors or a process in it.
struct offstage_namespace {
    /// Of the namespace.
    int network;
    /// Of the user namespace that it belongs to, which is entered first; -1 where none was needed.
    int user;
    /// Takes TCP connections to the namespace's own 127.0.0.1, which reach nobody else's; -1 where none was asked for.
    int listener;
};

/// Makes one; its descriptors are closed on exec. `listens`: with its loopback up and a `listener`; else with nothing.
/// Returns -1 with `errno` set where the system allows none. From any thread; takes a short-lived child.
int offstage_namespace_make(bool listens, struct offstage_namespace *space);

/// Takes TCP connections to 127.0.0.1, on a port that is free; -1 with `errno` set on failure.
int offstage_listen(void);

/// Moves the calling process, which must have one thread, or as root the calling thread. Async-signal-safe. Returns -1
/// with `errno` set on failure.
int offstage_namespace_enter(const struct offstage_namespace *space);

/// The file of a library that is loaded; NULL for one that is not. It stays valid.
const char *offstage_path_of_library(const char *name);

/// The file that this code was loaded from: a shared library's, or the program's, as it was started. NULL where nobody knows.
const char *offstage_path_of_this(void);

/// Blocks these signals for the calling thread, and so for those it starts and the programs they start.
void offstage_block_signals(const int signals[], int count);

/// Waits for one of these blocked signals and takes it, whichever thread it comes to; returns its number. Those that the
/// program was started to ignore are not waited for. Call it again for the next one; a signal belongs to one thread.
int offstage_wait_for_signal(const int signals[], int count);

/// Lets a thread that has little to do, and upon which others wait, on to a processor sooner: by short time slices, which are its
/// share as before. Those that it starts have ordinary ones. By the system's number, 0 for the calling thread; nothing happens to one in real time.
void offstage_take_short_slices(int thread);

/// The two names by which libdispatch lets another event loop drain its main queue; they are exported but in no header.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);

/// The next connection of a listening socket, closed on exec, not blocking; -1 where there is none.
int offstage_accept(int listener);

/// A set of files to wait for, itself a file that can be read when one of them can; the cost of a wait does not grow with it.
int offstage_poll_new(void);
int offstage_poll_add(int poll, int file);
void offstage_poll_remove(int poll, int file);
/// Those of the set that can be read now or have come to their end, without a wait; at most 64.
int offstage_poll_ready(int poll, int *files, int count);

/// Has large pieces of memory, from 1 MiB on, given back to the system as soon as they are freed; otherwise the allocator keeps them
/// once it has seen one come and go.
void offstage_return_large_memory(void);

/// Gives back to the system what is free in between, too. From any thread; it takes milliseconds.
void offstage_return_memory(void);

#endif
