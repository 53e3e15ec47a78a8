import Offstage
import OffstageHTML

let renderer = Renderer.shared
let page = ["FONT": "DejaVu Sans, sans-serif", "WIDTH": "300", "BACKGROUND_COLOR": "#eef"]
for name in ["Ada", "Bob"] {
    let image = try await renderer.picture(
        html: "<h2>\(name)</h2>", identifier: "people/\(name)", intent: .presentation, attributes: page,
        options: RenderOptions(priority: .high))
    try image.write(to: "\(name).png")
}
print("\(renderer.counters.drawn) drawn")
await renderer.finish()
