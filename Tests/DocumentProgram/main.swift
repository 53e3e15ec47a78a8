import Foundation
import OffstageHTML

// A program that handles documents and draws none. A test checks what it is linked with.
//
//   DocumentProgram FILE   prints the document's type, its charset and its width in CSS px

guard let path = CommandLine.arguments.dropFirst().first else { exit(2) }
do {
    let snippet = try Snippet(contentsOf: path)
    print(snippet.type.rawValue, snippet.charset, snippet.geometry.width)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
