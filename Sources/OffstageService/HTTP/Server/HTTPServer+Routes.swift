extension HTTPServer {
    /// All that the service answers; the API's description tells the same.
    func allRoutes() -> [Route] {
        let images = ImagesResource(context: context)
        let image = ImageResource(context: context)
        let suspensions = SuspensionsResource(context: context)
        let description = OpenAPI.answer(version: configuration.version)
        let health = HealthResource(context: context)
        return [
            Route(method: "POST", pattern: "/v1/images", handler: images.post),
            Route(method: "GET", pattern: "/v1/images/{identifier}", handler: image.get),
            Route(method: "HEAD", pattern: "/v1/images/{identifier}", handler: image.get),
            Route(method: "PUT", pattern: "/v1/images/{identifier}", handler: image.put),
            Route(method: "DELETE", pattern: "/v1/images/{identifier}", handler: image.delete),
            Route(method: "POST", pattern: Self.batchPath, handler: { _ in .now(HTTPAnswer(500)) }),
            Route(method: "POST", pattern: "/v1/suspensions", handler: suspensions.post),
            Route(method: "POST", pattern: "/v1/suspensions/end", handler: suspensions.endAll),
            Route(method: "DELETE", pattern: "/v1/suspensions/{identifier}", handler: suspensions.delete),
            Route(method: "POST", pattern: "/v1/prefetch", handler: PrefetchResource(context: context).post),
            Route(method: "GET", pattern: "/v1/events", handler: EventsResource(context: context).get),
            Route(
                method: "GET", pattern: "/metrics",
                handler: MetricsResource(context: context) { [unowned self] in connectionCount }.get),
            Route(method: "GET", pattern: "/v1/openapi.json", handler: { [description] _ in .now(description) }),
            Route(
                method: "GET", pattern: "/",
                handler: StatusResource(context: context) { [unowned self] in connectionCount }.get),
            Route(method: "GET", pattern: "/healthz", isOpen: true, handler: health.healthy),
            Route(method: "GET", pattern: "/readyz", isOpen: true, handler: health.ready),
        ]
    }

    /// Its requests have answers before they are over, which libsoup does not do: `BatchExchange`.
    static let batchPath = "/v1/batch"
}
