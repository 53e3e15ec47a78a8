import OffstageWebKit

/// `--sandbox` and `--no-sandbox`: which web processes run in WebKit's sandbox.
enum SandboxOption {
    static let on = OptionTable.Option(
        "sandbox", help: "Draw everything in WebKit's sandbox, not only what runs page scripts")
    static let off = OptionTable.Option("no-sandbox", help: "Run page scripts without WebKit's sandbox")

    static func value(_ options: ParsedOptions) throws(UsageError) -> Sandbox {
        switch (options.has("sandbox"), options.has("no-sandbox")) {
        case (true, true): throw UsageError("--sandbox and --no-sandbox cannot both be; use one")
        case (true, false): return .always
        case (false, true): return .never
        case (false, false): return .withScripts
        }
    }
}
