// The worker program that decodes image files.
#include <offstage_worker.h>

static void draw(const struct offstage_worker_job *job, struct offstage_worker_reply *reply) {
    (void)job;
    offstage_worker_fail(reply, OFFSTAGE_WIRE_FIRST_CODE, 0, 0);
}

int main(void) { return offstage_worker_run(&(struct offstage_worker_program){.draw = draw}); }
