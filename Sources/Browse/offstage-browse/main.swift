import OffstageBrowse
import OffstageCommandLine

// The windows of `offstage browse`, which starts this program.
Program.browse(windows: BrowseWindows.show)
