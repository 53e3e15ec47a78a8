"""Asks the session's thumbnailing service for a thumbnail of each file, as Thunar does. Needs python3-gi."""

import sys

from gi.repository import Gio, GLib

files = [Gio.File.new_for_path(path) for path in sys.argv[2:]]
thumbnailer = Gio.DBusProxy.new_for_bus_sync(
    Gio.BusType.SESSION, Gio.DBusProxyFlags.NONE, None, "org.freedesktop.thumbnails.Thumbnailer1",
    "/org/freedesktop/thumbnails/Thumbnailer1", "org.freedesktop.thumbnails.Thumbnailer1", None)
loop = GLib.MainLoop()


def heard(_, __, signal, values):
    if signal == "Error":
        print("error:", values.unpack()[-1])
    if signal == "Finished":
        loop.quit()


thumbnailer.connect("g-signal", heard)
types = [file.query_info("standard::content-type", 0, None).get_content_type() for file in files]
print("types:", *types)
thumbnailer.Queue(
    "(asasssu)", [file.get_uri() for file in files], types, sys.argv[1], "foreground", 0)
loop.run()
