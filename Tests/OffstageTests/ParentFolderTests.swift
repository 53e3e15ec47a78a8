import Testing

@testable import Offstage

/// The folder of a path, by bytes as the system sees them.
@Test(arguments: [
    ("a/b", "a"), ("a/b/", "a"), ("a//b//", "a"), ("/a", "/"), ("/", "/"), ("a", ""), ("", ""), ("/a/b.png", "/a"),
    // A combining mark joins the slash to Swift's eyes.
    ("a/\u{301}.png", "a"), ("a/\u{20DD}/b", "a/\u{20DD}"),
])
func theFolderOfAPath(path: String, folder: String) {
    #expect(Array(parentFolder(of: path).utf8) == Array(folder.utf8))
}
