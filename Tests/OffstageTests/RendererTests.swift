import Offstage
import Testing

@Suite(.timeLimit(.minutes(15)))
struct RendererTests {
    @Test func aPictureCarriesItsRequestsNameAndWhatTheEngineSays() async throws {
        let image = try await Renderer(engine: FakeEngine()).picture(for: FakeRequest(identifier: "row 7", width: 3))
        #expect(image.identifier == "row 7")
        #expect(image.size == PixelSize(width: 3, height: 1))
        #expect(image.scale == 2)
        #expect(image.isComplete)
        #expect(image.duration > .zero)
    }

    @Test func everyOneOfManyRequestsGetsItsOwnPicture() async throws {
        let renderer = Renderer(engine: FakeEngine(capacity: 3))
        let answers = try await withThrowingTaskGroup(of: (String, Int).self) { group in
            for width in 1...300 {
                group.addTask {
                    let image = try await renderer.picture(for: FakeRequest(identifier: "\(width)", width: width))
                    return (image.identifier, image.size.width)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 300)
        for (identifier, width) in answers { #expect(identifier == "\(width)") }
    }

    @Test func anErrorNamesItsRequestAndTheNextIsDrawn() async throws {
        let engine = FakeEngine(errors: [
            "bad": .tooLarge(measured: PixelSize(width: 9, height: 8), limit: PixelSize(width: 7, height: 6))
        ])
        let renderer = Renderer(engine: engine)
        let error = await #expect(throws: RenderError.self) {
            try await renderer.picture(for: FakeRequest(identifier: "bad"))
        }
        #expect(error?.identifier == "bad")
        #expect(
            error?.description
                == "bad: 9 × 8 device px is too large; the limit is 7 × 6; use a smaller scale or size")
        #expect(try await renderer.picture(for: FakeRequest(identifier: "good")).identifier == "good")
    }
}
