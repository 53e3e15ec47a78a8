#include "offstage.h"

G_DEFINE_QUARK(offstage-error-quark, offstage_error)
