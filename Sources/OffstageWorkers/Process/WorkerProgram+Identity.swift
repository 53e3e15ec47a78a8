import Foundation
import Offstage

extension WorkerProgram {
    /// Identifies what decides the pixels of worker programs, for fingerprints: the contents of the programs and of their libraries.
    /// Missing files count as such.
    ///
    /// - Parameters:
    ///   - programs: their names.
    ///   - libraries: the names of their shared libraries' files, such as `libjpeg.so.62`.
    /// - Returns: a digest. Compute it once: it may read whole files.
    public static func identity(of programs: [String], libraries: [String]) -> Digest {
        var builder = Fingerprint.Builder()
        func add(_ name: String, _ path: String?) {
            builder.add(name, path.flatMap(FileIdentity.digest(ofProgram:)) ?? Digest(of: ""))
        }
        for name in programs { add(name, try? WorkerProgram(name).find()) }
        for name in libraries { add(name, path(ofLibrary: name)) }
        return builder.build().digest
    }

    /// In the first of the linker's folders that has it.
    private static func path(ofLibrary name: String) -> String? {
        #if arch(arm64)
            let architecture = "aarch64-linux-gnu"
        #else
            let architecture = "x86_64-linux-gnu"
        #endif
        return ["/usr/local/lib", "/lib/\(architecture)", "/usr/lib/\(architecture)"].lazy.map { "\($0)/\(name)" }
            .first { access($0, R_OK) == 0 }
    }
}
