import CSoup

/// The time as `Date` has it (RFC 9110, 6.6.1). libsoup says it only for requests that it can read.
enum HTTPDate {
    static var now: String {
        let time = g_date_time_new_now_utc()
        defer { g_date_time_unref(time) }
        guard let text = soup_date_time_to_string(time, SOUP_DATE_HTTP) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
