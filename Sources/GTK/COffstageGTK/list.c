#include "parts.h"

// The canvas's accessible object: a list of all rows. Like GTK's own tree view, it manages its descendants: rows are made when
// a client asks for them, and the bridge to the bus neither walks through them nor caches them. A list of 20,000 rows costs
// nothing until then, and a screen reader can announce, for example, "row 3 of 20,000". Child widgets of the canvas are not
// children of the list: each is the child of the row whose picture it replaces.

typedef GtkContainerAccessible OffstageList;
typedef GtkContainerAccessibleClass OffstageListClass;

static void component(AtkComponentIface *interface);
static void selection(AtkSelectionIface *interface);

G_DEFINE_TYPE_WITH_CODE(
    OffstageList, offstage_list, GTK_TYPE_CONTAINER_ACCESSIBLE,
    G_IMPLEMENT_INTERFACE(ATK_TYPE_COMPONENT, component) G_IMPLEMENT_INTERFACE(ATK_TYPE_SELECTION, selection)
        G_IMPLEMENT_INTERFACE(ATK_TYPE_TABLE, offstage_list_init_table))

/// NULL once the widget is destroyed.
static GtkWidget *canvas_of(gpointer accessible) { return gtk_accessible_get_widget(GTK_ACCESSIBLE(accessible)); }

static void initialize(AtkObject *accessible, gpointer data) {
    ATK_OBJECT_CLASS(offstage_list_parent_class)->initialize(accessible, data);
    accessible->role = ATK_ROLE_LIST;
}

static const gchar *get_name(AtkObject *accessible) {
    const gchar *name = ATK_OBJECT_CLASS(offstage_list_parent_class)->get_name(accessible);
    GtkWidget *canvas = canvas_of(accessible);
    return name || !canvas ? name : ((OffstageCanvas *)canvas)->name;
}

static gint get_n_children(AtkObject *accessible) { return OFFSTAGE_CALL(canvas_of(accessible), 0, count); }

static AtkObject *ref_child(AtkObject *accessible, gint index) {
    return OFFSTAGE_CALL(canvas_of(accessible), NULL, ref_row, index);
}

static AtkStateSet *ref_state_set(AtkObject *accessible) {
    AtkStateSet *states = ATK_OBJECT_CLASS(offstage_list_parent_class)->ref_state_set(accessible);
    atk_state_set_add_state(states, ATK_STATE_MANAGES_DESCENDANTS);
    if (OFFSTAGE_CALL(canvas_of(accessible), 0, selectable) == 2)
        atk_state_set_add_state(states, ATK_STATE_MULTISELECTABLE);
    return states;
}

/// Replaces GTK's handlers, which would notify clients of a child with its index among the widgets.
static gint ignore_widget(GtkContainer *container, GtkWidget *widget, gpointer data) {
    (void)container, (void)widget, (void)data;
    return 0;
}

static void offstage_list_class_init(OffstageListClass *class) {
    class->add_gtk = ignore_widget;
    class->remove_gtk = ignore_widget;
    AtkObjectClass *object = ATK_OBJECT_CLASS(class);
    object->initialize = initialize;
    object->get_name = get_name;
    object->get_n_children = get_n_children;
    object->ref_child = ref_child;
    object->ref_state_set = ref_state_set;
}

static void offstage_list_init(OffstageList *list) { (void)list; }

// Without this, ATK would ask all rows for their boxes.
static AtkObject *ref_accessible_at_point(AtkComponent *object, gint x, gint y, AtkCoordType type) {
    GtkWidget *canvas = canvas_of(object);
    int left, top, width, height;
    atk_component_get_extents(object, &left, &top, &width, &height, type);
    if (x < left || y < top || x - left >= width || y - top >= height) return NULL;
    int row = OFFSTAGE_CALL(canvas, -1, row_at, x - left, y - top);
    return row < 0 ? NULL : OFFSTAGE_CALL(canvas, NULL, ref_row, row);
}

static void component(AtkComponentIface *interface) { interface->ref_accessible_at_point = ref_accessible_at_point; }

// The selection. Numbers come from other programs and may be invalid.

static gboolean add_selection(AtkSelection *list, gint index) {
    return index >= 0 && OFFSTAGE_CALL(canvas_of(list), FALSE, select, index);
}

static gboolean clear_selection(AtkSelection *list) {
    return OFFSTAGE_CALL(canvas_of(list), FALSE, select_all, FALSE);
}

static int selected_at(AtkSelection *list, gint number) {
    return OFFSTAGE_CALL(canvas_of(list), -1, selected_at, number);
}

static AtkObject *ref_selection(AtkSelection *list, gint number) {
    int row = selected_at(list, number);
    return row < 0 ? NULL : OFFSTAGE_CALL(canvas_of(list), NULL, ref_row, row);
}

static gint get_selection_count(AtkSelection *list) { return OFFSTAGE_CALL(canvas_of(list), 0, selected_count); }

static gboolean is_child_selected(AtkSelection *list, gint index) {
    return OFFSTAGE_CALL(canvas_of(list), FALSE, is_selected, index);
}

static gboolean remove_selection(AtkSelection *list, gint number) {
    int row = selected_at(list, number);
    return row >= 0 && OFFSTAGE_CALL(canvas_of(list), FALSE, deselect, row);
}

static gboolean select_all_selection(AtkSelection *list) {
    return OFFSTAGE_CALL(canvas_of(list), FALSE, select_all, TRUE);
}

static void selection(AtkSelectionIface *interface) {
    interface->add_selection = add_selection;
    interface->clear_selection = clear_selection;
    interface->ref_selection = ref_selection;
    interface->get_selection_count = get_selection_count;
    interface->is_child_selected = is_child_selected;
    interface->remove_selection = remove_selection;
    interface->select_all_selection = select_all_selection;
}

// Notifications. The owner of the canvas sends them only if the list is watched.

void offstage_canvas_set_name(GtkWidget *widget, const char *name) {
    OffstageCanvas *canvas = (OffstageCanvas *)widget;
    g_free(canvas->name);
    canvas->name = g_strdup(name);
    if (canvas->is_watched) g_object_notify((GObject *)gtk_widget_get_accessible(widget), "accessible-name");
}

void offstage_canvas_rows_inserted(GtkWidget *canvas, int row, int count) {
    AtkObject *list = gtk_widget_get_accessible(canvas);
    // Clients don't cache the children of a list that manages its descendants, so one signal for all is enough.
    AtkObject *first = count > 0 ? OFFSTAGE_CALL(canvas, NULL, ref_row, row) : NULL;
    if (!first) return;
    g_signal_emit_by_name(list, "children-changed::add", row, first, NULL);
    g_object_unref(first);
}

void offstage_canvas_rows_removed(GtkWidget *canvas, int row, int count) {
    if (count > 0) g_signal_emit_by_name(gtk_widget_get_accessible(canvas), "children-changed::remove", row, NULL, NULL);
}

void offstage_canvas_selection_changed(GtkWidget *canvas) {
    g_signal_emit_by_name(gtk_widget_get_accessible(canvas), "selection-changed", NULL);
}

void offstage_canvas_focus_moved(GtkWidget *canvas, AtkObject *row) {
    g_signal_emit_by_name(gtk_widget_get_accessible(canvas), "active-descendant-changed", row, NULL);
}
