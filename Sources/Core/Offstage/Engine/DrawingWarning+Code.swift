extension DrawingWarning {
    /// A kind of warning. Each engine adds its own constants in an extension. Two codes are equal if their names are
    /// equal.
    public struct Code: Sendable, Hashable {
        /// For programs: stable, in lower case with hyphens. The JSON output contains it unchanged.
        public let name: String
        /// The beginning of the warning's text, before the subject: `not found in the base folder: `.
        public let phrase: String
        /// True, the default: the picture lacks something. False for a message.
        public var isDefect = true
        /// True, the default: the next drawing would have the same warning, so the picture may be cached. False if the
        /// clock, a limit or an engine's error caused it.
        public var isLasting = true
        /// True: the subject is a file or a URL, and warnings that differ only in the subject are listed together.
        /// Default false.
        public var isAboutFile = false
        /// True: the reason follows a semicolon, like a remedy. False, the default: the reason is in brackets.
        public var continuesWithReason = false

        public init(_ name: String, _ phrase: String) {
            self.name = name
            self.phrase = phrase
        }

        public static func == (one: Code, other: Code) -> Bool { one.name == other.name }
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// Returns a changed copy: `Code("deadline", "…").with { $0.isLasting = false }`.
        public func with(_ change: (inout Code) -> Void) -> Code {
            var code = self
            change(&code)
            return code
        }
    }
}

/// The store saves every field of a code, because the code may belong to an engine that is not loaded.
extension DrawingWarning.Code: Codable {}

// Codes of all sources that use files.
extension DrawingWarning.Code {
    private static func file(_ name: String, _ phrase: String) -> Self {
        Self(name, phrase).with { $0.isAboutFile = true }
    }

    /// The deadline passed while the resource was still loading.
    public static let deadline = file("deadline", "not loaded before the deadline: ").with { $0.isLasting = false }
    /// The source names a file that does not exist in its base folder.
    public static let resourceMissing = file("resource-missing", "not found in the base folder: ")
    /// The source names a file that cannot be read: permission is missing, or it is not a regular file, or it is outside
    /// the base folder. Or an allowed host did not deliver it.
    public static let resourceRefused = file("resource-refused", "not read: ")
    /// Loading the file would have exceeded the limit on the number of files or on their bytes.
    public static let resourceLimit = file("resource-limit", "not loaded because of a limit: ").with {
        $0.isLasting = false
    }
    /// The resource is neither in the source nor in its base folder, so it is not loaded.
    public static let resourceBlocked = file(
        "resource-blocked", "blocked because it is on the network or outside the base folder: ")
    /// The file was loaded, but is damaged or is not an image.
    public static let imageBroken = file("image-broken", "not a picture that can be decoded: ")

    /// The codes of all sources.
    public static let common: [Self] = [
        .deadline, .resourceMissing, .resourceRefused, .resourceLimit, .resourceBlocked, .imageBroken,
    ]
}
