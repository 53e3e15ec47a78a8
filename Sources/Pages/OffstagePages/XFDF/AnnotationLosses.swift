/// Parts of annotations that a format cannot store or a reader does not support.
public struct AnnotationLosses: Sendable, Hashable {
    /// A kind of loss, such as `a stamp`, with the pages where it occurs.
    public struct Loss: Sendable, Hashable, CustomStringConvertible {
        public var thing: String
        /// The number of occurrences.
        public var count: Int
        /// The first page, from 1.
        public var page: Int

        public var description: String { "\(thing), page \(page)" + (count > 1 ? ", and \(count - 1) more" : "") }
    }

    /// In the order of occurrence.
    public private(set) var all: [Loss] = []
    /// No losses.
    public init() {}

    /// The maximum number of kinds to name.
    private static let most = 20

    package mutating func add(_ thing: String, page: Int) {
        if let index = all.firstIndex(where: { $0.thing == thing }) {
            all[index].count += 1
        } else if all.count < Self.most {
            all.append(Loss(thing: thing, count: 1, page: page))
        }
    }
}
