#ifndef PAGES_ANNOTATIONS_H
#define PAGES_ANNOTATIONS_H

#include "report.h"

#define SIDE OFFSTAGE_PAGES_WORD_SIDE
/// The most points of an annotation, and the most text, UTF-16 units.
#define POINTS 6000
#define STROKES 2000
#define TEXT 2000

#endif
