import Foundation
import Offstage
import OffstageWebKit
import XCTest

final class FirstPictureTests: XCTestCase {
    func testARowIsDrawn() throws {
        PinnedEnvironment.apply()
        let image = try onLoop {
            let renderer = Renderer(engine: WebEngine())
            let image = try await renderer.image(for: Snippet("<body style='margin:0;height:40px'>", identifier: "a"))
            await renderer.finish()
            return image
        }
        XCTAssertEqual(image.size, PixelSize(width: 400, height: 40))
    }
}
