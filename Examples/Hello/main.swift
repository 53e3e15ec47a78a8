import Offstage
import OffstageHTML

let renderer = Renderer(engine: HTMLEngine(views: 2))
let snippet = Snippet("<h1>Hello, offstage!</h1>", identifier: "hello", width: 320, scale: 2)
let image = try await renderer.picture(for: snippet)
try image.write(to: "hello.png")
print("\(image.size) device px, warnings: \(image.warnings)")
await renderer.finish()
