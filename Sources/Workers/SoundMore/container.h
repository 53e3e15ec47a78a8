// The decoder of this program.
#ifndef CONTAINER_H
#define CONTAINER_H

#include <offstage_sound.h>

void container_decode(struct sound *sound);
/// True for a video whose file ends too early. Leaves the document where it was.
bool container_was_cut(struct document *document);
/// Loads GStreamer and its plugins.
void container_prepare(void);

#endif
