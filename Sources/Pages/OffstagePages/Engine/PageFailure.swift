import COffstagePages
import Offstage
import OffstageWorkers

/// The reasons why a page has no picture. The codes are codes of `SourceProblem`.
enum PageFailure: Hashable {
    case passwordRequired
    case passwordWrong
    case encryptionUnknown
    case damaged
    case noSuchPage(Int, count: Int)
    case pageDamaged(Int)
    case tooLarge(PixelSize)
    case clipOutside(PixelSize)
    case libraryMissing
    case notSaved
    /// With the level of allowed changes, as in the PDF standard.
    case certified(Int)
    case forbidden
    /// The index of the name that no layer has, from 1; 0 if the document cannot be changed.
    case layerMissing(Int)
    /// The program's answer is not valid in any version.
    case unknown(UInt32)

    /// - Parameter page: the request's page, from 1.
    init(_ failure: WorkerFailure, page: Int) {
        func number(_ index: Int) -> Int {
            index < failure.numbers.count ? Int(min(failure.numbers[index], UInt64(Int32.max))) : 0
        }
        let size = PixelSize(width: number(0), height: number(1))
        switch offstage_pages_code(rawValue: failure.code) {
        case OFFSTAGE_PAGES_PASSWORD: self = number(0) == 0 ? .passwordRequired : .passwordWrong
        case OFFSTAGE_PAGES_ENCRYPTION: self = .encryptionUnknown
        case OFFSTAGE_PAGES_DAMAGED: self = .damaged
        case OFFSTAGE_PAGES_NO_PAGE: self = .noSuchPage(page, count: number(0))
        case OFFSTAGE_PAGES_PAGE_DAMAGED: self = .pageDamaged(page)
        case OFFSTAGE_PAGES_TOO_LARGE: self = .tooLarge(size)
        case OFFSTAGE_PAGES_CLIP_OUTSIDE: self = .clipOutside(size)
        case OFFSTAGE_PAGES_NOT_SAVED: self = .notSaved
        case OFFSTAGE_PAGES_CERTIFIED: self = .certified(number(0))
        case OFFSTAGE_PAGES_FORBIDDEN: self = .forbidden
        case OFFSTAGE_PAGES_NO_LAYER: self = .layerMissing(number(0))
        case OFFSTAGE_PAGES_NO_LIBRARY: self = .libraryMissing
        default: self = .unknown(failure.code)
        }
    }

    /// - Parameter layers: the request's layers, to find the missing one's name.
    func error(layers: [PageLayer]) -> DrawingError {
        guard case .layerMissing(let number) = self, number > 0 else { return error }
        // In the order of the worker's list.
        let names = Set(layers.map(\.name)).sorted()
        let name = number <= names.count ? names[number - 1] : ""
        return .unusable(
            SourceProblem(
                "layer-missing", "the document has no layer named '\(name)'; offstage info FILE lists its layers"))
    }

    var error: DrawingError {
        switch self {
        case .passwordRequired:
            .unusable(SourceProblem("password-required", "the document is encrypted; give its password"))
        case .passwordWrong:
            .unusable(SourceProblem("password-wrong", "the password does not open the document; give another one"))
        case .encryptionUnknown:
            .unusable(
                SourceProblem(
                    "encryption-unknown",
                    "the document is encrypted in a way that Offstage cannot read; save it without encryption"))
        case .damaged:
            .unusable(SourceProblem("document-damaged", "the document is not a PDF file, or too damaged to be read"))
        case .noSuchPage(let page, let count):
            .unusable(
                SourceProblem(
                    "page-out-of-range",
                    "there is no page \(page); the document has \(count) page\(count == 1 ? "" : "s")"))
        case .pageDamaged(let page):
            .unusable(SourceProblem("page-damaged", "page \(page) is too damaged to be read; try another page"))
        case .tooLarge(let size):
            .tooLarge(
                measured: size,
                limit: PixelSize(width: Int(OFFSTAGE_PAGES_MOST_SIDE), height: Int(OFFSTAGE_PAGES_MOST_SIDE)))
        case .clipOutside(let size):
            .invalidRequest("the clip is outside the page, whose picture is \(size) device px in size")
        case .notSaved:
            .unusable(
                SourceProblem(
                    "annotations-not-saved",
                    "the document is too damaged for its annotations to be read or changed; repair it, for example with qpdf"
                ))
        case .certified(let level):
            .unusable(
                SourceProblem(
                    "document-certified",
                    "the document is certified, and its author allows \(level == 1 ? "no changes" : "only filled-in forms"); "
                        + "annotations would invalidate the certification; "
                        + "offstage convert --force saves them into a copy anyway"))
        case .forbidden:
            .unusable(
                SourceProblem(
                    "annotations-forbidden",
                    "the document's permissions forbid annotations; "
                        + "give the owner's password, or save them with offstage convert --force"))
        case .layerMissing(0):
            .unusable(
                SourceProblem(
                    "layers-unreadable", "the document is too damaged to select layers; render it without --layers"))
        case .layerMissing(let number):
            .unusable(
                SourceProblem(
                    "layer-missing",
                    "entry \(number) of the request's layers is not in the document; "
                        + "offstage info FILE lists its layers"
                ))
        case .libraryMissing: .unavailable(PDFium.missing)
        case .unknown(let code):
            .engineFailed(
                "the program offstage-pdf failed with code \(code); "
                    + "install the same version of Offstage and offstage-pdf")
        }
    }
}
