/// Parts of annotations that a format cannot store or a reader does not support.
public struct AnnotationLosses: Sendable, Hashable {
    /// A thing, such as `a stamp`, with the pages on which it is.
    public struct Loss: Sendable, Hashable, CustomStringConvertible {
        public var thing: String
        /// The number of times.
        public var count: Int
        /// The first page, from 1.
        public var page: Int

        public var description: String { "\(thing), page \(page)" + (count > 1 ? ", and \(count - 1) more" : "") }
    }

    /// In the order in which they were found.
    public private(set) var all: [Loss] = []
    /// Nothing.
    public init() {}

    /// The most things to name.
    private static let most = 20

    package mutating func add(_ thing: String, page: Int) {
        if let index = all.firstIndex(where: { $0.thing == thing }) {
            all[index].count += 1
        } else if all.count < Self.most {
            all.append(Loss(thing: thing, count: 1, page: page))
        }
    }
}
