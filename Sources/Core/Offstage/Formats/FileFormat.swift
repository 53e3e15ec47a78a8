import Foundation

/// A file format with its options, such as `.png()` or `.jpeg(JPEGEncoder(quality: 80))`.
///
/// Other modules add formats with static functions in an extension, which make a format from their own encoder.
/// Two formats are equal if their specifications are equal.
public struct FileFormat: PictureEncoder, Hashable {
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
    /// The name with all options: `jpeg:quality=80,subsampling=4:4:4,background=…`. It identifies the format's files in
    /// the store.
    public let specification: String
    /// The medium of the pictures that the format can encode.
    public let medium: Medium
    /// The size limit of the format; nil if it is above what any engine draws, or if the format does not consist of
    /// pixels.
    public let limit: FormatLimit?
    /// True if files of the format have pages, whose number is part of the result.
    public let hasPages: Bool
    /// Encodes a picture. Throws `EncodingError`.
    private let encoding: @Sendable (_ picture: Picture, _ scale: Double) throws -> Data

    /// Makes a pixel format.
    ///
    /// - Parameters:
    ///   - kind: the format's names.
    ///   - specification: the name with all options that change a file's bytes.
    ///   - encoder: encodes the files.
    public init(_ kind: Kind, specification: String, encoder: some PictureEncoder) {
        (self.kind, self.specification, medium, limit) = (kind, specification, .pixels, encoder.limit)
        hasPages = false
        encoding = { picture, scale in
            guard case .pixels(let pixmap) = picture else {
                throw EncodingError("\(kind.name) stores pixels, and this picture is a vector picture")
            }
            return try encoder.encode(pixmap, scale: scale)
        }
    }

    /// Makes a format for vector pictures.
    ///
    /// - Parameters:
    ///   - kind: the format's names.
    ///   - specification: the name with all options that change a file's bytes.
    ///   - paper: the pages for the layout of the content; nil for one page of the content's size.
    ///   - hasPages: true for a format whose files have pages; default false.
    ///   - encode: encodes a picture; returns nil for an unknown kind of vector picture.
    public init(
        _ kind: Kind, specification: String, paper: Paper? = nil, hasPages: Bool = false,
        encode: @escaping @Sendable (any VectorPicture) throws(EncodingError) -> Data?
    ) {
        (self.kind, self.specification, medium, limit) = (kind, specification, .vector(paper), nil)
        self.hasPages = hasPages
        encoding = { picture, _ in
            guard case .vector(let vector) = picture, let data = try encode(vector) else {
                throw EncodingError(
                    "\(kind.name) cannot store the pictures of this kind of source; use png, webp or jpeg"
                )
            }
            return data
        }
    }

    public static func == (one: FileFormat, other: FileFormat) -> Bool { one.specification == other.specification }
    public func hash(into hasher: inout Hasher) { hasher.combine(specification) }

    public var name: String { kind.name }
    public var fileExtension: String { kind.fileExtensions[0] }

    public func encode(_ pixmap: Pixmap, scale: Double) throws(EncodingError) -> Data {
        try encode(.pixels(pixmap), scale: scale)
    }

    /// - Parameters:
    ///   - picture: a picture of the format's medium.
    ///   - scale: device px per CSS px.
    /// - Throws: `EncodingError`, also for a picture of another medium.
    public func encode(_ picture: Picture, scale: Double) throws(EncodingError) -> Data {
        do { return try encoding(picture, scale) } catch let error as EncodingError { throw error } catch {
            throw EncodingError("\(name): \(error)")
        }
    }
}
