import OffstageRequests
import OffstageWebKit

/// `--sandbox` and `--no-sandbox`: which web processes run in WebKit's sandbox.
enum SandboxOption {
    static let on = OptionTable.Option(
        "sandbox", help: "Draw nothing without WebKit's sandbox; default with it where it can be had")
    static let off = OptionTable.Option("no-sandbox", help: "Draw without WebKit's sandbox, page scripts too")

    static func value(_ options: ParsedOptions) throws(UsageError) -> Sandbox {
        switch (options.has("sandbox"), options.has("no-sandbox")) {
        case (true, true): throw UsageError("--sandbox and --no-sandbox cannot both be; use one")
        case (true, false): return .always
        case (false, true): return .never
        case (false, false): return .wherePossible
        }
    }
}
