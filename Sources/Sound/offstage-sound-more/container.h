// The decoder of this program.
#ifndef CONTAINER_H
#define CONTAINER_H

#include <offstage_sound.h>

void container_decode(struct sound *sound);
/// True for a video whose file is truncated. Restores the document's position.
bool container_was_cut(struct document *document);
/// Sets a time zone, because GLib opens files if none is set. The jail empties the environment, so each decoding sets it again.
void container_set_zone(void);
/// Loads GStreamer and its plugins.
void container_prepare(void);

#endif
