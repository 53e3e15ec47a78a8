/* draw PAGE.html PICTURE.png [OPTION VALUE]...: renders an HTML file, in a program with a main loop but without a window. */
#include <offstage.h>
#include <stdio.h>

static GMainLoop *loop;
static int code = 1;

static void end(gpointer data) {
    (void)data;
    g_main_loop_quit(loop);
}

static void on_ready(OffstagePicture *picture, const GError *error, gpointer renderer) {
    if (picture) {
        printf("%s: %d x %d px\n", offstage_picture_get_path(picture), offstage_picture_get_width(picture),
               offstage_picture_get_height(picture));
        if (!offstage_picture_is_complete(picture)) fprintf(stderr, "%s\n", offstage_picture_get_report(picture));
        code = 0;
    } else {
        fprintf(stderr, "draw: %s\n", error->message);
    }
    offstage_renderer_finish(renderer, end, NULL);
}

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "draw PAGE.html PICTURE.png [OPTION VALUE]...\n");
        return 2;
    }
    GError *error = NULL;
    OffstageRenderer *renderer = offstage_renderer_new(NULL, &error);
    if (renderer) {
        GPtrArray *options = g_ptr_array_new();
        g_ptr_array_add(options, "file");
        g_ptr_array_add(options, arguments[1]);
        for (int i = 3; i < count; i++) g_ptr_array_add(options, arguments[i]);
        g_ptr_array_add(options, NULL);
        const char *const *list = (const char *const *)options->pdata;
        if (offstage_renderer_write(renderer, list, arguments[2], on_ready, renderer, &error)) {
            loop = g_main_loop_new(NULL, FALSE);
            g_main_loop_run(loop);
            g_main_loop_unref(loop);
        }
        g_ptr_array_unref(options);
    }
    if (error) fprintf(stderr, "draw: %s\n", error->message);
    g_clear_error(&error);
    offstage_renderer_free(renderer);
    return code;
}
