import Foundation

/// A file format with its options, such as `.png()` or `.jpeg(JPEGEncoder(quality: 80))`.
///
/// Other modules add formats: an extension with a static function that makes a format of an encoder of theirs. Two formats are
/// equal if their specifications are.
public struct ImageFormat: ImageEncoder, Hashable {
    /// The names of a format, which do not depend on its options.
    public struct Kind: Sendable, Hashable {
        /// In options and reports: `jpeg`.
        public var name: String
        /// Without a dot, in lower case, the usual one first: `jpg`, `jpeg`.
        public var fileExtensions: [String]
        /// For `Content-Type` and `Accept`: `image/jpeg`.
        public var mediaType: String

        public init(name: String, fileExtensions: [String], mediaType: String) {
            precondition(!fileExtensions.isEmpty, "a format has at least one file extension")
            self.name = name
            self.fileExtensions = fileExtensions
            self.mediaType = mediaType
        }
    }

    public let kind: Kind
    /// The name with all options: `jpeg:quality=80,subsampling=4:4:4,background=…`. The store keeps the format's files under it.
    public let specification: String
    /// The medium of the pictures that it encodes.
    public let medium: Medium
    /// How large a picture the format can hold; nil if that is more than any engine draws, or not a matter of pixels.
    public let limit: FormatLimit?
    /// Throws `EncodingError`.
    private let encoding: @Sendable (_ picture: Picture, _ scale: Double) throws -> Data

    /// A format of pixels.
    ///
    /// - Parameters:
    ///   - kind: its names.
    ///   - specification: the name with all options that change a file's bytes.
    ///   - encoder: makes the files.
    public init(_ kind: Kind, specification: String, encoder: some ImageEncoder) {
        (self.kind, self.specification, medium, limit) = (kind, specification, .pixels, encoder.limit)
        encoding = { picture, scale in
            guard case .pixels(let pixmap) = picture else { throw Self.wrongMedium(kind) }
            return try encoder.encode(pixmap, scale: scale)
        }
    }

    /// A format of vector pictures.
    ///
    /// - Parameters:
    ///   - kind: its names.
    ///   - specification: the name with all options that change a file's bytes.
    ///   - paper: the pages that content is laid out for; nil for one page of the content's size.
    ///   - encode: makes a file of a picture; nil if it does not know this kind of vector picture.
    public init(
        _ kind: Kind, specification: String, paper: Paper? = nil,
        encode: @escaping @Sendable (any VectorPicture) throws(EncodingError) -> Data?
    ) {
        (self.kind, self.specification, medium, limit) = (kind, specification, .vector(paper), nil)
        encoding = { picture, _ in
            guard case .vector(let vector) = picture, let data = try encode(vector) else {
                throw Self.wrongMedium(kind)
            }
            return data
        }
    }

    private static func wrongMedium(_ kind: Kind) -> EncodingError {
        EncodingError("\(kind.name) cannot hold a picture of this medium")
    }

    public static func == (one: ImageFormat, other: ImageFormat) -> Bool { one.specification == other.specification }
    public func hash(into hasher: inout Hasher) { hasher.combine(specification) }

    public var name: String { kind.name }
    public var fileExtension: String { kind.fileExtensions[0] }

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        try encode(.pixels(pixmap), scale: scale)
    }

    /// - Parameters:
    ///   - picture: of the format's medium; another one is an error.
    ///   - scale: device px to a CSS px.
    public func encode(_ picture: Picture, scale: Double) throws(EncodingError) -> Data {
        do { return try encoding(picture, scale) } catch let error as EncodingError { throw error } catch {
            throw EncodingError("\(name): \(error)")
        }
    }
}
