import COffstageWire
import Foundation
import Offstage
import OffstageWorkers

/// The problems of image files, in a user's terms.
enum ImageProblem {
    /// The names of all kinds, for a sentence.
    private static let kinds = ImageKind.allCases.map(\.rawValue).joined(separator: ", ")

    static let unknownKind = DrawingError.unusable(
        SourceProblem("not-an-image", "it is not an image file of a known kind: \(kinds)"))

    static let untrue = DrawingError.untrueAnswer("the worker sent no picture, or impossible facts")

    static let damaged = DrawingError.unusable(
        SourceProblem("image-damaged", "the file is damaged, and none of it can be decoded; save it again"))

    static func error(for failure: WorkerFailure, of file: ImageFile) -> DrawingError {
        func number(_ index: Int) -> Int { Int(min(failure.numbers[index], UInt64(Int32.max))) }
        switch failure.code {
        case OFFSTAGE_IMAGE_DAMAGED.rawValue: return damaged
        case OFFSTAGE_IMAGE_UNSUPPORTED.rawValue: return unsupported(number(0), file)
        case OFFSTAGE_IMAGE_TOO_LARGE.rawValue:
            let (pixels, overflows) = number(0).multipliedReportingOverflow(by: number(1))
            return .overLimit(
                LimitExcess(
                    .imagePixels, allowed: file.limits.imagePixels, measured: overflows ? Int.max : pixels))
        case OFFSTAGE_IMAGE_TOO_MANY_SCANS.rawValue:
            return .overLimit(LimitExcess(.jpegScans, allowed: file.limits.jpegScans, measured: number(0)))
        case OFFSTAGE_IMAGE_NO_FRAME.rawValue:
            let frames = number(0) == 1 ? "1 frame" : "\(number(0)) frames"
            return .unusable(
                SourceProblem(
                    "no-such-frame", "it has \(frames), but no frame \(file.frame); use one from 1 to \(number(0))"))
        case OFFSTAGE_IMAGE_NO_CROP.rawValue:
            return .unusable(
                SourceProblem(
                    "crop-outside",
                    "the part to crop begins outside the \(number(0)) × \(number(1)) px image; move it inside"))
        case OFFSTAGE_IMAGE_BAD_OPTIONS.rawValue:
            return .engineFailed("the worker program is from another version of Offstage; reinstall it")
        default: return .engineFailed("the worker program failed with code \(failure.code)")
        }
    }

    private static func unsupported(_ variant: Int, _ file: ImageFile) -> DrawingError {
        let kind = ImageKind(of: file.data)?.rawValue ?? "image"
        let (code, text) =
            switch UInt32(variant) {
            case OFFSTAGE_IMAGE_VARIANT_12_BIT_JPEG.rawValue:
                ("jpeg-12-bit", "it is a JPEG file with 12 bits per value; save it with 8")
            case OFFSTAGE_IMAGE_VARIANT_LOSSLESS_JPEG.rawValue:
                ("jpeg-lossless", "it is a lossless JPEG file; save it as PNG or as an ordinary JPEG file")
            default: ("variant-unsupported", "it is a \(kind) file in a variant that cannot be drawn; save it as PNG")
            }
        return .unusable(SourceProblem(code, text))
    }
}
