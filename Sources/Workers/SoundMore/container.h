// The decoder of this program.
#ifndef CONTAINER_H
#define CONTAINER_H

#include <offstage_sound.h>

void container_decode(struct sound *sound);
/// Loads GStreamer and its plugins.
void container_prepare(void);

#endif
