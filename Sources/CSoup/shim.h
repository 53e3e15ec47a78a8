// CGLib's module has GLib's declarations: see CWebKitGTK.
#include "../CGLib/shim.h"

#include <libsoup/soup.h>
