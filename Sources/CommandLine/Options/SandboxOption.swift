import OffstageRequests
import OffstageWebKit

/// `--sandbox` and `--no-sandbox`: which web processes run in WebKit's sandbox.
enum SandboxOption {
    static let on = OptionTable.Option(
        "sandbox", help: "Refuse to render without WebKit's sandbox (default: use it where possible)")
    static let off = OptionTable.Option("no-sandbox", help: "Render without WebKit's sandbox, page scripts too")

    static func value(_ options: ParsedOptions) throws(UsageError) -> Sandbox {
        switch (options.has("sandbox"), options.has("no-sandbox")) {
        case (true, true): throw UsageError("--sandbox and --no-sandbox cannot both be; use one")
        case (true, false): return .always
        case (false, true): return .never
        case (false, false): return .wherePossible
        }
    }
}
