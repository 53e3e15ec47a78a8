extension DrawingWarning {
    /// A kind of warning. Each engine adds constants of its own in an extension. Two codes are equal if their names are.
    public struct Code: Sendable, Hashable {
        /// For programs: stable, in lower case with hyphens. The JSON output has it as it is here.
        public let name: String
        /// The beginning of the warning's text, before the subject: `not found in the base folder: `.
        public let phrase: String
        /// True, the default: the picture lacks something. False for a message.
        public var isDefect = true
        /// True, the default: the next drawing would have the same warning, so the picture may be cached. False where the clock,
        /// a limit or a mistake of the engine decided.
        public var isLasting = true
        /// True: the subject is a file or a URL, and warnings that differ only in it are listed together. Default false.
        public var isAboutFile = false
        /// True: the reason follows a semicolon, as a remedy does. Default false: it is in brackets.
        public var continuesWithReason = false

        public init(_ name: String, _ phrase: String) {
            self.name = name
            self.phrase = phrase
        }

        public static func == (one: Code, other: Code) -> Bool { one.name == other.name }
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// The same code, changed: `Code("deadline", "…").with { $0.isLasting = false }`.
        public func with(_ change: (inout Code) -> Void) -> Code {
            var code = self
            change(&code)
            return code
        }
    }
}

/// The store keeps all of a code, because it may belong to an engine that is not loaded.
extension DrawingWarning.Code: Codable {}

// Codes of every source that uses files.
extension DrawingWarning.Code {
    private static func file(_ name: String, _ phrase: String) -> Self {
        Self(name, phrase).with { $0.isAboutFile = true }
    }

    /// The deadline passed while this was still loading.
    public static let deadline = file("deadline", "not loaded before the deadline: ").with { $0.isLasting = false }
    /// A file that the source names does not exist in its base folder.
    public static let resourceMissing = file("resource-missing", "not found in the base folder: ")
    /// A file that the source names cannot be read: a permission, not a plain file, outside the base folder; or an allowed host
    /// did not deliver it.
    public static let resourceRefused = file("resource-refused", "not read: ")
    /// A file that would have been over the limit of files, or of their bytes.
    public static let resourceLimit = file("resource-limit", "left out, over a limit: ").with { $0.isLasting = false }
    /// Something outside the source and its base folder, which is not loaded.
    public static let resourceBlocked = file(
        "resource-blocked", "blocked, the network and other folders are closed: ")
    /// A file that was loaded and is damaged, or is not an image.
    public static let imageBroken = file("image-broken", "not a picture that can be decoded: ")

    /// The codes of every source.
    public static let common: [Self] = [
        .deadline, .resourceMissing, .resourceRefused, .resourceLimit, .resourceBlocked, .imageBroken,
    ]
}
