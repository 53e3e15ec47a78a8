// GTK's and GLib's declarations are those of CGTK's module: see its shim.
#include "../CGTK/shim.h"

#include <webkit2/webkit2.h>
