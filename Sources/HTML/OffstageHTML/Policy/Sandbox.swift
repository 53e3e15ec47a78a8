/// Specifies which web processes run in WebKit's sandbox, which bubblewrap creates. A sandboxed process sees none of
/// the user's files, no other processes and none of the user's buses.
public enum Sandbox: String, Sendable, Hashable, Codable {
    /// All web processes are sandboxed if bubblewrap can create a sandbox. If it cannot, snippets with page scripts are an
    /// error, and all others are drawn without a sandbox. The default.
    case wherePossible
    /// All web processes are sandboxed. If that is impossible, every drawing is an error.
    case always
    /// No web process is sandboxed.
    case never
}
