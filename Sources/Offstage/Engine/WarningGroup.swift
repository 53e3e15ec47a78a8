/// Warnings of one kind, to be read as one: thirty images that were not loaded are one line of a log.
package struct WarningGroup: Sendable, CustomStringConvertible {
    package let code: DrawingWarning.Code
    package let reason: String?
    package fileprivate(set) var subjects: [String]

    /// So many subjects are named; the others are counted.
    private static let named = 3

    package var description: String {
        var list = subjects.prefix(Self.named).joined(separator: ", ")
        if subjects.count > Self.named { list += " and \(subjects.count - Self.named) more" }
        return DrawingWarning(code, list, reason: reason).description
    }
}

extension [DrawingWarning] {
    /// Warnings that differ only in their subject, together, in the order of the first of each group. A script's messages say
    /// something different each, and stay apart.
    package var grouped: [WarningGroup] {
        var groups: [WarningGroup] = []
        var places: [DrawingWarning: Int] = [:]
        for warning in self {
            let kind = DrawingWarning(warning.code, "", reason: warning.reason)
            if warning.code.isAboutFile, let place = places[kind] {
                groups[place].subjects.append(warning.subject)
            } else {
                places[kind] = groups.count
                groups.append(WarningGroup(code: warning.code, reason: warning.reason, subjects: [warning.subject]))
            }
        }
        return groups
    }
}
