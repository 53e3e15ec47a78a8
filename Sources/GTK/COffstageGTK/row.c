#include "parts.h"

// The accessible object of a row. Its children are its links, and the widget shown instead of its picture.

static void component(AtkComponentIface *interface);
static void hypertext(AtkHypertextIface *interface);

G_DEFINE_TYPE_WITH_CODE(
    OffstageRow, offstage_row, offstage_part_get_type(),
    G_IMPLEMENT_INTERFACE(ATK_TYPE_COMPONENT, component) G_IMPLEMENT_INTERFACE(ATK_TYPE_HYPERTEXT, hypertext))

static void finalize(GObject *object) {
    OffstageRow *row = (OffstageRow *)object;
    g_clear_weak_pointer(&row->view);
    g_ptr_array_unref(row->links);
    G_OBJECT_CLASS(offstage_row_parent_class)->finalize(object);
}

static AtkObject *get_parent(AtkObject *object) {
    GtkWidget *canvas = ((OffstagePart *)object)->canvas;
    return canvas ? gtk_widget_get_accessible(canvas) : NULL;
}

static gint get_index_in_parent(AtkObject *object) {
    OffstagePart *part = (OffstagePart *)object;
    return part->canvas ? part->row : -1;
}

static gint get_n_children(AtkObject *object) {
    OffstageRow *row = (OffstageRow *)object;
    row->is_read = TRUE;
    return row->links->len + (row->view != NULL);
}

static AtkObject *ref_child(AtkObject *object, gint index) {
    OffstageRow *row = (OffstageRow *)object;
    row->is_read = TRUE;
    if (index < 0) return NULL;
    if ((guint)index < row->links->len) return g_object_ref(row->links->pdata[index]);
    return row->view && (guint)index == row->links->len ? g_object_ref(gtk_widget_get_accessible(row->view)) : NULL;
}

static AtkStateSet *ref_state_set(AtkObject *object) {
    OffstagePart *part = (OffstagePart *)object;
    AtkStateSet *states = ATK_OBJECT_CLASS(offstage_row_parent_class)->ref_state_set(object);
    if (OFFSTAGE_CALL(part->canvas, 0, selectable) == 0) return states;
    atk_state_set_add_state(states, ATK_STATE_SELECTABLE);
    atk_state_set_add_state(states, ATK_STATE_FOCUSABLE);
    if (OFFSTAGE_CALL(part->canvas, FALSE, is_selected, part->row))
        atk_state_set_add_state(states, ATK_STATE_SELECTED);
    if (OFFSTAGE_CALL(part->canvas, -1, focused) == part->row && gtk_widget_has_focus(part->canvas))
        atk_state_set_add_state(states, ATK_STATE_FOCUSED);
    return states;
}

static AtkAttributeSet *attribute(AtkAttributeSet *others, const char *name, int value) {
    AtkAttribute *attribute = g_new(AtkAttribute, 1);
    attribute->name = g_strdup(name);
    attribute->value = g_strdup_printf("%d", value);
    return g_slist_prepend(others, attribute);
}

/// The position among all rows, which screen readers announce. In a list this long, they do not count the children
/// themselves.
static AtkAttributeSet *get_attributes(AtkObject *object) {
    OffstagePart *part = (OffstagePart *)object;
    if (!part->canvas) return NULL;
    return attribute(
        attribute(NULL, "setsize", OFFSTAGE_CALL(part->canvas, 0, count)), "posinset", part->row + 1);
}

static void offstage_row_class_init(OffstageRowClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize;
    AtkObjectClass *object = ATK_OBJECT_CLASS(class);
    object->get_parent = get_parent;
    object->get_index_in_parent = get_index_in_parent;
    object->get_n_children = get_n_children;
    object->ref_child = ref_child;
    object->ref_state_set = ref_state_set;
    object->get_attributes = get_attributes;
}

static void offstage_row_init(OffstageRow *row) {
    ((AtkObject *)row)->role = ATK_ROLE_LIST_ITEM;
    row->links = g_ptr_array_new_with_free_func(g_object_unref);
}

// The boxes of links may overlap: the box of a link that spans two lines also covers the text beside it. The areas do not
// overlap.
static AtkObject *ref_accessible_at_point(AtkComponent *object, gint x, gint y, AtkCoordType type) {
    OffstageRow *row = (OffstageRow *)object;
    GdkRectangle box, moved;
    if (!row->parent.canvas || !gtk_widget_get_realized(row->parent.canvas)) return NULL;
    if (!offstage_part_get_box(&row->parent, -1, &box)) return NULL;
    moved = box;
    offstage_part_translate(&row->parent, &moved, type);
    if (x < moved.x || y < moved.y || x - moved.x >= moved.width || y - moved.y >= moved.height) return NULL;
    if (row->view) return g_object_ref(gtk_widget_get_accessible(row->view));
    int link = OFFSTAGE_CALL(
        row->parent.canvas, -1, link_at, row->parent.row, x - moved.x + box.x, y - moved.y + box.y);
    return link >= 0 && (guint)link < row->links->len ? g_object_ref(row->links->pdata[link]) : NULL;
}

static void component(AtkComponentIface *interface) { interface->ref_accessible_at_point = ref_accessible_at_point; }

AtkObject *offstage_row_new(GtkWidget *canvas, int number, const char *text) {
    OffstagePart *part = g_object_new(offstage_row_get_type(), NULL);
    offstage_part_set_up(part, canvas, number, -1, text);
    return (AtkObject *)part;
}

// Changes.

void offstage_row_set_number(AtkObject *object, int number) {
    OffstageRow *row = (OffstageRow *)object;
    row->parent.row = number;
    for (guint i = 0; i < row->links->len; i++) ((OffstagePart *)row->links->pdata[i])->row = number;
}

void offstage_row_set_text(AtkObject *object, const char *text) {
    OffstagePart *part = (OffstagePart *)object;
    if (strcmp(part->text, text) == 0) return;
    char *old = part->text;
    int old_length = part->length;
    part->text = g_strdup(text);
    part->length = g_utf8_strlen(text, -1);
    if (old_length > 0) g_signal_emit_by_name(object, "text-remove", 0, old_length, old);
    if (part->length > 0) g_signal_emit_by_name(object, "text-insert", 0, part->length, text);
    g_object_notify((GObject *)object, "accessible-name");
    g_free(old);
}

void offstage_row_clear_links(AtkObject *object) {
    OffstageRow *row = (OffstageRow *)object;
    while (row->links->len > 0) {
        guint index = row->links->len - 1;
        OffstageLink *link = g_ptr_array_steal_index(row->links, index);
        if (row->is_read) g_signal_emit_by_name(object, "children-changed::remove", index, link, NULL);
        g_clear_weak_pointer(&link->parent.canvas);
        g_clear_weak_pointer(&link->owner);
        g_object_unref(link);
    }
}

void offstage_row_links_changed(AtkObject *object) {
    OffstageRow *row = (OffstageRow *)object;
    if (!row->is_read) return;
    for (guint i = 0; i < row->links->len; i++)
        g_signal_emit_by_name(object, "children-changed::add", i, row->links->pdata[i], NULL);
}

void offstage_row_set_view(AtkObject *object, GtkWidget *view) {
    OffstageRow *row = (OffstageRow *)object;
    if (row->view == view) return;
    g_set_weak_pointer(&row->view, view);
    if (!view) return;
    AtkObject *accessible = gtk_widget_get_accessible(view);
    atk_object_set_parent(accessible, object);
    g_signal_emit_by_name(object, "children-changed::add", row->links->len, accessible, NULL);
}

void offstage_row_notify(AtkObject *object, AtkStateType state, gboolean value) {
    atk_object_notify_state_change(object, state, value);
}

void offstage_row_end(AtkObject *object) {
    OffstageRow *row = (OffstageRow *)object;
    if (!row->parent.canvas) return;
    offstage_row_clear_links(object);
    g_clear_weak_pointer(&row->view);
    g_clear_weak_pointer(&row->parent.canvas);
    atk_object_notify_state_change(object, ATK_STATE_DEFUNCT, TRUE);
}

// The links in the text. Those whose words are not in it are children only.

OffstageLink *offstage_row_get_link_at(OffstageRow *row, int offset) {
    for (guint i = 0; i < row->links->len; i++) {
        OffstageLink *link = row->links->pdata[i];
        if (link->start >= 0 && link->start <= offset && offset < link->end) return link;
    }
    return NULL;
}

static AtkHyperlink *get_link(AtkHypertext *object, gint index) {
    GPtrArray *links = ((OffstageRow *)object)->links;
    for (guint i = 0; i < links->len; i++)
        if (((OffstageLink *)links->pdata[i])->start >= 0 && index-- == 0)
            return offstage_link_get_hyperlink(links->pdata[i]);
    return NULL;
}

static gint get_n_links(AtkHypertext *object) {
    GPtrArray *links = ((OffstageRow *)object)->links;
    gint count = 0;
    for (guint i = 0; i < links->len; i++) count += ((OffstageLink *)links->pdata[i])->start >= 0;
    return count;
}

static gint get_link_index(AtkHypertext *object, gint offset) {
    GPtrArray *links = ((OffstageRow *)object)->links;
    gint index = 0;
    for (guint i = 0; i < links->len; i++) {
        OffstageLink *link = links->pdata[i];
        if (link->start < 0) continue;
        if (link->start <= offset && offset < link->end) return index;
        index++;
    }
    return -1;
}

static void hypertext(AtkHypertextIface *interface) {
    interface->get_link = get_link;
    interface->get_n_links = get_n_links;
    interface->get_link_index = get_link_index;
}
