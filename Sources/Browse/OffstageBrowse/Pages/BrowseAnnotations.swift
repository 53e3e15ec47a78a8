import Offstage
import OffstagePages

/// The annotations of a document that is open, and their file.
@MainActor
final class BrowseAnnotations {
    private let path: String
    private(set) var content: AnnotationFile
    /// The pages on which the reader has drawn, the last one last.
    private var made: [Int] = []
    private var isWriting = false
    private var isChanged = false

    /// - Parameters:
    ///   - path: the path of the file, which need not exist.
    ///   - content: the file's content.
    init(_ path: String, _ content: AnnotationFile) { (self.path, self.content) = (path, content) }

    /// - Returns: the page.
    func add(_ ink: PageAnnotation, page: Int) -> Int {
        content.add(ink, page: page)
        made.append(page)
        return page
    }

    /// Removes the newest annotation.
    ///
    /// - Returns: its page; nil if nothing is left to remove.
    func undo() -> Int? {
        guard let page = made.popLast() else { return nil }
        content.remove(at: content[page].count - 1, page: page)
        return page
    }

    /// Writes the file in the background. Changes made meanwhile are then written together.
    func write(_ onError: @escaping (String) -> Void) {
        isChanged = true
        if isWriting { return }
        isWriting = true
        Task {
            while isChanged {
                isChanged = false
                if let error = await Self.write(content, to: path) { onError(error) }
            }
            isWriting = false
        }
    }

    @concurrent
    private nonisolated static func write(_ content: AnnotationFile, to path: String) async -> String? {
        do {
            try content.write(to: path)
            return nil
        } catch { return "\(error)" }
    }
}
