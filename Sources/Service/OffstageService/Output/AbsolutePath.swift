import Foundation

/// The path without `.` and `..`, for comparisons. Symbolic links are not resolved.
package func absolutePath(_ path: String) -> String {
    // Foundation would convert to a URL, which takes 65,000 instructions for each picture, even in a run that draws
    // nothing.
    let isPlain =
        !path.isEmpty && !path.hasPrefix(".") && !path.hasSuffix("/") && strstr(path, "//") == nil
        && strstr(path, "/.") == nil
    if !isPlain { return URL(fileURLWithPath: path).standardizedFileURL.path }
    return path.hasPrefix("/") ? path : workingFolder + "/" + path
}

/// The working folder does not change while the program runs.
private let workingFolder = absolutePath(FileManager.default.currentDirectoryPath + "/")
