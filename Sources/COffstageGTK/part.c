#include "parts.h"

// The accessible object of something that is drawn and is not a widget.

typedef struct {
    AtkObject parent;
    /// A weak pointer, cleared when the canvas is destroyed.
    GtkWidget *canvas;
    int row, link;
    GdkRectangle box;
    gboolean is_selected;
    /// Elements are AtkObjects.
    GPtrArray *children;
} OffstagePart;

typedef AtkObjectClass OffstagePartClass;

static void component(AtkComponentIface *interface);
static void action(AtkActionIface *interface);

GType offstage_part_get_type(void);
G_DEFINE_TYPE_WITH_CODE(
    OffstagePart, offstage_part, ATK_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE(ATK_TYPE_COMPONENT, component) G_IMPLEMENT_INTERFACE(ATK_TYPE_ACTION, action))

static void finalize(GObject *object) {
    OffstagePart *part = (OffstagePart *)object;
    if (part->canvas) g_object_remove_weak_pointer(G_OBJECT(part->canvas), (gpointer *)&part->canvas);
    g_ptr_array_unref(part->children);
    G_OBJECT_CLASS(offstage_part_parent_class)->finalize(object);
}

static gint get_n_children(AtkObject *object) { return ((OffstagePart *)object)->children->len; }

static AtkObject *ref_child(AtkObject *object, gint index) {
    GPtrArray *children = ((OffstagePart *)object)->children;
    return index >= 0 && (guint)index < children->len ? g_object_ref(children->pdata[index]) : NULL;
}

static gint get_index_in_parent(AtkObject *object) {
    AtkObject *parent = atk_object_get_parent(object);
    for (int i = 0, count = parent ? atk_object_get_n_accessible_children(parent) : 0; i < count; i++) {
        AtkObject *child = atk_object_ref_accessible_child(parent, i);
        gboolean is_it = child == object;
        if (child) g_object_unref(child);
        if (is_it) return i;
    }
    return -1;
}

static AtkStateSet *ref_state_set(AtkObject *object) {
    OffstagePart *part = (OffstagePart *)object;
    AtkStateSet *states = ATK_OBJECT_CLASS(offstage_part_parent_class)->ref_state_set(object);
    if (!part->canvas) {
        atk_state_set_add_state(states, ATK_STATE_DEFUNCT);
        return states;
    }
    atk_state_set_add_state(states, ATK_STATE_ENABLED);
    atk_state_set_add_state(states, ATK_STATE_SENSITIVE);
    atk_state_set_add_state(states, ATK_STATE_VISIBLE);
    if (gtk_widget_get_mapped(part->canvas)) atk_state_set_add_state(states, ATK_STATE_SHOWING);
    if (part->link < 0) atk_state_set_add_state(states, ATK_STATE_SELECTABLE);
    if (part->is_selected) {
        atk_state_set_add_state(states, ATK_STATE_SELECTED);
        if (gtk_widget_has_focus(part->canvas)) atk_state_set_add_state(states, ATK_STATE_FOCUSED);
    }
    return states;
}

static void offstage_part_class_init(OffstagePartClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize;
    AtkObjectClass *object = ATK_OBJECT_CLASS(class);
    object->get_n_children = get_n_children;
    object->ref_child = ref_child;
    object->get_index_in_parent = get_index_in_parent;
    object->ref_state_set = ref_state_set;
}

static void offstage_part_init(OffstagePart *part) { part->children = g_ptr_array_new_with_free_func(g_object_unref); }

static void get_extents(AtkComponent *object, gint *x, gint *y, gint *width, gint *height, AtkCoordType type) {
    OffstagePart *part = (OffstagePart *)object;
    *x = *y = *width = *height = -1;
    if (!part->canvas || !gtk_widget_get_realized(part->canvas)) return;
    int left = 0, top = 0;
    GdkWindow *window = gtk_widget_get_window(part->canvas);
    gdk_window_get_origin(window, &left, &top);
    if (type == ATK_XY_WINDOW) {
        int window_left = 0, window_top = 0;
        gdk_window_get_origin(gdk_window_get_toplevel(window), &window_left, &window_top);
        left -= window_left;
        top -= window_top;
    }
    *x = left + part->box.x;
    *y = top + part->box.y;
    *width = part->box.width;
    *height = part->box.height;
}

static void component(AtkComponentIface *interface) { interface->get_extents = get_extents; }

static gboolean do_action(AtkAction *object, gint index) {
    OffstagePart *part = (OffstagePart *)object;
    if (index != 0 || !part->canvas) return FALSE;
    offstage_canvas_activate(part->canvas, part->row, part->link);
    return TRUE;
}

static gint get_n_actions(AtkAction *object) {
    (void)object;
    return 1;
}

static const gchar *get_action_name(AtkAction *object, gint index) {
    if (index != 0) return NULL;
    return ((OffstagePart *)object)->link < 0 ? "activate" : "jump";
}

static void action(AtkActionIface *interface) {
    interface->do_action = do_action;
    interface->get_n_actions = get_n_actions;
    interface->get_name = get_action_name;
}

AtkObject *offstage_part_new(GtkWidget *canvas, AtkRole role, int row, int link) {
    OffstagePart *part = g_object_new(offstage_part_get_type(), NULL);
    part->canvas = canvas;
    g_object_add_weak_pointer(G_OBJECT(canvas), (gpointer *)&part->canvas);
    part->row = row;
    part->link = link;
    atk_object_set_role(ATK_OBJECT(part), role);
    return ATK_OBJECT(part);
}

void offstage_part_set_box(AtkObject *object, int x, int y, int width, int height) {
    ((OffstagePart *)object)->box = (GdkRectangle){x, y, width, height};
}

void offstage_part_set_row(AtkObject *object, int row) { ((OffstagePart *)object)->row = row; }

void offstage_part_set_selected(AtkObject *object, gboolean selected) {
    OffstagePart *part = (OffstagePart *)object;
    if (part->is_selected == selected) return;
    part->is_selected = selected;
    atk_object_notify_state_change(object, ATK_STATE_SELECTED, selected);
}

void offstage_part_set_children(AtkObject *object, AtkObject **children, int count) {
    OffstagePart *part = (OffstagePart *)object;
    if (offstage_parts_replace(part->children, object, children, count)) offstage_parts_tell(part->children, object);
}

gboolean offstage_parts_replace(GPtrArray *old, AtkObject *parent, AtkObject **parts, int count) {
    gboolean is_same = old->len == (guint)count;
    for (int i = 0; is_same && i < count; i++) is_same = old->pdata[i] == parts[i];
    if (is_same) return FALSE;
    for (int i = 0; i < count; i++) {
        g_object_ref(parts[i]);
        atk_object_set_parent(parts[i], parent);
    }
    g_ptr_array_set_size(old, 0);
    for (int i = 0; i < count; i++) g_ptr_array_add(old, parts[i]);
    return TRUE;
}

void offstage_parts_tell(GPtrArray *parts, AtkObject *parent) {
    for (guint i = 0; i < parts->len; i++)
        g_signal_emit_by_name(parent, "children-changed::add", i, parts->pdata[i], NULL);
}
