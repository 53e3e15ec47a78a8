// CGLib's module has GLib's declarations. Without it, each module would have its own, and Swift finds enum constants twice.
#include "../CGLib/shim.h"

#include <cairo.h>
#include <gdk/gdkx.h>
#include <gtk/gtk.h>
