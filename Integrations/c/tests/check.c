/* Tests liboffstage as a C program uses it. Run by ../test.py, alone and under valgrind. */
#include <glib/gstdio.h>
#include <offstage.h>
#include <string.h>

/* ---- One request's end ---- */

typedef struct {
    const char *name;
    int calls;
    OffstagePicture *picture;
    GError *error;
    GThread *thread;
    GPtrArray *order; /* the names of ended requests, in order; NULL if the test does not need it */
} End;

static void on_ready(OffstagePicture *picture, const GError *error, gpointer data) {
    End *end = data;
    end->calls++;
    g_assert_true((picture == NULL) != (error == NULL));
    if (picture) end->picture = offstage_picture_ref(picture);
    if (error) end->error = g_error_copy(error);
    end->thread = g_thread_self();
    if (end->order) g_ptr_array_add(end->order, (gpointer)end->name);
}

static void wait_for(End *end) {
    while (!end->calls) g_main_context_iteration(NULL, TRUE);
    g_assert_cmpint(end->calls, ==, 1);
}

static void clear(End *end) {
    offstage_picture_unref(end->picture);
    g_clear_error(&end->error);
    *end = (End){0};
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})
#define assert_code(end, c) g_assert_error((end)->error, OFFSTAGE_ERROR, OFFSTAGE_ERROR_##c)

static OffstageRenderer *new_renderer(const char *const *settings) {
    GError *error = NULL;
    OffstageRenderer *renderer = offstage_renderer_new(settings, &error);
    g_assert_no_error(error);
    g_assert_nonnull(renderer);
    return renderer;
}

static void ended(gpointer data) { *(gboolean *)data = TRUE; }

static void finish(OffstageRenderer *renderer) {
    gboolean is_over = FALSE;
    offstage_renderer_finish(renderer, ended, &is_over);
    while (!is_over) g_main_context_iteration(NULL, TRUE);
    offstage_renderer_free(renderer);
}

/* Shared by all tests except those that start or end a renderer. */
static OffstageRenderer *shared;

static OffstagePicture *drawn(const char *const *options) {
    End end = {0};
    GError *error = NULL;
    g_assert_cmpuint(offstage_renderer_draw(shared, options, on_ready, &end, &error), >, 0);
    g_assert_no_error(error);
    wait_for(&end);
    g_assert_no_error(end.error);
    return end.picture;
}

static void assert_pixel(OffstagePicture *picture, int x, int y, int blue, int green, int red, int alpha) {
    int stride = 0;
    const guint8 *pixel = offstage_picture_get_pixels(picture, &stride);
    g_assert_nonnull(pixel);
    g_assert_cmpint(stride, >=, 4 * offstage_picture_get_width(picture));
    pixel += y * stride + 4 * x;
    g_assert_cmpint(pixel[0], ==, blue);
    g_assert_cmpint(pixel[1], ==, green);
    g_assert_cmpint(pixel[2], ==, red);
    g_assert_cmpint(pixel[3], ==, alpha);
}

/* ---- Settings and options ---- */

static void refuse_settings(const char *const *settings, const char *word) {
    GError *error = NULL;
    g_assert_null(offstage_renderer_new(settings, &error));
    g_assert_error(error, OFFSTAGE_ERROR, OFFSTAGE_ERROR_INVALID);
    if (!strstr(error->message, word)) g_error("'%s' does not say %s", error->message, word);
    g_clear_error(&error);
    g_assert_null(offstage_renderer_new(settings, NULL));
}

static gpointer make_elsewhere(gpointer data) {
    (void)data;
    refuse_settings(NULL, "main thread");
    return NULL;
}

static void test_settings(void) {
    g_assert_cmpstr(offstage_version(), !=, "");
    refuse_settings(LIST("speed", "10"), "\"speed\"");
    refuse_settings(LIST("views", "none"), "\"views\" takes a number");
    refuse_settings(LIST("views", "0"), "1 to 64");
    refuse_settings(LIST("views", "1", "views", "2"), "twice");
    refuse_settings(LIST("views"), "no value");
    refuse_settings(LIST("cache-limit", "10"), "\"cache\"");
    refuse_settings(LIST("width", "0"), "\"width\"");
    refuse_settings(LIST("sandbox", "perhaps"), "\"never\"");
    refuse_settings(LIST("allow-host", "http://a/b"), "\"allow-host\"");
    g_thread_join(g_thread_new("other", make_elsewhere, NULL));
    offstage_renderer_free(NULL);
    offstage_picture_unref(NULL);
}

static void never(OffstagePicture *picture, const GError *error, gpointer data) {
    (void)picture, (void)error, (void)data;
    g_error("an invalid request was answered");
}

static void refuse(const char *const *options, const char *word) {
    GError *error = NULL;
    g_assert_cmpuint(offstage_renderer_encode(shared, options, never, NULL, &error), ==, 0);
    g_assert_error(error, OFFSTAGE_ERROR, OFFSTAGE_ERROR_INVALID);
    if (!strstr(error->message, word)) g_error("'%s' does not say %s", error->message, word);
    g_clear_error(&error);
    g_assert_null(offstage_renderer_lookup(shared, options, &error));
    g_assert_error(error, OFFSTAGE_ERROR, OFFSTAGE_ERROR_INVALID);
    g_clear_error(&error);
}

static void test_options(void) {
    refuse(LIST("width", "10"), "neither");
    refuse(NULL, "neither");
    refuse(LIST("html", "x", "file", "x.html"), "use one");
    refuse(LIST("html", "x", "colour", "red"), "\"colour\"");
    refuse(LIST("html", "x", "width", "wide"), "\"width\" takes a whole number or \"fit\"");
    refuse(LIST("html", "x", "width", "40000"), "32767");
    refuse(LIST("html", "x", "trim", "maybe"), "\"trim\" takes true or false");
    refuse(LIST("html", "x", "width", "1", "width", "2"), "twice");
    refuse(LIST("html", "x", "width"), "no value");
    refuse(LIST("html", "\xff"), "UTF-8");
    refuse(LIST("html", "x", "identifier", "../x"), "contains . or ..");
    refuse(LIST("html", "x", "priority", "urgent"), "very-high");
    refuse(LIST("html", "x", "deadline", "-1"), "\"deadline\"");
    refuse(LIST("html", "x", "css", "/nonexistent.css"), "/nonexistent.css");
    refuse(LIST("html", "x", "max-memory", "1"), "\"max-memory\"");
    GError *error = NULL;
    g_assert_cmpuint(offstage_renderer_write(shared, LIST("html", "x"), "x.gif", never, NULL, &error), ==, 0);
    g_assert_error(error, OFFSTAGE_ERROR, OFFSTAGE_ERROR_INVALID);
    g_clear_error(&error);
    g_assert_cmpuint(offstage_renderer_write(shared, LIST("html", "x"), "", never, NULL, &error), ==, 0);
    g_clear_error(&error);
    while (g_main_context_iteration(NULL, FALSE)) continue;
}

/* ---- Pictures ---- */

#define BOX(color) "<div style='width:10px;height:8px;background:" color "'></div><style>body{margin:0}</style>"

static void test_pixels(void) {
    OffstagePicture *picture = drawn(LIST("html", BOX("#ff8000"), "width", "30", "scale", "2", "background", "transparent"));
    g_assert_cmpint(offstage_picture_get_width(picture), ==, 60);
    g_assert_cmpint(offstage_picture_get_height(picture), ==, 16);
    g_assert_cmpfloat(offstage_picture_get_scale(picture), ==, 2);
    g_assert_cmpint(offstage_picture_get_part(picture), ==, 0);
    g_assert_true(offstage_picture_is_complete(picture));
    assert_pixel(picture, 0, 0, 0, 128, 255, 255);
    assert_pixel(picture, 19, 15, 0, 128, 255, 255);
    assert_pixel(picture, 20, 15, 0, 0, 0, 0);
    g_assert_null(offstage_picture_get_bytes(picture, NULL));
    g_assert_null(offstage_picture_get_path(picture));
    g_assert_null(offstage_picture_get_format(picture));
    g_assert_null(offstage_picture_get_next(picture));
    g_assert_nonnull(strstr(offstage_picture_get_report(picture), "\"status\":\"drawn\""));
    offstage_picture_unref(picture);
    picture = drawn(LIST("html", BOX("rgba(255,255,255,0.5)"), "width", "10", "background", "transparent"));
    int stride;
    const guint8 *pixel = offstage_picture_get_pixels(picture, &stride);
    g_assert_cmpint(ABS(pixel[3] - 128), <=, 1);
    g_assert_cmpint(pixel[0], ==, pixel[3]); /* premultiplied */
    offstage_picture_unref(picture);
    picture = drawn(LIST("html", "<img src=missing.png>" BOX("red"), "identifier", "lacks/1"));
    g_assert_false(offstage_picture_is_complete(picture));
    g_assert_nonnull(strstr(offstage_picture_get_report(picture), "\"identifier\":\"lacks/1\""));
    g_assert_nonnull(strstr(offstage_picture_get_report(picture), "missing.png"));
    offstage_picture_unref(picture);
}

static void test_bytes(void) {
    End end = {0};
    g_assert_cmpuint(
        offstage_renderer_encode(
            shared,
            LIST("html", BOX("red") "<p class=part>a<p class=part>b", "selector", "div, .part", "each", "true", "width",
                 "50", "also", "thumb:5x5:jpeg", "also", "webp"),
            on_ready, &end, NULL),
        >, 0);
    wait_for(&end);
    g_assert_no_error(end.error);
    static const char *const formats[] = {"png", "jpeg", "webp"};
    static const char *const starts[] = {"\x89PNG", "\xff\xd8\xff", "RIFF"};
    int count = 0;
    for (OffstagePicture *next = end.picture; next; next = offstage_picture_get_next(next), count++) {
        gsize length = 0;
        const guint8 *bytes = offstage_picture_get_bytes(next, &length);
        g_assert_cmpuint(length, >, 20);
        g_assert_cmpmem(bytes, 3, starts[count % 3], 3);
        g_assert_cmpstr(offstage_picture_get_format(next), ==, formats[count % 3]);
        g_assert_cmpint(offstage_picture_get_part(next), ==, count / 3 + 1);
        if (count % 3 == 1) g_assert_cmpint(offstage_picture_get_width(next), <=, 5);
        g_assert_null(offstage_picture_get_pixels(next, NULL));
    }
    g_assert_cmpint(count, ==, 9);
    clear(&end);
}

static void test_file(void) {
    char *folder = g_dir_make_tmp("offstage-check-XXXXXX", NULL);
    char *path = g_build_filename(folder, "deep", "er", "box.webp", NULL);
    End end = {0};
    g_assert_cmpuint(
        offstage_renderer_write(shared, LIST("html", BOX("red"), "also", "2x:png"), path, on_ready, &end, NULL), >, 0);
    wait_for(&end);
    g_assert_no_error(end.error);
    g_assert_cmpstr(offstage_picture_get_path(end.picture), ==, path);
    g_assert_cmpstr(offstage_picture_get_format(end.picture), ==, "webp");
    OffstagePicture *large = offstage_picture_get_next(end.picture);
    g_assert_true(g_str_has_suffix(offstage_picture_get_path(large), "/deep/er/box@2x.png"));
    g_assert_cmpfloat(offstage_picture_get_scale(large), ==, 2);
    char *text;
    gsize length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    g_assert_cmpmem(text, 4, "RIFF", 4);
    g_free(text);
    /* The path's extension sets the format of a thumbnail, too. */
    End thumbnail = {0};
    char *small = g_build_filename(folder, "deep", "er", "small.jpg", NULL);
    offstage_renderer_write(shared, LIST("html", BOX("red"), "format", "thumb:20x20"), small, on_ready, &thumbnail, NULL);
    wait_for(&thumbnail);
    g_assert_no_error(thumbnail.error);
    g_assert_cmpstr(offstage_picture_get_format(thumbnail.picture), ==, "jpeg");
    g_assert_true(g_file_get_contents(small, &text, &length, NULL));
    g_assert_cmpmem(text, 3, "\xff\xd8\xff", 3);
    g_free(text);
    g_remove(small);
    g_free(small);
    clear(&thumbnail);
    g_assert_true(g_file_test(offstage_picture_get_path(large), G_FILE_TEST_IS_REGULAR));
    g_remove(offstage_picture_get_path(large));
    g_remove(path);
    clear(&end);
    /* A file where a folder is needed. */
    char *blocked = g_build_filename(folder, "deep", "er", "file", "box.png", NULL);
    char *file = g_path_get_dirname(blocked), *parent = g_path_get_dirname(file), *top = g_path_get_dirname(parent);
    g_assert_true(g_file_set_contents(file, "x", 1, NULL));
    g_assert_cmpuint(offstage_renderer_write(shared, LIST("html", BOX("red")), blocked, on_ready, &end, NULL), >, 0);
    wait_for(&end);
    assert_code(&end, NOT_WRITTEN);
    clear(&end);
    g_remove(file), g_rmdir(parent), g_rmdir(top), g_rmdir(folder);
    g_free(file), g_free(parent), g_free(top), g_free(blocked), g_free(path), g_free(folder);
}

static void test_errors(void) {
    End end = {0};
    offstage_renderer_draw(shared, LIST("file", "/nonexistent/page.html"), on_ready, &end, NULL);
    g_assert_cmpint(end.calls, ==, 0); /* never from within the call */
    wait_for(&end);
    assert_code(&end, UNREADABLE);
    g_assert_nonnull(strstr(end.error->message, "/nonexistent/page.html"));
    clear(&end);
    offstage_renderer_draw(
        shared, LIST("html", "<!doctype html><style>body{margin:0}</style><i hidden id=secret></i>", "identifier", "row/8"), on_ready, &end, NULL);
    wait_for(&end);
    assert_code(&end, NOT_DRAWN);
    g_assert_nonnull(strstr(end.error->message, "row/8"));
    g_assert_nonnull(strstr(end.error->message, "no height"));
    g_assert_null(strstr(end.error->message, "secret"));
    clear(&end);
    offstage_renderer_draw(shared, LIST("html", " \n", "identifier", "row/9"), on_ready, &end, NULL);
    wait_for(&end);
    assert_code(&end, UNREADABLE);
    clear(&end);
    guint64 lease = offstage_renderer_suspend(shared, 0);
    offstage_renderer_draw(shared, LIST("html", "late", "deadline", "0.05"), on_ready, &end, NULL);
    wait_for(&end);
    assert_code(&end, LATE);
    clear(&end);
    offstage_renderer_resume(shared, lease);
}

static void test_lookup(void) {
    const char *const *options = LIST("html", BOX("#010203") "<!-- looked up -->", "width", "12");
    GError *error = NULL;
    g_assert_null(offstage_renderer_lookup(shared, options, &error));
    g_assert_no_error(error);
    OffstagePicture *picture = drawn(options);
    OffstagePicture *found = offstage_renderer_lookup(shared, options, &error);
    g_assert_no_error(error);
    g_assert_nonnull(found);
    assert_pixel(found, 0, 0, 3, 2, 1, 255);
    g_assert_cmpint(offstage_renderer_get_statistic(shared, "memoryPictures"), >, 0);
    offstage_renderer_trim_memory(shared, 0);
    g_assert_null(offstage_renderer_lookup(shared, options, NULL));
    g_assert_cmpint(offstage_renderer_get_statistic(shared, "memoryBytes"), ==, 0);
    g_assert_cmpint(offstage_renderer_get_statistic(shared, "nonsense"), ==, -1);
    assert_pixel(found, 0, 0, 3, 2, 1, 255);
    offstage_picture_unref(found);
    offstage_picture_unref(picture);
}

/* ---- Control ---- */

static void test_cancel(void) {
    guint64 lease = offstage_renderer_suspend(shared, 0);
    g_assert_true(offstage_renderer_is_suspended(shared));
    End ends[5] = {{0}};
    guint64 numbers[5];
    for (int i = 0; i < 5; i++) {
        char html[64];
        g_snprintf(html, sizeof html, "<p>cancel %d", i);
        numbers[i] = offstage_renderer_draw(
            shared, LIST("html", html, "group", i == 1 || i == 2 ? "two" : "others"), on_ready, &ends[i], NULL);
        if (i) g_assert_cmpuint(numbers[i], >, numbers[i - 1]);
    }
    offstage_renderer_cancel(shared, numbers[0]);
    offstage_renderer_cancel(shared, numbers[0]);
    offstage_renderer_cancel_group(shared, "two");
    offstage_renderer_cancel(shared, 123456);
    g_assert_cmpint(ends[0].calls, ==, 0);
    for (int i = 0; i < 3; i++) {
        wait_for(&ends[i]);
        assert_code(&ends[i], CANCELLED);
    }
    g_assert_cmpint(ends[3].calls + ends[4].calls, ==, 0);
    offstage_renderer_resume(shared, lease);
    for (int i = 3; i < 5; i++) {
        wait_for(&ends[i]);
        g_assert_no_error(ends[i].error);
    }
    offstage_renderer_cancel(shared, numbers[4]);
    while (g_main_context_iteration(NULL, FALSE)) continue;
    for (int i = 0; i < 5; i++) {
        g_assert_cmpint(ends[i].calls, ==, 1);
        clear(&ends[i]);
    }
}

static void test_priority(void) {
    OffstageRenderer *renderer = new_renderer(LIST("views", "1", "memory", "0"));
    guint64 lease = offstage_renderer_suspend(renderer, 0);
    GPtrArray *order = g_ptr_array_new();
    End ends[] = {
        {.name = "low", .order = order}, {.name = "normal", .order = order}, {.name = "raised", .order = order},
        {.name = "lowered", .order = order}};
    offstage_renderer_draw(renderer, LIST("html", "1", "priority", "low"), on_ready, &ends[0], NULL);
    offstage_renderer_draw(renderer, LIST("html", "2"), on_ready, &ends[1], NULL);
    guint64 raised = offstage_renderer_draw(renderer, LIST("html", "3", "priority", "very-low"), on_ready, &ends[2], NULL);
    offstage_renderer_draw(renderer, LIST("html", "4", "priority", "high", "group", "g"), on_ready, &ends[3], NULL);
    offstage_renderer_set_priority(renderer, raised, OFFSTAGE_PRIORITY_VERY_HIGH);
    offstage_renderer_set_group_priority(renderer, "g", OFFSTAGE_PRIORITY_VERY_LOW);
    while (offstage_renderer_get_statistic(renderer, "waiting") < 4) g_main_context_iteration(NULL, FALSE);
    offstage_renderer_resume(renderer, lease);
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) wait_for(&ends[i]);
    static const char *const expected[] = {"raised", "normal", "low", "lowered"};
    for (guint i = 0; i < 4; i++) g_assert_cmpstr(order->pdata[i], ==, expected[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) clear(&ends[i]);
    g_ptr_array_unref(order);
    finish(renderer);
}

static void test_suspend(void) {
    guint64 first = offstage_renderer_suspend(shared, 0), second = offstage_renderer_suspend(shared, 0);
    g_assert_cmpuint(first, !=, second);
    End end = {0}, immediate = {0};
    offstage_renderer_draw(shared, LIST("html", "<p>suspended"), on_ready, &end, NULL);
    offstage_renderer_draw(shared, LIST("html", "<p>immediate", "immediate", "true"), on_ready, &immediate, NULL);
    wait_for(&immediate);
    g_assert_no_error(immediate.error);
    offstage_renderer_resume(shared, first);
    offstage_renderer_resume(shared, first);
    g_assert_true(offstage_renderer_is_suspended(shared));
    g_assert_cmpint(end.calls, ==, 0);
    offstage_renderer_resume(shared, second);
    g_assert_false(offstage_renderer_is_suspended(shared));
    wait_for(&end);
    g_assert_no_error(end.error);
    clear(&end), clear(&immediate);
    /* A lease that nobody ends. */
    offstage_renderer_suspend(shared, 0.1);
    g_assert_true(offstage_renderer_is_suspended(shared));
    offstage_renderer_draw(shared, LIST("html", "<p>after a while"), on_ready, &end, NULL);
    wait_for(&end);
    g_assert_no_error(end.error);
    clear(&end);
}

static gpointer draw_elsewhere(gpointer data) {
    GMainContext *context = g_main_context_new();
    g_main_context_push_thread_default(context);
    End end = {0};
    g_assert_cmpuint(offstage_renderer_draw(shared, LIST("html", BOX("#040506")), on_ready, &end, NULL), >, 0);
    while (!end.calls) g_main_context_iteration(context, TRUE);
    g_assert_true(end.thread == g_thread_self());
    assert_pixel(end.picture, 0, 0, 6, 5, 4, 255);
    clear(&end);
    g_main_context_pop_thread_default(context);
    g_main_context_unref(context);
    g_atomic_int_set((gint *)data, 1);
    g_main_context_wakeup(NULL);
    return NULL;
}

static void test_context(void) {
    gint is_over = 0;
    GThread *thread = g_thread_new("other", draw_elsewhere, &is_over);
    while (!g_atomic_int_get(&is_over)) g_main_context_iteration(NULL, TRUE);
    g_thread_join(thread);
}

/* ---- The end ---- */

static void test_free(void) {
    OffstageRenderer *renderer = new_renderer(LIST("views", "1"));
    End drawn_one = {0}, ends[6] = {{0}};
    offstage_renderer_draw(renderer, LIST("html", BOX("#070809")), on_ready, &drawn_one, NULL);
    wait_for(&drawn_one);
    offstage_renderer_suspend(renderer, 0);
    for (int i = 0; i < 6; i++) {
        char html[64];
        g_snprintf(html, sizeof html, "<p>never %d", i);
        if (i % 2)
            offstage_renderer_draw(renderer, LIST("html", html), on_ready, &ends[i], NULL);
        else
            offstage_renderer_encode(renderer, LIST("html", html), on_ready, &ends[i], NULL);
    }
    offstage_renderer_free(renderer);
    for (int i = 0; i < 6; i++) {
        wait_for(&ends[i]);
        assert_code(&ends[i], CANCELLED);
    }
    while (g_main_context_iteration(NULL, FALSE)) continue;
    for (int i = 0; i < 6; i++) {
        g_assert_cmpint(ends[i].calls, ==, 1);
        clear(&ends[i]);
    }
    assert_pixel(drawn_one.picture, 0, 0, 9, 8, 7, 255); /* outlives it */
    clear(&drawn_one);
}

static void test_kept(void) {
    char *folder = g_dir_make_tmp("offstage-check-XXXXXX", NULL);
    const char *const *settings = LIST("cache", folder, "width", "70", "format", "jpeg");
    for (int run = 0; run < 2; run++) {
        OffstageRenderer *renderer = new_renderer(settings);
        End end = {0};
        offstage_renderer_encode(renderer, LIST("html", BOX("red"), "identifier", "kept"), on_ready, &end, NULL);
        wait_for(&end);
        g_assert_no_error(end.error);
        g_assert_cmpint(offstage_picture_get_width(end.picture), ==, 70);
        g_assert_cmpstr(offstage_picture_get_format(end.picture), ==, "jpeg");
        g_assert_cmpint(offstage_renderer_get_statistic(renderer, "drawn"), ==, run ? 0 : 1);
        g_assert_cmpint(strstr(offstage_picture_get_report(end.picture), "\"kept\":true") != NULL, ==, run);
        clear(&end);
        gboolean is_over = FALSE;
        offstage_renderer_finish(renderer, ended, &is_over);
        while (!is_over) g_main_context_iteration(NULL, TRUE);
        offstage_renderer_encode(renderer, LIST("html", "too late"), on_ready, &end, NULL);
        wait_for(&end);
        assert_code(&end, UNAVAILABLE);
        clear(&end);
        offstage_renderer_free(renderer);
    }
    char *remove[] = {"rm", "-r", folder, NULL};
    g_assert_true(g_spawn_sync(NULL, remove, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
    g_free(folder);
}

/* ---- Documents ---- */

typedef struct {
    int calls;
    GBytes *document;
    char *left_out;
    GError *error;
} Saved;

static void on_saved(GBytes *document, const char *left_out, const GError *error, gpointer data) {
    Saved *saved = data;
    saved->calls++;
    g_assert_true((document == NULL) != (error == NULL));
    if (document) saved->document = g_bytes_ref(document);
    saved->left_out = g_strdup(left_out);
    if (error) saved->error = g_error_copy(error);
}

static Saved annotate(const char *const *options) {
    Saved saved = {0};
    GError *error = NULL;
    guint64 number = offstage_renderer_annotate(shared, options, on_saved, &saved, &error);
    g_assert_true((number == 0) == (error != NULL));
    if (error) return (Saved){.error = error};
    while (!saved.calls) g_main_context_iteration(NULL, TRUE);
    g_assert_cmpint(saved.calls, ==, 1);
    return saved;
}

static void clear_saved(Saved *saved) {
    g_clear_pointer(&saved->document, g_bytes_unref);
    g_clear_pointer(&saved->left_out, g_free);
    g_clear_error(&saved->error);
}

static void test_annotate(void) {
    char *folder = g_dir_make_tmp("offstage-XXXXXX", NULL), *score = g_build_filename(folder, "score.pdf", NULL);
    char *output = g_build_filename(folder, "annotated.pdf", NULL), *contents;
    gsize size;
    static const char document[] =
        "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
        "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>\nendobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n"
        "0000000056 00000 n \n0000000111 00000 n \ntrailer\n<</Size 4/Root 1 0 R>>\nstartxref\n179\n%%EOF\n";
    const char *xfdf = "<xfdf><annots><square page=\"0\" rect=\"10,10,90,90\"/><stamp page=\"0\"/></annots></xfdf>";
    g_assert_true(g_file_set_contents(score, document, sizeof document - 1, NULL));
    Saved saved = annotate(LIST("file", score, "xfdf", xfdf, "output", output));
    g_assert_no_error(saved.error);
    g_assert_cmpstr(saved.left_out, ==, "a stamp annotation, page 1");
    g_assert_true(g_file_get_contents(output, &contents, &size, NULL));
    g_assert_cmpmem(contents, size, g_bytes_get_data(saved.document, NULL), g_bytes_get_size(saved.document));
    g_assert_cmpmem(contents, sizeof document - 1, document, sizeof document - 1);
    g_assert_cmpint(size, >, sizeof document);
    g_free(contents);
    clear_saved(&saved);
    const char *const *const wrong[] = {
        LIST("file", score), LIST("xfdf", xfdf), LIST("file", score, "xfdf", xfdf, "output", score),
        LIST("file", score, "xfdf", "<a/>"), LIST("file", score, "xfdf", xfdf, "width", "5"),
        LIST("file", score, "remove", "none-such"),
    };
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        saved = annotate(wrong[i]);
        assert_code(&saved, INVALID);
        clear_saved(&saved);
    }
    saved = annotate(LIST("file", "/none.pdf", "xfdf", xfdf));
    assert_code(&saved, UNREADABLE);
    clear_saved(&saved);
    g_remove(output);
    g_remove(score);
    g_rmdir(folder);
    g_free(output);
    g_free(score);
    g_free(folder);
}

int main(int count, char **arguments) {
    g_test_init(&count, &arguments, NULL);
    g_test_add_func("/settings", test_settings);
    g_test_add_func("/options", test_options);
    g_test_add_func("/pixels", test_pixels);
    g_test_add_func("/bytes", test_bytes);
    g_test_add_func("/file", test_file);
    g_test_add_func("/errors", test_errors);
    g_test_add_func("/annotate", test_annotate);
    g_test_add_func("/lookup", test_lookup);
    g_test_add_func("/cancel", test_cancel);
    g_test_add_func("/priority", test_priority);
    g_test_add_func("/suspend", test_suspend);
    g_test_add_func("/context", test_context);
    g_test_add_func("/free", test_free);
    g_test_add_func("/kept", test_kept);
    shared = new_renderer(NULL);
    int code = g_test_run();
    finish(shared);
    /* A task of the ended renderer may still hold its last files, which valgrind would report as lost. It ends long before a second
     * renderer has drawn. */
    shared = new_renderer(NULL);
    offstage_picture_unref(drawn(LIST("html", BOX("red"))));
    finish(shared);
    return code;
}
