import Foundation
import Offstage
import Testing

@testable import OffstageWorkers

/// System calls that end a worker. The lists are written by hand instead of being read from the filter, so that the
/// tests notice if the filter allows one of them.
struct SystemCallTests {
    /// Files, opened by name or in other ways.
    static let files = [
        "openat", "openat2", "open_by_handle_at", "name_to_handle_at", "newfstatat", "statx", "faccessat", "readlinkat",
        "getdents64", "unlinkat", "mkdirat", "mknodat", "renameat2", "linkat", "symlinkat", "fchmodat", "fchownat",
        "ftruncate", "truncate", "fallocate", "chdir", "fchdir", "chroot", "getcwd", "mount", "umount2", "pivot_root",
        "open_tree", "move_mount", "fsopen", "memfd_create", "memfd_secret", "inotify_init1", "fanotify_init", "dup",
        "dup3", "pipe2", "eventfd2", "signalfd4", "timerfd_create", "epoll_create1", "sendfile", "splice", "tee",
        "copy_file_range", "pwrite64", "readv", "ioctl", "flock", "io_setup", "io_uring_setup", "io_uring_enter",
        "userfaultfd", "perf_event_open", "bpf", "landlock_create_ruleset",
    ]
    static let network = [
        "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
        "recvfrom", "recvmmsg", "shutdown", "getsockname", "getpeername", "setsockopt", "getsockopt",
    ]
    static let processes = [
        "clone", "execve", "execveat", "wait4", "waitid", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
        "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "ptrace", "process_vm_readv", "process_vm_writev",
        "process_madvise", "kcmp", "setpgid", "setsid", "getppid", "prlimit64", "setrlimit", "setpriority",
        "sched_setaffinity", "sched_setscheduler", "unshare", "setns", "setuid", "setgid", "setresuid", "setresgid",
        "setgroups", "capset", "prctl", "seccomp", "personality", "rt_sigaction", "sigaltstack",
    ]
    static let system = [
        "shmget", "shmat", "msgget", "semget", "mq_open", "add_key", "request_key", "keyctl", "remap_file_pages",
        "pkey_mprotect", "mlock", "mlock2", "mlockall", "init_module", "finit_module", "delete_module", "kexec_load",
        "reboot", "swapon", "sethostname", "clock_settime", "settimeofday", "adjtimex", "syslog", "quotactl",
        "timer_create", "nanosleep", "clock_nanosleep",
    ]
    /// Old calls that this architecture has and others lack.
    static let old: [String] = {
        #if arch(x86_64)
            return [
                "open", "creat", "stat", "lstat", "access", "readlink", "rename", "unlink", "link", "symlink", "mkdir",
                "fork", "vfork", "dup2", "pipe", "poll", "select", "epoll_create", "inotify_init", "iopl", "ioperm",
                "modify_ldt", "arch_prctl", "uselib", "ustat", "sysfs",
            ]
        #else
            return []
        #endif
    }()

    @Test(arguments: files + network + processes + system + old) func aCallEndsTheWorker(name: String) async throws {
        try await expectEnd(name)
    }

    /// Calls that a worker needs, with arguments that it does not need.
    @Test(arguments: [
        // Using another descriptor than its own, changing a descriptor's flags, and closing one of the first four,
        // which must stay open.
        "fcntl 0 0 0", "fcntl 3 4 0", "close 0", "close 3",
        // Reading from or writing to anything except the host.
        "write 0", "write 1", "write 3", "writev 0", "writev 1", "writev 4", "recvmsg 0", "recvmsg 4",
        // Executable memory, and shared memory.
        "mprotect 0 4096 4", "mprotect 0 4096 7", "mmap 0 4096 4 34 -1", "mmap 0 4096 7 34 -1", "mmap 0 4096 3 33 -1",
        // Creating a process or thread, the clock and processors of other processes, and a signal to another process.
        "clone 17", "clone 0", "clone 256", "clock_gettime -6", "sched_getaffinity 2 8 0", "tgkill 2 2 0",
        "rt_sigaction 33", "prctl 15", "prctl 4 1",
    ]) func aCallWithOtherArgumentsEndsTheWorker(words: String) async throws {
        try await expectEnd(words)
    }

    /// Without this test, the others would prove only that the command ends a worker.
    @Test func aCallThatAWorkerNeedsDoesNot() async throws {
        try await withEngine(jail: .never) { engine async throws in
            for words in ["getpid", "gettid", "sched_yield", "lseek 3", "fcntl 3 3", "madvise 0 0 0"] {
                #expect(await engine.error(.call, words: words)?.problemCode == "test")
            }
            // The worker may use a picture's memory file, and keeps its connection.
            #expect(try await engine.pixels() == echo())
            #expect(await engine.restarts == 0)
        }
    }

    /// Its flags are in memory, where the filter cannot see them, so libc must fall back to `clone`.
    @Test func cloneWithFlagsInMemoryDoesNotExist() async throws {
        try await withEngine(jail: .never) { engine async throws in
            let error = await engine.error(.call, words: "clone3")
            #expect(error == .unusable(SourceProblem("test", "108 [\(ENOSYS), 0]")))
            #expect(await engine.restarts == 0)
        }
    }

    private func expectEnd(_ words: String) async throws {
        try await withEngine(jail: .never) { engine async throws in
            #expect(await engine.error(.call, words: words)?.problemCode == WorkerFault.forbiddenCallCode)
            #expect(try await engine.pixels() == echo())
            #expect(await engine.restarts == 1)
        }
    }
}
