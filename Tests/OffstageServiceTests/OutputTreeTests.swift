import Foundation
import OffstageRequests
import OffstageService
import Testing

/// Files in one folder while another program changes its subfolders.
@Suite struct OutputTreeTests {
    private let manager = FileManager.default

    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "offstage-tree-\(UUID().uuidString)"
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        try body(folder)
    }

    private let data = Data("picture".utf8)

    @Test func foldersAreMadeAndMadeAgain() throws {
        try withFolder { folder in
            let tree = OutputTree(below: folder + "/out")
            for number in 0..<150 { try tree.write(data, to: folder + "/out/\(number % 75)/\(number).png") }
            #expect(try manager.contentsOfDirectory(atPath: folder + "/out").count == 75)
            #expect(try manager.contentsOfDirectory(atPath: folder + "/out/3").sorted() == ["3.png", "78.png"])
            try manager.removeItem(atPath: folder + "/out/74")
            try tree.write(data, to: folder + "/out/74/again.png")
            try manager.moveItem(atPath: folder + "/out", toPath: folder + "/old")
            try tree.write(data, to: folder + "/out/74/new.png")
            #expect(manager.contents(atPath: folder + "/out/74/new.png") == data)
            #expect(!manager.fileExists(atPath: folder + "/old/74/new.png"))
        }
    }

    @Test func aFolderThatBecomesALinkLeadsNobodyOut() throws {
        try withFolder { folder in
            let tree = OutputTree(below: folder + "/out")
            try tree.write(data, to: folder + "/out/a/1.png")
            try manager.createDirectory(atPath: folder + "/secret", withIntermediateDirectories: false)
            try manager.removeItem(atPath: folder + "/out/a")
            try manager.createSymbolicLink(atPath: folder + "/out/a", withDestinationPath: "../secret")
            let error = #expect(throws: UsageError.self) { try tree.write(data, to: folder + "/out/a/2.png") }
            let message = "through a symbolic link, \(folder)/out/a/2.png is outside \(folder)/out"
            #expect(error?.description.contains(message) == true)
            #expect(try manager.contentsOfDirectory(atPath: folder + "/secret").isEmpty)
        }
    }

    @Test func aLinkWithinTheTreeStays() throws {
        try withFolder { folder in
            let tree = OutputTree(below: folder)
            try tree.write(Data("old".utf8), to: folder + "/1.png")
            try manager.createSymbolicLink(atPath: folder + "/2.png", withDestinationPath: "1.png")
            try tree.write(data, to: folder + "/2.png")
            #expect(manager.contents(atPath: folder + "/1.png") == data)
            #expect(try manager.destinationOfSymbolicLink(atPath: folder + "/2.png") == "1.png")
        }
    }
}
