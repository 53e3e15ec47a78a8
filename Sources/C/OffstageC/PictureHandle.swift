import COffstage
import Foundation
import Offstage
import OffstageService

/// A finished picture for a C program.
///
/// `@unchecked Sendable` because nothing changes after `init`, and the memory behind the pointers is freed with the
/// last reference.
final class PictureHandle: @unchecked Sendable {
    let size: PixelSize
    let scale: Double
    /// The number of the part, from 1; 0 for a whole picture.
    let part: Int
    let isComplete: Bool
    /// Nil unless pixels were requested.
    let pixmap: Pixmap?
    /// A copy of the bytes, because a C program gets their address; nil unless bytes were requested.
    let bytes: UnsafeRawBufferPointer?
    let path: CText?
    let format: CText?
    let report: CText
    let next: PictureHandle?

    /// A text whose address does not change during its lifetime.
    final class CText: @unchecked Sendable {
        let pointer: UnsafePointer<CChar>

        init(_ text: String) { pointer = UnsafePointer(strdup(text)) }
        deinit { free(UnsafeMutablePointer(mutating: pointer)) }
    }

    private init(
        size: PixelSize, scale: Double, part: Int, isComplete: Bool, pixmap: Pixmap? = nil, data: Data? = nil,
        path: String? = nil, format: String? = nil, report: CText, next: PictureHandle?
    ) {
        self.size = size
        self.scale = scale
        self.part = part
        self.isComplete = isComplete
        self.pixmap = pixmap
        bytes = data.map { data in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 16)
            data.withUnsafeBytes { copy.copyMemory(from: $0) }
            return UnsafeRawBufferPointer(copy)
        }
        self.path = path.map { CText($0) }
        self.format = format.map { CText($0) }
        self.report = report
        self.next = next
    }

    deinit { bytes?.deallocate() }

    /// Makes one picture of pixels for each part.
    static func chain(_ images: [RenderedPicture], _ identifier: String?) -> PictureHandle? {
        let reports = images.map { PictureReport($0) }
        let report = text(images[0].part == nil ? .picture(reports[0]) : .parts(reports), identifier)
        return images.reversed().reduce(nil) { next, image in
            PictureHandle(
                size: image.size, scale: image.scale, part: image.part ?? 0, isComplete: image.isComplete,
                pixmap: image.pixmap, report: report, next: next)
        }
    }

    /// Makes pictures of files, part by part.
    ///
    /// - Parameters:
    ///   - bytes: for each report, the bytes of its files; empty if they are on disk.
    ///   - formats: the format of each file of a part.
    static func chain(
        _ outcome: ServiceResult.Outcome, _ bytes: [[Data]], _ formats: [String], _ identifier: String?
    ) -> PictureHandle? {
        let reports: [PictureReport]
        switch outcome {
        case .picture(let report): reports = [report]
        case .parts(let parts): reports = parts
        case .failed, .done: return nil
        }
        let isInParts = if case .parts = outcome { true } else { false }
        let report = text(outcome, identifier)
        var next: PictureHandle?
        for (index, picture) in reports.enumerated().reversed() {
            for (number, file) in picture.files.enumerated().reversed() {
                next = PictureHandle(
                    size: file.size, scale: file.scale, part: isInParts ? index + 1 : 0,
                    isComplete: picture.status == .drawn, data: bytes[index].isEmpty ? nil : bytes[index][number],
                    path: file.path, format: formats[number], report: report, next: next)
            }
        }
        return next
    }

    private static func text(_ outcome: ServiceResult.Outcome, _ identifier: String?) -> CText {
        CText(String(decoding: ServiceResult(identifier: identifier, outcome).jsonLine, as: UTF8.self))
    }

    /// The pointer for C, without adding a reference.
    var pointer: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// The pointer for C, with an added reference.
    func retainedPointer() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }
}
