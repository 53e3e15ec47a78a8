import Offstage
import OffstageWebKit

PinnedEnvironment.apply()
let path = CommandLine.arguments[1]
try MainLoop.run {
    let renderer = Renderer(engine: WebEngine())
    let snippet = try Snippet(contentsOf: path)
    let image = try await renderer.image(for: snippet)
    print(image.size, image.warnings)
    try image.write(to: CommandLine.arguments[2])
    await renderer.finish()
}
