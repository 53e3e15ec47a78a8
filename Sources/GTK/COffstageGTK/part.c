#include "parts.h"

// The base class of the accessible objects of rows and links, which are drawn and are not widgets. Numbers, boxes and states
// are looked up when a client asks.

static void component(AtkComponentIface *interface);
static void action(AtkActionIface *interface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE(
    OffstagePart, offstage_part, ATK_TYPE_OBJECT,
    G_IMPLEMENT_INTERFACE(ATK_TYPE_COMPONENT, component) G_IMPLEMENT_INTERFACE(ATK_TYPE_ACTION, action)
        G_IMPLEMENT_INTERFACE(ATK_TYPE_TEXT, offstage_part_init_text))

static void finalize(GObject *object) {
    OffstagePart *part = (OffstagePart *)object;
    g_clear_weak_pointer(&part->canvas);
    g_free(part->text);
    G_OBJECT_CLASS(offstage_part_parent_class)->finalize(object);
}

static const gchar *get_name(AtkObject *object) { return ((OffstagePart *)object)->text; }

static AtkStateSet *ref_state_set(AtkObject *object) {
    OffstagePart *part = (OffstagePart *)object;
    AtkStateSet *states = ATK_OBJECT_CLASS(offstage_part_parent_class)->ref_state_set(object);
    // The bridge must not cache an object that its list may drop.
    atk_state_set_add_state(states, ATK_STATE_TRANSIENT);
    if (!part->canvas) {
        atk_state_set_add_state(states, ATK_STATE_DEFUNCT);
        return states;
    }
    if (gtk_widget_is_sensitive(part->canvas)) {
        atk_state_set_add_state(states, ATK_STATE_ENABLED);
        atk_state_set_add_state(states, ATK_STATE_SENSITIVE);
    }
    GdkRectangle box;
    if (gtk_widget_get_mapped(part->canvas) && offstage_part_get_box(part, part->link, &box)
        && box.y + box.height > 0 && box.y < gtk_widget_get_allocated_height(part->canvas)) {
        atk_state_set_add_state(states, ATK_STATE_VISIBLE);
        atk_state_set_add_state(states, ATK_STATE_SHOWING);
    }
    return states;
}

static void offstage_part_class_init(OffstagePartClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize;
    AtkObjectClass *object = ATK_OBJECT_CLASS(class);
    object->get_name = get_name;
    object->ref_state_set = ref_state_set;
}

static void offstage_part_init(OffstagePart *part) { part->text = g_strdup(""); }

void offstage_part_set_up(OffstagePart *part, GtkWidget *canvas, int row, int link, const char *text) {
    g_set_weak_pointer(&part->canvas, canvas);
    part->row = row;
    part->link = link;
    g_free(part->text);
    part->text = g_strdup(text);
    part->length = g_utf8_strlen(text, -1);
}

// The location on the screen.

gboolean offstage_part_get_box(OffstagePart *part, int link, GdkRectangle *box) {
    return OFFSTAGE_CALL(part->canvas, FALSE, get_box, part->row, link, box);
}

void offstage_part_translate(OffstagePart *part, GdkRectangle *box, AtkCoordType type) {
    GdkWindow *window = gtk_widget_get_window(part->canvas);
    int left = 0, top = 0;
    if (type == ATK_XY_PARENT) {
        GdkRectangle row;
        if (part->link < 0 || !offstage_part_get_box(part, -1, &row)) return;
        left = -row.x;
        top = -row.y;
    } else {
        gdk_window_get_origin(window, &left, &top);
    }
    if (type == ATK_XY_WINDOW) {
        int window_left = 0, window_top = 0;
        gdk_window_get_origin(gdk_window_get_toplevel(window), &window_left, &window_top);
        left -= window_left;
        top -= window_top;
    }
    box->x += left;
    box->y += top;
}

static void get_extents(AtkComponent *object, gint *x, gint *y, gint *width, gint *height, AtkCoordType type) {
    OffstagePart *part = (OffstagePart *)object;
    GdkRectangle box = {-1, -1, -1, -1};
    if (part->canvas && gtk_widget_get_realized(part->canvas) && offstage_part_get_box(part, part->link, &box))
        offstage_part_translate(part, &box, type);
    *x = box.x;
    *y = box.y;
    *width = box.width;
    *height = box.height;
}

static gboolean grab_focus(AtkComponent *object) {
    OffstagePart *part = (OffstagePart *)object;
    return OFFSTAGE_CALL(part->canvas, FALSE, focus, part->row);
}

static gboolean scroll_to(AtkComponent *object, AtkScrollType type) {
    OffstagePart *part = (OffstagePart *)object;
    return OFFSTAGE_CALL(part->canvas, FALSE, scroll, part->row, type);
}

static void component(AtkComponentIface *interface) {
    interface->get_extents = get_extents;
    interface->grab_focus = grab_focus;
    interface->scroll_to = scroll_to;
}

// The action: to open a row, or to follow a link.

static gboolean do_action(AtkAction *object, gint index) {
    OffstagePart *part = (OffstagePart *)object;
    return index == 0 && OFFSTAGE_CALL(part->canvas, FALSE, activate, part->row, part->link);
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
