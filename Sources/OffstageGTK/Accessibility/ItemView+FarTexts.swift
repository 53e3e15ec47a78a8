import Offstage
import OffstageWebKit

extension ItemView {
    func isNearScreen(_ row: Int) -> Bool { slots[row] != nil }

    func makeFarRowReady(_ row: Int) async {
        if !source.isReady(at: row) { await source.makeReady(at: row) }
    }

    func farPicture(of row: Int) async -> RenderedPicture? {
        guard hasRow(row), source.isReady(at: row), let request = request(at: row),
            (request as? Snippet)?.keepsAreas != false
        else { return nil }
        let options = RenderOptions(
            priority: .veryLow, group: parts.options.group, thumbnail: parts.options.thumbnail)
        return try? await parts.renderer.picture(for: request, options: options)
    }
}
