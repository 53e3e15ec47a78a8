import Foundation
import Offstage

/// Reads a file with a program that does not use our code: ImageMagick.
struct OtherProgram {
    struct Failure: Error, CustomStringConvertible { var description: String }

    let width: Int
    let height: Int
    /// Straight RGBA, `4 * width * height` bytes.
    let pixels: [UInt8]
    /// The output of `identify -verbose` for the file, by name: `Resolution`, `Quality`, `jpeg:sampling-factor`.
    let properties: [String: String]

    init(_ data: Data, as fileExtension: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("picture.\(fileExtension)")
        try data.write(to: URL(fileURLWithPath: file))
        let text = String(decoding: try Self.run("identify", "-verbose", file), as: UTF8.self)
        var properties: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let colon = line.range(of: ": ") else { continue }
            let name = line[..<colon.lowerBound].trimmingCharacters(in: .whitespaces)
            properties[name] = properties[name] ?? String(line[colon.upperBound...])
        }
        self.properties = properties
        let size = String(decoding: try Self.run("identify", "-format", "%w %h", file), as: UTF8.self)
            .split(separator: " ").compactMap { Int($0) }
        (width, height) = (size[0], size[1])
        pixels = [UInt8](try Self.run("convert", file, "-depth", "8", "rgba:-"))
        guard pixels.count == 4 * width * height else { throw Failure(description: "\(pixels.count) bytes of pixels") }
    }

    private static func run(_ arguments: String...) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(arguments) failed") }
        return data
    }

    /// Whether every pixel equals the picture's.
    func isExactly(_ pixmap: Pixmap) -> Bool { peakSignalToNoise(pixels, pixmap.straight) == .infinity }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels[4 * (y * width + x)..<4 * (y * width + x) + 4]) }
}

/// The similarity of two straight RGBA pictures, in decibels. Higher is closer, and infinity is equal. Alpha counts
/// as a colour.
func peakSignalToNoise(_ one: [UInt8], _ other: [UInt8]) -> Double {
    guard one.count == other.count else { return 0 }
    let error = zip(one, other).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    return 10 * log10(255 * 255 * Double(one.count) / Double(error))
}
