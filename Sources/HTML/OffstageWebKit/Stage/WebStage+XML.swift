import Foundation
import Offstage

/// A step between load and ready, for XML documents.
extension WebStage {
    /// The first of the errors that WebKit shows in the document.
    private struct XMLError: Decodable {
        var line: Int
        var column: Int
        var message: String
    }

    /// A root element with a name from SVG or XHTML that does not count as such, because it lacks the namespace.
    private struct StrangeRoot: Decodable {
        var root: String
        var namespace: String
    }

    /// - Throws: `DrawingError.notWellFormed` and `DrawingError.namespaceMissing`.
    func checkXML() async throws {
        let answer = try await outcome(isInterruptible: false) { evaluate(Self.firstError, $0) }.get()
        if answer.isEmpty { return }
        if let strange = try? JSONDecoder().decode(StrangeRoot.self, from: Data(answer.utf8)) {
            throw DrawingError.namespaceMissing(root: strange.root, strange.namespace)
        }
        guard let error = try? JSONDecoder().decode(XMLError.self, from: Data(answer.utf8)) else {
            throw DrawingError.notWellFormed(line: 1, column: 1, "it has no root element")
        }
        throw DrawingError.notWellFormed(
            line: error.line, column: error.column, XMLFault.words(for: error.message))
    }

    /// The message is libxml's, which may quote the document.
    private static let firstError = #"""
        const text = document.querySelector('parsererror > div')?.textContent;
        // Without a root element, not even our own scripts have started.
        if (text === undefined) {
          if (typeof offstage === 'undefined') return 'null';
          // WebKit does not draw an element without a namespace, or draws only its text.
          const namespaces = { svg: 'http://www.w3.org/2000/svg', html: 'http://www.w3.org/1999/xhtml' };
          const element = offstageDOM.get(document, 'documentElement');
          const root = element && offstageDOM.nameOf(element);
          if (!Object.hasOwn(namespaces, root) || element.namespaceURI !== null) return '';
          return JSON.stringify({ root, namespace: namespaces[root] });
        }
        const found = text.match(/error on line (\d+) at column (\d+): ([^\n]*)/);
        return JSON.stringify(found
          ? { line: Number(found[1]), column: Number(found[2]), message: found[3].replace(/[\x00-\x1f\x7f-\x9f]/g, '').slice(0, 200) }
          : null);
        """#
}
