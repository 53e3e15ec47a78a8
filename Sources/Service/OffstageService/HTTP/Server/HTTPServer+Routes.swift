extension HTTPServer {
    /// All routes. The OpenAPI document describes the same routes.
    func allRoutes() -> [Route] {
        // Every resource with GET also has HEAD (RFC 9110, 9.3.2). The connection leaves out the body.
        ownRoutes().flatMap { (route: Route) -> [Route] in
            if route.method != "GET" { return [route] }
            return [route, Route("HEAD", route.pattern, route.right, isOpen: route.isOpen, route.handler)]
        }
    }

    private func ownRoutes() -> [Route] {
        let images = ImagesResource(context: context)
        let image = ImageResource(context: context)
        let peaks = PeaksResource(context: context)
        let suspensions = SuspensionsResource(context: context)
        let description = OpenAPI.answer(version: configuration.version)
        let health = HealthResource(context: context)
        let state = [
            Route("GET", "/metrics", nil, MetricsResource(context: context).get),
            Route("GET", "/healthz", isOpen: true, health.healthy),
            Route("GET", "/readyz", isOpen: true, health.ready),
        ]
        if !configuration.servesPictures { return state }
        return state + [
            Route("POST", "/v1/images", .draw, images.post),
            Route("GET", "/v1/images/{identifier}", .draw, image.get),
            Route("PUT", "/v1/images/{identifier}", .put, image.put),
            Route("DELETE", "/v1/images/{identifier}", .put, image.delete),
            Route("GET", "/v1/peaks", .draw, peaks.getFile),
            Route("GET", "/v1/peaks/{identifier}", .draw, peaks.get),
            Route("POST", "/v1/annotations", .draw, AnnotationsResource(context: context).post),
            Route("POST", Self.batchPath, .draw, nil),
            Route("GET", "/v1/suspensions", .suspend, suspensions.list),
            Route("POST", "/v1/suspensions", .suspend, suspensions.post),
            Route("POST", "/v1/suspensions/end", .suspend, suspensions.endAll),
            Route("DELETE", "/v1/suspensions/{identifier}", .suspend, suspensions.delete),
            Route("POST", "/v1/prefetch", .draw, PrefetchResource(context: context).post),
            Route("GET", "/v1/events", .events, EventsResource(context: context).get),
            Route("GET", "/v1/openapi.json") { [description] _ in .now(description) },
            Route("GET", "/", .events, StatusResource(context: context).get),
        ]
    }

    /// Answered before the request ends.
    nonisolated static let batchPath = "/v1/batch"
}
