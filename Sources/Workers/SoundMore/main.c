// Decodes AAC, and the sound of videos. A program of its own: GStreamer is large, and the decoder for AAC that may be installed beside it
// is under the GPL, which this program is not linked with.

#include "container.h"

int main(void) { return sound_run(container_decode, container_prepare); }
