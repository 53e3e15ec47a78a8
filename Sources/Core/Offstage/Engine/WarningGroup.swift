/// Warnings of one kind that are listed together: thirty images that were not loaded are one line of a log.
package struct WarningGroup: Sendable, CustomStringConvertible {
    package let code: DrawingWarning.Code
    package let reason: String?
    package fileprivate(set) var subjects: [String]

    /// The maximum number of subjects to name; the others are counted.
    private static let named = 3

    package var description: String {
        var list = subjects.prefix(Self.named).joined(separator: ", ")
        if subjects.count > Self.named { list += " and \(subjects.count - Self.named) more" }
        return DrawingWarning(code, list, reason: reason).description
    }
}

extension [DrawingWarning] {
    /// Groups warnings that differ only in their subject, in the order of the first warning of each group. Each message
    /// from a script is different, so these are not grouped.
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
