import Foundation
import Offstage

extension WorkerProgram {
    /// Identifies what decides the pixels of worker programs, for fingerprints: the bytes of the programs, and the files of their
    /// libraries by time and size. Missing files count as such.
    ///
    /// - Parameters:
    ///   - programs: their names.
    ///   - libraries: the names of their shared libraries' files, such as `libjpeg.so.62`.
    /// - Returns: a digest. Compute it once: it reads the programs.
    public static func identity(of programs: [String], libraries: [String]) -> Digest {
        let programs = programs.map { name in
            let bytes = (try? WorkerProgram(name).find()).flatMap { try? Data(contentsOf: URL(fileURLWithPath: $0)) }
            return "\(name) \(bytes.map { Digest(of: $0).description } ?? "-")"
        }
        return Digest(of: (programs + libraries.map(stamp)).joined(separator: "\n"))
    }

    /// The first of the linker's folders that has it.
    private static func stamp(_ library: String) -> String {
        #if arch(arm64)
            let architecture = "aarch64-linux-gnu"
        #else
            let architecture = "x86_64-linux-gnu"
        #endif
        for folder in ["/usr/local/lib", "/lib/\(architecture)", "/usr/lib/\(architecture)"] {
            var info = Foundation.stat()
            guard stat("\(folder)/\(library)", &info) == 0 else { continue }
            return "\(library) \(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec) \(info.st_size)"
        }
        return "\(library) -"
    }
}
