// Decodes sound formats whose libraries are small.

#include "decoders.h"

static void decode(struct sound *sound) {
    if (sound->options->library == OFFSTAGE_SOUND_MPG123) mp3_decode(sound);
    else sndfile_decode(sound);
}

int main(void) { return sound_run(decode, NULL); }
