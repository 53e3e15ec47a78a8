#include <math.h>
#include <stdlib.h>

#include "image.h"

// Lanczos with three lobes: sharp, and similar to other programs.
#define LOBES 3

static double kernel(double x) {
    if (x == 0) return 1;
    if (fabs(x) >= LOBES) return 0;
    // sin(3a) = 3 sin(a) - 4 sin(a)^3
    double angle = M_PI * x, sine = sin(angle / LOBES);
    return LOBES * sine * sine * (3 - 4 * sine * sine) / (angle * angle);
}

bool image_axis(struct axis *axis, double start, double length, uint32_t available, uint32_t outputs) {
    double ratio = length / outputs;
    // First averages whole samples, which costs little; the kernel then sees at most four samples per output.
    axis->box = ratio >= 4 ? (uint32_t)(ratio / 2) : 1;
    axis->start = (uint32_t)floor(fmin(fmax(0, start), available - 1));
    double end = fmin(ceil(start + length), available);
    uint32_t used = end > axis->start ? (uint32_t)end - axis->start : 1;
    axis->count = (used + axis->box - 1) / axis->box;
    axis->outputs = outputs;

    double step = ratio / axis->box, scale = fmax(1, step), reach = LOBES * scale;
    uint32_t most = (uint32_t)(2 * reach) + 3;
    axis->taps = calloc(outputs, sizeof *axis->taps);
    axis->weights = malloc((size_t)outputs * most * sizeof *axis->weights);
    double *values = malloc(most * sizeof *values);
    if (!axis->taps || !axis->weights || !values) {
        free(values);
        return false;
    }
    float *weights = axis->weights;
    if (ratio == 1 && start == floor(start)) {
        // Nothing to scale: the pixels stay as they are.
        *weights = 1;
        for (uint32_t i = 0; i < outputs; i++)
            axis->taps[i] = (struct taps){.first = i < axis->count ? i : axis->count - 1, 1, 0, 1, weights};
        free(values);
        return true;
    }
    for (uint32_t i = 0; i < outputs; i++) {
        double center = (start - axis->start) / axis->box + (i + 0.5) * step - 0.5;
        long first = (long)fmax(0, ceil(center - reach)), last = (long)fmin(axis->count - 1, floor(center + reach));
        long near_first = (long)fmax(0, ceil(center - scale)), near_last = (long)fmin(axis->count - 1, floor(center + scale));
        if (first > last) first = last = (long)fmin(fmax(0, center), axis->count - 1);
        if (near_first > near_last) near_first = near_last = first;
        double sum = 0;
        for (long j = first; j <= last; j++) {
            double weight = kernel((j - center) / scale);
            sum += weight;
            values[j - first] = weight;
        }
        struct taps *taps = &axis->taps[i];
        taps->first = (uint32_t)first;
        taps->count = (uint32_t)(last - first + 1);
        taps->near_first = (uint32_t)(near_first - first);
        taps->near_count = (uint32_t)(near_last - near_first + 1);
        taps->weights = weights;
        for (long j = first; j <= last; j++) *weights++ = (float)(sum != 0 ? values[j - first] / sum : 1);
    }
    free(values);
    return true;
}
