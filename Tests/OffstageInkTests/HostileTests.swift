import Foundation
import Offstage
import OffstageWorkers
import Testing

@testable import OffstageInk

/// Malicious or broken files: each gives a picture or a typed error, and the next good file is drawn.
struct HostileTests {
    private static func page(_ content: String, page: String = "width=\"300\" height=\"200\"") -> Data {
        Data(
            "<?xml version=\"1.0\"?><xournal><page \(page)><background type=\"solid\" color=\"#ffffffff\" style=\"graph\"/><layer>\(content)</layer></page></xournal>"
                .utf8)
    }

    private static func stroke(_ places: String, width: String = "2", extra: String = "") -> String {
        "<stroke tool=\"pen\" color=\"#000000ff\" width=\"\(width)\" \(extra)>\(places)</stroke>"
    }

    private static let good = page(stroke("10 10 200 150"))

    /// A zip file with one stored entry.
    private static func zip(_ name: String, _ content: Data, packed: UInt32? = nil, offset: UInt32 = 0) -> Data {
        func number(_ value: UInt32, _ size: Int) -> Data { Data((0..<size).map { UInt8(value >> (8 * $0) & 255) }) }
        let size = packed ?? UInt32(content.count)
        let head = number(20, 2) + number(0, 8) + number(0, 4) + number(size, 4) + number(size, 4)
        let local =
            Data("PK\u{3}\u{4}".utf8) + head + number(UInt32(name.utf8.count), 2) + number(0, 2) + Data(name.utf8)
            + content
        let entry =
            Data("PK\u{1}\u{2}".utf8) + number(20, 2) + head + number(UInt32(name.utf8.count), 2) + number(0, 12)
            + number(offset, 4) + Data(name.utf8)
        return local + entry + Data("PK\u{5}\u{6}".utf8) + number(0, 4) + number(1, 2) + number(1, 2)
            + number(UInt32(entry.count), 4) + number(UInt32(local.count), 4) + number(0, 2)
    }

    private static var files: [(String, Data)] {
        let packed = Gzip.packed(good)
        let bomb = Gzip.packed(Data(count: 1 << 28))
        let deep = String(repeating: "<g>", count: 100_000)
        var files: [(String, Data)] = [
            ("a byte", Data([0])), ("zeros", Data(count: 5000)), ("text", Data("hello".utf8)),
            ("gzip head", Data([0x1F, 0x8B])),
            ("zip head", Data("PK\u{3}\u{4}".utf8)), ("xml alone", Data("<?xml version=\"1.0\"?>".utf8)),
            ("no page", Data("<xournal></xournal>".utf8)), ("gzip bomb", bomb), ("gzip twice", Gzip.packed(packed)),
            ("deep", Data("<xournal>\(deep)".utf8)), ("deep json", Data(String(repeating: "[", count: 1_000_000).utf8)),
            ("entity", Data("<!DOCTYPE x [<!ENTITY a \"b\">]><xournal>&a;</xournal>".utf8)),
            (
                "file entity",
                Data("<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><xournal>&a;</xournal>".utf8)
            ),
            (
                "billion laughs",
                Data(
                    "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;\">]><xournal>&c;</xournal>"
                        .utf8)
            ),
            ("zip without content", zip("other.xml", good)), ("zip offset", zip("content.xml", good, offset: 1 << 30)),
            ("zip size", zip("content.xml", good, packed: UInt32.max)), ("zip", zip("content.xml", good)),
            ("many points", page(stroke(String(repeating: "1 2 3 4 ", count: 300_000)))),
            (
                "fill of many",
                page(
                    stroke(
                        (0..<2_000).map { "\($0 % 290) \($0 * 7 % 190)" }.joined(separator: " "), extra: "fill=\"128\"")
                )
            ),
            ("a huge page", page("", page: "width=\"1e9\" height=\"1e9\"")),
            ("a tiny page", page("", page: "width=\"0\" height=\"-5\"")),
            ("no size", page("", page: "width=\"nan\"")),
            ("long attribute", page(stroke("1 1", width: String(repeating: "9", count: 1_000_000)))),
            ("many widths", page(stroke("1 1 5 5", width: String(repeating: "2 ", count: 300_000)))),
            ("dashes", page(stroke("1 1 290 190", extra: "style=\"cust: 0.0001 0.0001\""))),
            ("odd dashes", page(stroke("1 1 290 190", extra: "style=\"cust: -5 nan 1e30\""))),
            ("bad image", page("<image left=\"0\" top=\"0\" right=\"9\" bottom=\"9\">AAAA</image>")),
            (
                "image of no size",
                page("<image left=\"nan\" top=\"1e30\" right=\"0\" bottom=\"0\">iVBORw0KGgo=</image>")
            ),
            (
                "outside file",
                Data(
                    "<xournal><page width=\"100\" height=\"100\"><background type=\"pdf\" domain=\"absolute\" filename=\"/etc/passwd\" pageno=\"1\"/></page></xournal>"
                        .utf8)
            ),
            (
                "parent file",
                Data(
                    "<xournal><page width=\"100\" height=\"100\"><background type=\"pixmap\" domain=\"absolute\" filename=\"../../../../etc/passwd\"/></page></xournal>"
                        .utf8)
            ),
            (
                "clone of itself",
                Data(
                    "<xournal><page width=\"100\" height=\"100\"><background type=\"pixmap\" domain=\"clone\" filename=\"0\"/></page></xournal>"
                        .utf8)
            ),
            ("inkml nothing", Data("<ink xmlns=\"http://www.w3.org/2003/InkML\"/>".utf8)),
            ("inkml trace", Data("<ink><trace>1 2, '3'4, \"5\"6, * ?, !, -, 1e99 1e99, nan nan</trace></ink>".utf8)),
            (
                "inkml channels",
                Data(
                    "<ink><traceFormat>\(String(repeating: "<channel name=\"X\"/>", count: 100))</traceFormat><trace>1 2</trace></ink>"
                        .utf8)
            ),
            (
                "inkml brushes",
                Data(
                    "<ink>\(String(repeating: "<brush xml:id=\"b\"/>", count: 1000))<trace>1 2, 5 6</trace></ink>".utf8)
            ),
            ("json numbers", Data("[[1e999,1],[2,2]]".utf8)), ("json words", Data("[[\"a\",null],[true,{}]]".utf8)),
            ("json strokes", Data("{\"strokes\":[{\"points\":[]},{\"points\":[[1,2]]},5,null]}".utf8)),
            ("rnote nothing", Data("{\"data\":{\"engine_snapshot\":{\"stroke_components\":[]}}}".utf8)),
            (
                "rnote strange",
                Data(
                    "{\"data\":{\"engine_snapshot\":{\"document\":{\"height\":1e30,\"format\":{\"height\":-1,\"dpi\":0}},\"stroke_components\":[{\"value\":{\"brushstroke\":{\"path\":{\"start\":{\"pos\":[1e30,\"x\"]},\"segments\":[5,{\"a\":null}]}}}}]}}}"
                        .utf8)
            ),
            ("records cut", InkRecords.magic), ("records wrong", InkRecords.magic + Data(repeating: 255, count: 64)),
            ("records size", InkRecords.magic + Data([3, 0, 0, 0, 255, 255, 255, 127])),
        ]
        for number in [
            "nan", "inf", "-inf", "1e30", "-1e300", "1e-400", "0x10", "--5", "1,5", "\u{661}",
            "99999999999999999999999",
        ] {
            files.append(("number \(number)", page(stroke("10 10 \(number) \(number) 50 50", width: "2 \(number)"))))
        }
        for share in [10, 40, 70, 99] {
            files.append(("cut at \(share)", Data(packed.prefix(packed.count * share / 100))))
            files.append(("plain cut at \(share)", Data(good.prefix(good.count * share / 100))))
        }
        return files
    }

    /// The outcome for each file: a picture, with or without a warning, or an error.
    private static let outcomes: [String: [String]] = [
        "drawn": [
            "zip", "many points", "fill of many", "a tiny page", "no size", "long attribute", "many widths", "dashes",
            "odd dashes", "inkml channels", "inkml brushes", "json strokes", "rnote nothing", "number 1e-400",
            "number 1,5",
        ],
        "drawn, ink-damaged": ["plain cut at 40", "cut at 70", "plain cut at 70", "cut at 99", "plain cut at 99"],
        "drawn, ink-image-broken": ["bad image", "image of no size"],
        "drawn, ink-points-refused": [
            "inkml trace", "number nan", "number inf", "number -inf", "number 1e30", "number -1e300", "number 0x10",
            "number --5", "number \u{661}", "number 99999999999999999999999",
        ],
        "drawn, resource-blocked": ["outside file", "parent file"],
        "drawn, resource-missing": ["clone of itself"],
        "ink-damaged": [
            "no page", "deep", "deep json", "entity", "file entity", "billion laughs", "inkml nothing", "json numbers",
            "records cut", "records wrong", "records size",
        ],
        "not-ink": [
            "a byte", "zeros", "text", "gzip head", "zip head", "xml alone", "gzip bomb", "gzip twice",
            "zip without content", "zip offset", "zip size", "json words", "cut at 10", "plain cut at 10", "cut at 40",
        ],
        "too many pixels": ["a huge page", "rnote strange"],
    ]

    @Test("Each of 60 hostile files gives its picture or its error, and the worker continues")
    func files() async throws {
        let engine = InkEngine(workers: 1)
        var outcomes: [String: [String]] = [:]
        for (name, data) in Self.files {
            var request = InkDrawing(InkDocument(data, folder: FileManager.default.temporaryDirectory.path))
            request.limits.unpackedBytes = 64 << 20
            request.limits.budget.processorSeconds = 20
            var outcome: String
            do {
                let drawing = try await engine.draw(request)
                let size = try #require(drawing.pixmaps.first).size
                #expect(size.width > 0 && size.height > 0, "\(name)")
                outcome = (["drawn"] + drawing.warnings.map(\.code.name)).joined(separator: ", ")
            } catch let error as DrawingError {
                switch error {
                case .unusable(let problem):
                    #expect(!problem.message.contains("root:"), "\(name): \(error)")
                    outcome = problem.code
                case .tooManyPixels: outcome = "too many pixels"
                default: outcome = "\(error)"
                }
            }
            outcomes[outcome, default: []].append(name)
        }
        #expect(outcomes.mapValues { $0.sorted() } == Self.outcomes.mapValues { $0.sorted() })
        let drawing = try await engine.draw(InkDrawing(InkDocument(Self.good)))
        #expect(drawing.warnings.isEmpty)
        #expect(await engine.restarts == 0)
        await engine.shutDown()
    }

    @Test("Limits have their own errors, and truncated files are drawn with a warning")
    func limits() async throws {
        let engine = InkEngine(workers: 1, jail: .never)
        func code(_ data: Data, _ change: (inout InkLimits) -> Void) async -> String {
            var request = InkDrawing(InkDocument(data))
            change(&request.limits)
            do { return try await engine.draw(request).warnings.map(\.code.name).joined(separator: " ") } catch {
                if case .unusable(let problem) = error { return problem.code }
                return "\(error)"
            }
        }
        #expect(await code(Self.page(Self.stroke("1 1 2 2 3 3"))) { $0.points = 2 } == "ink-too-many-points")
        #expect(await code(Gzip.packed(Data(count: 1 << 22))) { $0.unpackedBytes = 1 << 20 } == "not-ink")
        let padded = Self.page(String(repeating: " ", count: 1 << 20))
        #expect(await code(Gzip.packed(padded)) { $0.unpackedBytes = 1 << 18 } == "ink-too-large")
        let two = Self.page(Self.stroke("1 1 2 2") + Self.stroke("9 9 90 90"))
        #expect(await code(Data(two.prefix(two.count - 60))) { _ in } == "ink-damaged")
        #expect(await code(Self.page(Self.stroke("1 1 nan 5 9 9"))) { _ in } == "ink-points-refused")
        #expect(await code(Data("x".utf8)) { _ in } == "not-ink")
        var page = InkDrawing(InkDocument(Self.good), page: 2)
        page.content = .plain
        await #expect(throws: DrawingError.self) { try await engine.draw(page) }
        await engine.shutDown()
    }
}
