"""Makes a thumbnail of a file with GNOME's thumbnail factory, as Files does. Needs python3-gi and gir1.2-gnomedesktop-3.0."""

import sys

import gi

gi.require_version("GnomeDesktop", "3.0")
from gi.repository import Gio, GLib, GnomeDesktop

size, path, output = sys.argv[1:]
file = Gio.File.new_for_path(path)
kind = file.query_info("standard::content-type", 0, None).get_content_type()
factory = GnomeDesktop.DesktopThumbnailFactory.new(getattr(GnomeDesktop.DesktopThumbnailSize, size))
if not factory.can_thumbnail(file.get_uri(), kind, 0):
    sys.exit(f"GNOME has no thumbnailer for {kind}")
try:
    factory.generate_thumbnail(file.get_uri(), kind, None).savev(output, "png", [], [])
except GLib.Error as error:
    sys.exit(f"there is no thumbnail: {error.message}")
