import OffstageRequests
import Testing

@testable import OffstageService

/// The options in a query, some of them repeated.
@Suite struct QueryOptionsTests {
    private func problem(_ query: [(name: String, value: String)]) -> String? {
        do throws(Problem) { _ = try QueryOptions.object(query) } catch {
            return "\(error.status) \(error.code): \(error.detail)"
        }
        return nil
    }

    @Test func repetitionsAreAListInTheirOrder() throws {
        let values = (1...199).map { "\($0).png" }
        let object = try QueryOptions.object([("width", "320")] + values.map { ("css", $0) })
        #expect(object == ["width": .integer(320), "css": .list(values.map { .text($0) })])
        #expect(try QueryOptions.object([("css", "a")]) == ["css": .text("a")])
        #expect(
            problem([("width", "1"), ("width", "2")])
                == "400 invalid-query: the query has \"width\" twice; leave one out")
    }

    @Test func theirNumberIsLimited() {
        #expect(problem(Array(repeating: ("also", "webp"), count: 200)) == nil)
        for count in [201, 6300] {
            #expect(
                problem(Array(repeating: ("also", "webp"), count: count))
                    == "400 invalid-query: the query has more than 200 options; send longer lists as application/json")
        }
    }

    /// Suggestions also cover other programs' options. They are written without the dashes of a command line.
    @Test(arguments: [
        ("widht", "did you mean width?"), ("prioritty", "did you mean priority?"),
        ("dpi", "use scale: 1 is 96 device px an inch, 2 is 192"),
        ("quality", "use format jpeg:quality=80 or webp:quality=80"),
        ("device-scale-factor", "use scale: 2 renders two device px for each CSS px"),
        ("full-page", "leave it out: a picture shows the whole page, unless you give height"),
        ("wait", "leave it out: Offstage waits for images, fonts and layout, for at most timeout"),
        ("xyzzy", "/v1/openapi.json lists all options"), ("threads", "/v1/openapi.json lists all options"),
    ])
    func anUnknownOptionHasASuggestion(name: String, advice: String) {
        #expect(problem([(name, "1")]) == "400 invalid-query: there is no option \"\(name)\"; \(advice)")
    }

    @Test func waveformsHaveThoseOfAudiowaveform() {
        for (name, advice) in [("start", "use from"), ("end", "use to"), ("background-color", "use background")] {
            #expect(
                problem([(name, "1")])
                    == "400 invalid-query: there is no option \"\(name)\", which audiowaveform has; \(advice)")
        }
        let names = ["format", "from", "samples-per-pixel", "to"]
        #expect(QueryOptions.unknown("too", among: names) == "there is no option \"too\"; did you mean to?")
        #expect(QueryOptions.unknown("end", among: names).hasSuffix("; use to"))
    }

    @Test func namesAndValuesAreShort() {
        let long = String(repeating: "x", count: 60_000)
        #expect(
            problem([(long, "1")])
                == "400 invalid-query: the query has an option whose name has more than 255 bytes")
        #expect(problem([("selector", long)]) == "400 invalid-query: \"selector\" takes at most 4096 bytes; shorten it")
        #expect(problem([("selector", String(long.prefix(4096)))]) == nil)
    }
}
