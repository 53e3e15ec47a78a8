import Benchmarking
import COffstageSystem
import Foundation

/// A program that has ended, with the time and memory that it used.
struct ChildProcess {
    /// Seconds from just before its start to its end.
    var seconds: Double
    /// Seconds from just before its start until the first file was complete; nil if none was expected or none
    /// appeared.
    var firstFile: Double?
    /// Processor seconds that it and the processes it waited for used.
    var processors: Double

    /// Observes a running program.
    protocol Observer {
        func begin(_ process: pid_t)
        func end()
    }

    /// - Parameters:
    ///   - output: a file for standard output; default none.
    ///   - errors: a file for standard error, which error messages quote.
    ///   - folder: the folder in which to wait for the first file; default none.
    /// - Throws: `BenchmarkError` if the program cannot be started or fails.
    @MainActor
    static func run(
        _ arguments: [String], output: String = "/dev/null", errors: String, firstFileIn folder: String? = nil,
        observer: (any Observer)? = nil, mayFail: Bool = false
    ) throws(BenchmarkError) -> ChildProcess {
        let watch = folder.flatMap(FolderWatch.init)
        let places = [open("/dev/null", O_RDONLY), try create(output), try create(errors)]
        defer { for place in places { close(place) } }
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        let start = ContinuousClock.now
        // Started on the main thread: the child ends with it, so nothing is left running.
        let process = offstage_spawn(&argv, places, Int32(places.count))
        guard process > 0 else {
            throw BenchmarkError("cannot start \(arguments[0]): \(String(cString: strerror(errno)))")
        }
        observer?.begin(process)
        var first: Double?
        var (status, usage, isOver) = (Int32(0), rusage(), false)
        // Checks every few milliseconds, to notice the end of a program that writes nothing.
        while let watch, first == nil, !isOver {
            isOver = wait4(process, &status, WNOHANG, &usage) == process
            if watch.wait(milliseconds: isOver ? 0 : 5) { first = (.now - start) / .seconds(1) }
        }
        if !isOver { while wait4(process, &status, 0, &usage) < 0, errno == EINTR {} }
        let seconds = (.now - start) / .seconds(1)
        observer?.end()
        if status != 0, !mayFail {
            let told = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw BenchmarkError(
                "\(arguments.joined(separator: " ")) failed (\(status)): \(told.suffix(500))")
        }
        return ChildProcess(
            seconds: seconds, firstFile: first, processors: usage.ru_utime.seconds + usage.ru_stime.seconds)
    }

    private static func create(_ path: String) throws(BenchmarkError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw BenchmarkError("cannot write \(path): \(String(cString: strerror(errno)))") }
        return descriptor
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
