import Benchmarking
import Foundation

/// The waveform of a sound of ten minutes, compared with audiowaveform and ffmpeg if they are installed.
struct SoundsWorkload: Workload {
    static let name = "sounds"
    static let summary = "Ten minutes of stereo to a waveform; beside audiowaveform and ffmpeg, if they are installed"
    static let repetitions = (full: 5, quick: 1)

    private var inputs: [(kind: String, path: String)] = []

    /// Other programs write the sounds; a kind whose program is missing is skipped.
    mutating func prepare(_ bench: Bench) throws {
        let seconds = bench.isQuick ? 60 : 600
        let wave = bench.work + "/sound-\(seconds).wav"
        guard access("/usr/bin/sox", X_OK) == 0 else { throw LeftOut(reason: "it needs SoX") }
        _ = try bench.run([
            "/usr/bin/sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", wave, "synth", "\(seconds)", "pinknoise",
            "gain",
            "-12", "tremolo", "0.5", "60",
        ])
        inputs = [("wav", wave)]
        let makers = [
            ("flac", ["/usr/bin/sox", wave]), ("ogg", ["/usr/bin/sox", wave]), ("mp3", ["/usr/bin/sox", wave]),
            ("opus", ["/usr/bin/opusenc", "--quiet", wave]),
        ]
        for (kind, command) in makers where access(command[0], X_OK) == 0 {
            let path = bench.work + "/sound-\(seconds).\(kind)"
            if (try? bench.run(command + [path])) != nil { inputs.append((kind, path)) }
        }
    }

    func measure(_ bench: Bench) throws {
        for (kind, path) in inputs {
            let folder = try bench.emptyFolder("sounds")
            let ours = [
                bench.program, "render", path, "--width", "800", "--height", "120", "-q", "-o", folder + "/a.png",
                "--cache",
                folder + "/cache",
            ]
            try add(bench, "offstage", kind, ours)
            // The peaks are already stored, so this draws another colour and size in a new process.
            try add(bench, "offstage-again", kind, ours + ["--width", "700", "--wave-color", "#c04000"])
            try addPeer(
                bench, "ffmpeg", kind, "/usr/bin/ffmpeg",
                [
                    "-v", "error", "-y", "-i", path, "-filter_complex", "showwavespic=s=800x120", "-frames:v", "1",
                    folder + "/b.png",
                ])
            try addPeer(
                bench, "audiowaveform", kind, "/usr/bin/audiowaveform",
                ["-q", "-i", path, "-o", folder + "/b.dat", "-z", "256", "-b", "16"])
        }
    }

    private func addPeer(_ bench: Bench, _ program: String, _ kind: String, _ path: String, _ arguments: [String])
        throws
    {
        guard access(path, X_OK) == 0 else { return }
        try add(bench, program, kind, [path] + arguments)
    }

    private func add(_ bench: Bench, _ program: String, _ kind: String, _ command: [String]) throws {
        let run = try bench.run(command)
        bench.measures.add(
            "sounds.\(program).\(kind)", "A waveform of \(kind), \(program)", unit: "CPU ms", run.processors * 1000)
    }
}
