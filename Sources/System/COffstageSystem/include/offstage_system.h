// Linux calls that Swift cannot make: code between fork and exec, and system calls without a wrapper.
#ifndef OFFSTAGE_SYSTEM_H
#define OFFSTAGE_SYSTEM_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/types.h>

/// Starts a program that ends with this process. It gets SIGTERM when the calling thread ends, however that happens, so call
/// this on the main thread. The program runs in its own process group, so that the terminal's Ctrl-C does not reach it.
///
/// `argv` ends with NULL; `argv[0]` is looked up in PATH. The child's descriptors 0 to `count - 1` are `descriptors`; it has no others.
/// It gets only the variables that name places, libraries and the language, because others may contain secrets. It blocks no signals
/// except SIGUSR1 and SIGUSR2 if the calling thread blocks them: signals that have a meaning for the program must not end its children.
/// Returns the process number, or -1 with `errno` set, even if exec failed. Reap it with `waitpid`.
pid_t offstage_spawn(char *const argv[], const int descriptors[], int count);

/// Like `offstage_spawn`, but the environment is empty, and the program gets no signal when the calling thread ends: it requests one
/// itself, or ends when its descriptors are closed. `argv[0]` is a path. The program joins the process group `group`; 0 creates a new
/// group.
pid_t offstage_spawn_bare(char *const argv[], const int descriptors[], int count, pid_t group);

/// Changes the limits of a process from now on: its processor time in seconds, counted from its start, and its address space in
/// bytes. The process can raise these limits itself unless its system calls are filtered. Returns -1 with `errno` set on
/// failure.
int offstage_budget(pid_t process, unsigned long seconds, size_t memory);

/// The processor time of a process, in milliseconds. Returns -1 if the process does not exist.
long offstage_processor_time(pid_t process);

/// Opens a descriptor that refers to this process even after its number has been reused. Closed on exec. Returns -1 with `errno` set on
/// failure.
int offstage_process_handle(pid_t process);

/// Kills the process of a handle. Returns -1 with `errno` set if it has ended.
int offstage_end_process(int handle);

/// Stops the process of a handle, or continues it. Both return -1 with `errno` set if it has ended.
int offstage_stop_process(int handle);
int offstage_continue_process(int handle);

/// Limits a child's processor time in seconds, its address space and the size of files that it writes, both in bytes. Also disables its
/// core dumps.
void offstage_limit(pid_t child, int seconds, size_t memory, size_t file);

/// From now on, orphaned descendants become children of this process, which must reap them.
void offstage_adopt_orphans(void);

/// Opens a regular file below a folder for reading. The kernel rejects (EXDEV) a path that leaves the folder through "..", an absolute
/// path or a symbolic link. Devices, pipes and sockets are never opened (EACCES), so they are not disturbed. Returns a descriptor, which
/// the caller closes, or -1 with `errno` set.
int offstage_open_beneath(const char *folder, const char *path);

/// Creates a pipe whose ends are closed on exec. Returns -1 with `errno` set on failure.
int offstage_pipe(int ends[2]);

/// Watches a file. The descriptor becomes readable each time somebody writes to the file. Returns -1 with `errno` set on failure.
int offstage_watch_writes(const char *path);

/// Exchanges two files: each gets the other's name, in one step. Returns -1 with `errno` set on failure, such as EINVAL on a file system
/// without this operation.
int offstage_exchange_names(const char *one, const char *other);

/// Gives an open file the access control list of another one, which changes its mode, too. Returns false if that is not possible; true
/// if the other one has no list.
bool offstage_copy_access_list(const char *path, int file);

/// Gives an open file the extended attributes of another one, without its access control list. Leaves out those that the system
/// does not accept.
void offstage_copy_attributes(const char *path, int file);

/// Creates a file in memory, closed on exec, open for reading and writing. Returns -1 with `errno` set on failure.
int offstage_memory_file(const char *name);

/// Creates a file in memory with `size` zero bytes. No process can change its size.
int offstage_sealed_memory_file(const char *name, int size);

/// A network namespace without access to the outside. It exists as long as one of its descriptors is open or a process is in
/// it.
struct offstage_namespace {
    /// The descriptor of the network namespace.
    int network;
    /// The descriptor of the user namespace that owns it. A process enters this first. -1 if none was needed.
    int user;
    /// Accepts TCP connections to the namespace's own 127.0.0.1, which is unreachable from elsewhere. -1 if no listener was requested.
    int listener;
};

/// Creates a namespace. Its descriptors are closed on exec. With `listens`, the namespace has its loopback up and a `listener`.
/// Returns -1 with `errno` set if the system does not allow it. Safe on any thread. Starts a short-lived child.
int offstage_namespace_make(bool listens, struct offstage_namespace *space);

/// Listens for TCP connections to 127.0.0.1 on a free port. Returns -1 with `errno` set on failure.
int offstage_listen(void);

/// Moves the calling process, which must have one thread, into the namespace; as root, only the calling thread.
/// Async-signal-safe. Returns -1 with `errno` set on failure.
int offstage_namespace_enter(const struct offstage_namespace *space);

/// The path of a loaded library. NULL if it is not loaded. Stays valid.
const char *offstage_path_of_library(const char *name);

/// The path of a library that was loaded at the program's start. Its file's name is `name`, `.so` and any number. NULL if no such library
/// is loaded. Stays valid.
const char *offstage_path_of_loaded_library(const char *name);

/// The path of the file that contains this code: a shared library, or the program as it was started. NULL if unknown.
const char *offstage_path_of_this(void);

/// The value of an environment variable. NULL if it is not set, and always NULL in a program with more rights than the user who started
/// it.
const char *offstage_trusted_variable(const char *name);

/// Blocks these signals in the calling thread, and so in threads and programs that it starts.
void offstage_block_signals(const int signals[], int count);

/// Waits for one of these blocked signals, whichever thread it arrives on, and returns its number. Ignores signals that were already
/// ignored when the program started. Call it again for the next signal, always on the same thread for the same signal.
int offstage_wait_for_signal(const int signals[], int count);

/// Gives a thread short time slices, so that it gets a processor sooner. For a thread with little work that others wait for. Its
/// share of processor time stays the same. Threads that it starts get ordinary slices. `thread` is the system's number; 0 is the
/// calling thread. Does nothing for a real-time thread.
void offstage_take_short_slices(int thread);

/// The two functions with which libdispatch lets another event loop drain its main queue. They are exported but not in a
/// header.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);

/// Accepts the next connection of a listening socket: closed on exec, non-blocking. Returns -1 if none is pending.
int offstage_accept(int listener);

/// Creates a counter (eventfd) that is readable while it is not 0: for waking the thread that waits for it.
int offstage_wake_new(void);

/// Returns the ID of the process that connected to a Unix socket; 0 if the system does not know it.
int offstage_peer_process(int socket);

/// Asks the kernel's routing tables whether an IPv4 or IPv6 address belongs to this machine, or is not a unicast address. Returns 1
/// if so, 0 if not, and -1 if unknown.
int offstage_is_local_address(const struct sockaddr *address);

/// Makes the allocator return blocks of 1 MiB and more to the system as soon as they are freed. By default, once one such block has been
/// freed, the allocator keeps later ones.
void offstage_return_large_memory(void);

/// Also returns unused memory between blocks in use to the system. Safe on any thread. Takes milliseconds.
void offstage_return_memory(void);

#endif
