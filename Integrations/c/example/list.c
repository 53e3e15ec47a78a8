/* list FOLDER [--once]: a list of pictures of HTML files, drawn off screen in the window's own main loop. While it scrolls, no
 * drawing starts. With --once, it scrolls through all rows once, prints their number, and ends. */
#include <gtk/gtk.h>
#include <offstage.h>
#include <string.h>

enum { ROWS = 60, WIDTH = 360, ROW_HEIGHT = 120 };

typedef struct {
    char *html;
    char identifier[32];
    GtkWidget *area;
    OffstagePicture *picture;
    guint64 request;
} Row;

static OffstageRenderer *renderer;
static Row rows[ROWS];
static const char *folder;
static GtkAdjustment *adjustment;
static guint64 lease;
static guint rest;
static int shown, failed, suspended;
static gboolean once;

static void on_ready(OffstagePicture *picture, const GError *error, gpointer data) {
    Row *row = data;
    row->request = 0;
    if (picture) {
        row->picture = offstage_picture_ref(picture);
        shown++;
        gtk_widget_queue_draw(row->area);
    } else if (!g_error_matches(error, OFFSTAGE_ERROR, OFFSTAGE_ERROR_CANCELLED)) {
        g_printerr("%s\n", error->message);
        failed++;
    }
}

static gboolean on_draw(GtkWidget *area, cairo_t *cairo, gpointer data) {
    (void)area;
    Row *row = data;
    char width[8], scale[8];
    g_snprintf(width, sizeof width, "%d", WIDTH);
    g_snprintf(scale, sizeof scale, "%d", gtk_widget_get_scale_factor(area));
    const char *options[] = {"html",   row->html, "base",  folder, "identifier", row->identifier, "width",    width,
                             "height", "120",     "scale", scale,  "group",      "list",          "priority", "high", NULL};
    GError *error = NULL;
    if (!row->picture) row->picture = offstage_renderer_lookup(renderer, options, &error);
    if (!row->picture && !row->request && !error)
        row->request = offstage_renderer_draw(renderer, options, on_ready, row, &error);
    if (error) {
        g_printerr("%s\n", error->message);
        g_clear_error(&error);
        failed++;
    }
    if (!row->picture) return FALSE;
    int stride;
    const guint8 *pixels = offstage_picture_get_pixels(row->picture, &stride);
    /* cairo only reads a source; the picture outlives the surface. */
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (guint8 *)pixels, CAIRO_FORMAT_ARGB32, offstage_picture_get_width(row->picture),
        offstage_picture_get_height(row->picture), stride);
    double factor = offstage_picture_get_scale(row->picture);
    cairo_surface_set_device_scale(surface, factor, factor);
    cairo_set_source_surface(cairo, surface, 0, 0);
    cairo_paint(cairo);
    cairo_surface_destroy(surface);
    return FALSE;
}

static gboolean on_rest(gpointer data) {
    (void)data;
    rest = 0;
    offstage_renderer_resume(renderer, lease);
    lease = 0;
    return G_SOURCE_REMOVE;
}

static void on_scroll(GtkAdjustment *moved, gpointer data) {
    (void)moved;
    (void)data;
    /* The time limit ends the lease in case this program forgets to. */
    if (!lease) lease = offstage_renderer_suspend(renderer, 10);
    if (offstage_renderer_is_suspended(renderer)) suspended++;
    if (rest) g_source_remove(rest);
    rest = g_timeout_add(80, on_rest, NULL);
}

static void end(gpointer data) {
    (void)data;
    gtk_main_quit();
}

static gboolean step(gpointer data) {
    (void)data;
    double last = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment);
    if (gtk_adjustment_get_value(adjustment) < last) {
        /* Scrolls by a page, once everything visible has been drawn. */
        if (lease || offstage_renderer_get_statistic(renderer, "underWay") > 0) return G_SOURCE_CONTINUE;
        gtk_adjustment_set_value(
            adjustment, gtk_adjustment_get_value(adjustment) + gtk_adjustment_get_page_size(adjustment) / 2);
        return G_SOURCE_CONTINUE;
    }
    if (lease || offstage_renderer_get_statistic(renderer, "underWay") > 0) return G_SOURCE_CONTINUE;
    offstage_renderer_finish(renderer, end, NULL);
    return G_SOURCE_REMOVE;
}

static void read_rows(void) {
    GDir *files = g_dir_open(folder, 0, NULL);
    GPtrArray *pages = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while (files && (name = g_dir_read_name(files))) {
        char *path = g_build_filename(folder, name, NULL), *html;
        if (g_str_has_suffix(name, ".html") && g_file_get_contents(path, &html, NULL, NULL)) g_ptr_array_add(pages, html);
        g_free(path);
    }
    for (int i = 0; pages->len && i < ROWS; i++) {
        rows[i].html = g_strdup_printf("%s<p>Row %d", (char *)pages->pdata[(guint)i % pages->len], i + 1);
        g_snprintf(rows[i].identifier, sizeof rows[i].identifier, "row/%d", i + 1);
    }
    g_ptr_array_unref(pages);
    if (files) g_dir_close(files);
}

int main(int count, char **arguments) {
    gtk_init(&count, &arguments);
    if (count < 2) {
        g_printerr("list FOLDER [--once]\n");
        return 2;
    }
    once = count > 2 && strcmp(arguments[2], "--once") == 0;
    folder = arguments[1];
    read_rows();
    if (!rows[0].html) {
        g_printerr("there is no .html file in %s\n", folder);
        return 2;
    }
    GError *error = NULL;
    renderer = offstage_renderer_new(NULL, &error);
    if (!renderer) g_error("%s", error->message);

    GtkWidget *window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    gtk_window_set_default_size(GTK_WINDOW(window), WIDTH + 20, 600);
    GtkWidget *scroller = gtk_scrolled_window_new(NULL, NULL);
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
    for (int i = 0; i < ROWS; i++) {
        rows[i].area = gtk_drawing_area_new();
        gtk_widget_set_size_request(rows[i].area, WIDTH, ROW_HEIGHT);
        g_signal_connect(rows[i].area, "draw", G_CALLBACK(on_draw), &rows[i]);
        gtk_box_pack_start(GTK_BOX(box), rows[i].area, FALSE, FALSE, 0);
    }
    gtk_container_add(GTK_CONTAINER(scroller), box);
    gtk_container_add(GTK_CONTAINER(window), scroller);
    adjustment = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
    g_signal_connect(adjustment, "value-changed", G_CALLBACK(on_scroll), NULL);
    g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
    gtk_widget_show_all(window);
    if (once) g_timeout_add(20, step, NULL);
    gtk_main();

    if (once) g_print("%d rows shown, %d failed, suspended at %d steps\n", shown, failed, suspended);
    for (int i = 0; i < ROWS; i++) {
        offstage_picture_unref(rows[i].picture);
        g_free(rows[i].html);
    }
    offstage_renderer_free(renderer);
    return failed > 0;
}
