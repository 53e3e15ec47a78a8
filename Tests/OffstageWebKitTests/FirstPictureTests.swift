import Foundation
import Offstage
import OffstageWebKit
import XCTest

/// Starting an engine, drawing a first picture and shutting the engine down.
final class FirstPictureTests: XCTestCase {
    func testAnEngineStartsDrawsAndEnds() throws {
        let image = try onLoop {
            let renderer = Studio.make()
            let image = try await renderer.picture(for: Snippet("<body style='margin:0;height:40px'>", identifier: "a"))
            await renderer.finish()
            return image
        }
        XCTAssertEqual(image.identifier, "a")
        XCTAssertEqual(image.size, PixelSize(width: 400, height: 40))
    }

    func testAnEngineAfterAnotherDrawsToo() throws {
        for height in [10, 20] {
            let image = try onLoop {
                let renderer = Studio.make()
                let image = try await renderer.picture(for: page("<div style='height:\(height)px'></div>"))
                await renderer.finish()
                return image
            }
            XCTAssertEqual(image.size.height, height)
        }
    }

    func testAnEngineThatEndsLeavesAnotherAlone() throws {
        try onLoop {
            let (one, other) = (Studio.make(), Studio.make())
            async let first = one.picture(for: page("<div style='height:10px'></div>"))
            async let second = other.picture(for: page("<div style='height:20px'></div>"))
            let heights = try await (first.size.height, second.size.height)
            XCTAssertEqual(heights.0, 10)
            XCTAssertEqual(heights.1, 20)
            await one.finish()
            let third = try await other.picture(for: page("<div style='height:30px'></div>"))
            XCTAssertEqual(third.size.height, 30)
            await other.finish()
        }
    }

    func testAnEngineThatDrewNothingEnds() throws {
        try onLoop { await Studio.make().finish() }
    }
}
