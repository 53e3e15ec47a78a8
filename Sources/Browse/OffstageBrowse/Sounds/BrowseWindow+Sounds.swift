import CGTK
import Offstage
import OffstageGTK
import OffstageSound
import OffstageWebKit

/// Sounds: an opened sound is played below the list.
extension BrowseWindow {
    /// A single sound is played at once.
    func startPlaying() {
        guard rows.jobs.count == 1, rows.rowCount == 1, isSound(row: 0) else { return }
        Task { [weak self] in
            await self?.rows.makeReady(at: 0)
            self?.play(row: 0)
        }
    }

    func isSound(row: Int) -> Bool { rows.input(at: row).source.name == "sound" }

    /// Plays the sound of a row. If that sound is already open, pauses or resumes it.
    func play(row: Int) {
        if let player, player.row == row { return player.toggle() }
        let name = rows.identifier(at: row)
        guard let path = rows.input(at: row).sourceFile, let waveform = waveform(of: row) else {
            return bar.say("\(name): only sounds in files can be played")
        }
        // GStreamer would also play files that no worker has recognized.
        guard waveform.sound.kind != nil else { return bar.say("\(name): it is not a sound file of a known kind") }
        stopPlaying()
        let player = BrowsePlayer(waveform, of: path, row: row, name: name, renderer: renderer)
        player.onMessage = { [weak self] in self?.bar.say($0) }
        self.player = player
        gtk_box_pack_end(cast(box), player.widget, 0, 0, 0)
        player.focus()
        bar.say(name)
    }

    func stopPlaying() {
        guard let player else { return }
        gtk_container_remove(cast(box), player.widget)
        self.player = nil
        gtk_widget_grab_focus(view.widget)
    }

    /// Shows the open sound in the colours of the window.
    func recolorPlayer() { if let player, let waveform = waveform(of: player.row) { player.show(waveform) } }

    private func waveform(of row: Int) -> Waveform? {
        guard let request = rows.request(at: row, [:]) else { return nil }
        var waveform = ((request as? OverlaidRequest)?.below ?? request) as? Waveform
        // Show the whole sound. The options that select a part are for the list's picture.
        waveform?.style.from = 0
        waveform?.style.to = nil
        waveform?.style.showsAxis = false
        return waveform
    }

    /// - Returns: false for a key that the player does not use.
    func playerKeyPressed(_ key: guint) -> Bool {
        guard let player else { return false }
        // Spaces typed into a text field don't control the player.
        if let focus = gtk_window_get_focus(cast(window)), isEditable(focus) { return false }
        switch Int32(key) {
        case GDK_KEY_space: player.toggle()
        case GDK_KEY_Escape: stopPlaying()
        default: return false
        }
        return true
    }

    private func isEditable(_ widget: UnsafeMutablePointer<GtkWidget>) -> Bool {
        g_type_check_instance_is_a(cast(widget), gtk_editable_get_type()) != 0
    }
}
