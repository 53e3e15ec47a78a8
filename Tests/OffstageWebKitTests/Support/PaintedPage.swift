import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// A page of a PDF file in pixels, one per CSS px, as `pdftoppm` paints it.
struct PaintedPage {
    let size: PixelSize
    private let bytes: [UInt8]

    /// - Parameter page: the page's number, from 1.
    init(pdf: Data, page: Int = 1) throws {
        try self.init(ppm: runTool(["pdftoppm", "-r", "96", "-f", "\(page)", "-l", "\(page)", "-"], on: pdf))
    }

    /// - Parameter ppm: a picture in the PPM format, with eight bits per component.
    init(ppm: Data) throws {
        let header = ppm.prefix(40).split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
        let sides = String(decoding: try XCTUnwrap(header.count == 4 ? header[1] : nil), as: UTF8.self).split(
            separator: " ")
        size = PixelSize(width: try XCTUnwrap(Int(sides[0])), height: try XCTUnwrap(Int(sides[1])))
        bytes = ppm.suffix(3 * size.width * size.height)
    }

    subscript(x: Int, y: Int) -> Pixel {
        let start = 3 * (y * size.width + x)
        return Pixel(bytes[start], bytes[start + 1], bytes[start + 2])
    }
}

/// The output of a program that reads standard input.
func runTool(_ command: [String], on data: Data) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    input.fileHandleForWriting.write(data)
    try input.fileHandleForWriting.close()
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return answer
}
