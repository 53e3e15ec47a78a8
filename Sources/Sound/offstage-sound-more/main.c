// Decodes AAC, and the sound of videos. A separate program, because GStreamer is large, and because the AAC decoder that may be
// installed beside it is under the GPL; this program does not link it.

#include "container.h"

int main(void) { return sound_run(container_decode, container_prepare); }
