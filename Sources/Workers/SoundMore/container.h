// The decoder of this program.
#ifndef CONTAINER_H
#define CONTAINER_H

#include <offstage_sound.h>

void container_decode(struct sound *sound);
/// True for a video whose file ends too early. Leaves the document where it was.
bool container_was_cut(struct document *document);
/// Names a time zone: GLib opens files for one without a name. The jail empties the environment, so each decoding names it again.
void container_set_zone(void);
/// Loads GStreamer and its plugins.
void container_prepare(void);

#endif
