import Foundation
import Offstage

extension WorkerProgram {
    /// Identifies what decides the pixels of worker programs, for fingerprints: the contents of the programs and of
    /// their libraries. Missing files are also part of the identity.
    ///
    /// - Parameters:
    ///   - programs: their names.
    ///   - libraries: the names of their shared libraries, such as `libjpeg`, that they, the plugins or other libraries
    ///     of the list are linked with. A number after the name, such as `libjpeg.so.62`, is ignored, because it
    ///     differs between systems.
    ///   - plugins: files that a library loads by itself, and folders of such files, in one of the linker's folders, such as
    ///     `gstreamer-1.0/libgstlibav.so`; default none.
    /// - Returns: a digest. Compute it once: it may read whole files.
    public static func identity(of programs: [String], libraries: [String], plugins: [String] = []) -> Digest {
        var builder = Fingerprint.Builder()
        for (name, path) in files(of: programs, libraries: libraries, plugins: plugins) {
            builder.add(name, path.flatMap(FileIdentity.digest(ofProgram:)) ?? Digest(of: ""))
        }
        return builder.build().digest
    }

    /// The files that `identity` is computed from, with nil for a missing one.
    package static func files(
        of programs: [String], libraries: [String], plugins: [String]
    ) -> [(name: String, path: String?)] {
        let own = programs.map { ($0, try? WorkerProgram($0).find()) } + plugins.flatMap(files(ofPlugin:))
        let paths = LinkedLibraries.paths(
            of: libraries, neededBy: own.compactMap(\.1), find: path(ofLibrary:))
        return own + libraries.map(LinkedLibraries.name(of:)).map { ($0, paths[$0]) }
    }

    /// The file of that name, or the files in the folder of that name.
    private static func files(ofPlugin name: String) -> [(String, String?)] {
        guard let path = path(ofLibrary: name) else { return [] }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [(name, path)] }
        return names.sorted().map { ("\(name)/\($0)", "\(path)/\($0)") }
    }

    /// The shared libraries that a program cannot be started without, directly or because of one of its libraries, and
    /// that are missing from the linker's folders: names such as `libgif.so.7`, sorted.
    ///
    /// - Parameter program: its path.
    static func missingLibraries(of program: String) -> [String] {
        var (files, known, missing) = ([program], Set<String>(), [String]())
        while let file = files.popLast() {
            for name in LinkedLibraries.files(neededBy: file) where known.insert(name).inserted {
                if let path = path(ofLibrary: name) { files.append(path) } else { missing.append(name) }
            }
        }
        return missing.sorted()
    }

    /// The file in the first of the linker's folders that has it.
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
