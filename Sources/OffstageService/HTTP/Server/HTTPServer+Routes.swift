extension HTTPServer {
    /// All routes; the OpenAPI document describes the same.
    func allRoutes() -> [Route] {
        // Every resource with GET also has HEAD (RFC 9110, 9.3.2). The connection leaves out the body.
        ownRoutes().flatMap { (route: Route) -> [Route] in
            if route.method != "GET" { return [route] }
            return [route, Route("HEAD", route.pattern, route.handler, isOpen: route.isOpen)]
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
            Route("GET", "/metrics", MetricsResource(context: context).get),
            Route("GET", "/healthz", health.healthy, isOpen: true),
            Route("GET", "/readyz", health.ready, isOpen: true),
        ]
        if !configuration.servesPictures { return state }
        return state + [
            Route("POST", "/v1/images", images.post),
            Route("GET", "/v1/images/{identifier}", image.get),
            Route("PUT", "/v1/images/{identifier}", image.put),
            Route("DELETE", "/v1/images/{identifier}", image.delete),
            Route("GET", "/v1/peaks", peaks.getFile),
            Route("GET", "/v1/peaks/{identifier}", peaks.get),
            Route("POST", Self.batchPath, nil),
            Route("POST", "/v1/suspensions", suspensions.post),
            Route("POST", "/v1/suspensions/end", suspensions.endAll),
            Route("DELETE", "/v1/suspensions/{identifier}", suspensions.delete),
            Route("POST", "/v1/prefetch", PrefetchResource(context: context).post),
            Route("GET", "/v1/events", EventsResource(context: context).get),
            Route("GET", "/v1/openapi.json", { [description] _ in .now(description) }),
            Route("GET", "/", StatusResource(context: context).get),
        ]
    }

    /// Answered before the request ends.
    nonisolated static let batchPath = "/v1/batch"
}
