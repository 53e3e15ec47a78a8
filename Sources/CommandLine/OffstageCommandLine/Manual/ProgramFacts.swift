import OffstageRequests
import OffstageWorkers

/// The variables and files of the program, for the man page.
@MainActor
enum ProgramFacts {
    static let variables: [(name: String, meaning: String)] = [
        (
            SettingsPlace.variable,
            "A file of options that apply to every run, instead of offstage.conf. Empty: neither a file nor variables set options."
        ),
        (
            "OFFSTAGE_…",
            "An option, in capitals and with _ for -: OFFSTAGE_MAX_WIDTH=600 is --max-width=600. A switch takes 1 or 0, a "
                + "repeatable option one value per line. An empty variable turns an option of the file off. Options of the command line override "
                + "variables, and variables override the file."
        ),
        (
            BrowseRun.sinkVariable,
            "The GStreamer sink through which browse plays sounds, such as fakesink (default: autoaudiosink)."
        ),
        (
            WorkerFolders.variable,
            "A folder that is searched for worker programs and for offstage-browse before the folders near the "
                + "program. Programs that use an Offstage library search it, too."
        ),
        ("NO_COLOR", "If it is not empty, turns off colours on a terminal. TERM=dumb has the same effect."),
        ("TMPDIR", "A folder for temporary files (default /tmp, for large files /var/tmp)."),
        (
            "XDG_CACHE_HOME",
            "The base folder for caches (default ~/.cache). Offstage's cache is the folder offstage in it."
        ),
        (
            "XDG_CONFIG_HOME",
            "The base folder for configuration (default ~/.config). The file offstage/offstage.conf in it has options "
                + "for every run."
        ),
        (
            "XDG_DATA_HOME",
            "The base folder for data (default ~/.local/share). The user's fonts are in the folder fonts in it."
        ),
        (
            "XDG_RUNTIME_DIR",
            "The socket of serve is offstage/http.sock below it, unless --socket or --listen is given."
        ),
        ("DISPLAY, WAYLAND_DISPLAY", "The desktop on which browse opens its window. No other command uses it."),
        ("PATH", "The search path for Xvfb, which provides the hidden display, and for pdftocairo."),
        (
            "PGHOST, PGPASSFILE, PGSERVICEFILE, PGSSLMODE …",
            "libpq's settings for the shared database of --via, --shared and `offstage shared`."
        ),
        (
            "LISTEN_FDS, LISTEN_PID, NOTIFY_SOCKET",
            "systemd sets them for serve and work, to pass sockets and to receive reports of the state."
        ),
    ]

    static let files: [(name: String, meaning: String)] = [
        (
            "~/.config/offstage/offstage.conf",
            "Options for every run, one per line, written as on the command line. A line that begins with # is a "
                + "comment. A command ignores "
                + "options that it does not have. `offstage doctor` lists the options that are set, and where."
        ),
        ("~/.cache/offstage", "The cache. `offstage cache path` prints it."),
        ("$XDG_RUNTIME_DIR/offstage/http.sock", "The socket of serve."),
        (
            "FILE.annotations.json",
            "The annotations of FILE, a PDF document, beside it. They are drawn unless --annotations says otherwise."
        ),
        ("~/.fonts, ~/.local/share/fonts, /usr/share/fonts", "Fonts for documents, unless --fonts names a folder."),
    ]
}
