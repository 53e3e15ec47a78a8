import Offstage

extension ItemView {
    func isNearScreen(_ row: Int) -> Bool { slots[row] != nil }

    var rowSource: any ListSource { source }

    func farRequest(of row: Int) -> FarRequest? {
        guard hasRow(row), source.isReady(at: row), let request = request(at: row),
            request.keepsAreas
        else { return nil }
        let options = RenderOptions(
            priority: .veryLow, group: parts.options.group, thumbnail: parts.options.thumbnail)
        return FarRequest(request: request, options: options, renderer: parts.renderer)
    }
}
