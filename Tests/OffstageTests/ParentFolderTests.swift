import Testing

@testable import Offstage

/// Finds a path's folder by comparing bytes, as the system does, and not characters.
@Test(arguments: [
    ("a/b", "a"), ("a/b/", "a"), ("a//b//", "a"), ("/a", "/"), ("/", "/"), ("a", ""), ("", ""), ("/a/b.png", "/a"),
    // In a Swift string, a combining mark forms one character with the slash.
    ("a/\u{301}.png", "a"), ("a/\u{20DD}/b", "a/\u{20DD}"),
])
func theFolderOfAPath(path: String, folder: String) {
    #expect(Array(parentFolder(of: path).utf8) == Array(folder.utf8))
}
