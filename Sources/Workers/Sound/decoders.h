// The decoders of this program.
#ifndef DECODERS_H
#define DECODERS_H

#include <offstage_sound.h>

void sndfile_decode(struct sound *sound);
void mp3_decode(struct sound *sound);

#endif
