import Foundation
import OffstageInk

// Draws numbered strokes into a file until it is killed, saves from time to time, and prints the number of each
// stroke that is on the disk.
let path = CommandLine.arguments[1]
let engine = InkEngine(workers: 1, jail: .never)
let opened = try await InkFile.open(path, engine: engine) { event in
    if case .failed(let error) = event { fatalError("\(error)") }
}
guard !opened.file.isReadOnly else { exit(3) }
var editor = opened.editor
var number = editor.ink.strokeCount
while true {
    // The first point's position encodes the number.
    let points = (0..<60).map { InkPoint(x: Float(number % 500), y: Float(number / 500) + Float($0) * 0.25) }
    editor.add(Stroke(points), page: 0)
    opened.file.append(from: &editor)
    await opened.file.synchronize()
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    number += 1
    if number % 5 == 0 { opened.file.save(&editor) }
}
