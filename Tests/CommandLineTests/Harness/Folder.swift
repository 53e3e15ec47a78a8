import Foundation
import Testing

/// A temporary folder.
struct Folder {
    let path: String

    /// Writes a file, and the folders that contain it. Returns its path.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String { try write(name, Data(text.utf8)) }

    @discardableResult
    func write(_ name: String, _ data: Data) throws -> String {
        let place = path(name)
        let parent = (place as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: place))
        return place
    }

    @discardableResult
    func make(_ name: String) throws -> Folder {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
        return Folder(path: path(name))
    }

    func path(_ name: String) -> String { path + "/" + name }

    func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    func picture(_ name: String) throws -> Picture { try Picture(data(name)) }

    /// Every file in the folder and its subfolders, sorted, including hidden files but no folders.
    func files(_ name: String = "") -> [String] {
        let all = FileManager.default.enumerator(atPath: path(name))?.compactMap { $0 as? String } ?? []
        return all.filter { file in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path(name) + "/" + file, isDirectory: &isFolder)
            return !isFolder.boolValue
        }.sorted()
    }
}

/// Runs `body` with an empty folder and removes the folder afterwards.
func withFolder<Result>(_ body: (Folder) throws -> Result) throws -> Result {
    let folder = Folder(path: NSTemporaryDirectory() + "offstage-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    return try body(folder)
}

/// A row of one colour, 40 px high, with one line of markup.
func row(_ color: String = "red", height: Int = 40) -> String {
    "<!doctype html><meta charset=utf-8><body style='margin:0'><div style='height:\(height)px;background:\(color)'></div>"
}
