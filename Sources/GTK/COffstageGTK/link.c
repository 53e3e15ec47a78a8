#include "parts.h"

// The accessible object of a link in a row, and its hyperlink, which describes its position in the row's text.

static void implementation(AtkHyperlinkImplIface *interface);

G_DEFINE_TYPE_WITH_CODE(
    OffstageLink, offstage_link, offstage_part_get_type(),
    G_IMPLEMENT_INTERFACE(ATK_TYPE_HYPERLINK_IMPL, implementation))

typedef struct {
    AtkHyperlink parent;
    /// A weak pointer to the link, which owns the hyperlink.
    OffstageLink *link;
} OffstageHyperlink;

typedef AtkHyperlinkClass OffstageHyperlinkClass;

static GType offstage_hyperlink_get_type(void);
G_DEFINE_TYPE(OffstageHyperlink, offstage_hyperlink, ATK_TYPE_HYPERLINK)

static void finalize(GObject *object) {
    OffstageLink *link = (OffstageLink *)object;
    g_clear_weak_pointer(&link->owner);
    g_clear_object(&link->hyperlink);
    g_free(link->target);
    G_OBJECT_CLASS(offstage_link_parent_class)->finalize(object);
}

static AtkObject *get_parent(AtkObject *object) { return ((OffstageLink *)object)->owner; }

static gint get_index_in_parent(AtkObject *object) {
    OffstageRow *row = (OffstageRow *)((OffstageLink *)object)->owner;
    guint index;
    return row && g_ptr_array_find(row->links, object, &index) ? (gint)index : -1;
}

static void offstage_link_class_init(OffstageLinkClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize;
    AtkObjectClass *object = ATK_OBJECT_CLASS(class);
    object->get_parent = get_parent;
    object->get_index_in_parent = get_index_in_parent;
}

static void offstage_link_init(OffstageLink *link) { ((AtkObject *)link)->role = ATK_ROLE_LINK; }

void offstage_row_add_link(AtkObject *object, const char *text, const char *target, int start, int end) {
    OffstageRow *row = (OffstageRow *)object;
    if (!row->parent.canvas) return;
    OffstageLink *link = g_object_new(offstage_link_get_type(), NULL);
    offstage_part_set_up(&link->parent, row->parent.canvas, row->parent.row, row->links->len, text);
    g_set_weak_pointer(&link->owner, object);
    link->target = g_strdup(target);
    link->start = start;
    link->end = end;
    g_ptr_array_add(row->links, link);
}

// The hyperlink. It is invalid once its link is gone.

AtkHyperlink *offstage_link_get_hyperlink(OffstageLink *link) {
    if (!link->hyperlink) {
        link->hyperlink = g_object_new(offstage_hyperlink_get_type(), NULL);
        g_set_weak_pointer(&((OffstageHyperlink *)link->hyperlink)->link, link);
    }
    return link->hyperlink;
}

static AtkHyperlink *get_hyperlink(AtkHyperlinkImpl *object) {
    return g_object_ref(offstage_link_get_hyperlink((OffstageLink *)object));
}

static void implementation(AtkHyperlinkImplIface *interface) { interface->get_hyperlink = get_hyperlink; }

static void finalize_hyperlink(GObject *object) {
    g_clear_weak_pointer(&((OffstageHyperlink *)object)->link);
    G_OBJECT_CLASS(offstage_hyperlink_parent_class)->finalize(object);
}

static gchar *get_uri(AtkHyperlink *object, gint index) {
    OffstageLink *link = ((OffstageHyperlink *)object)->link;
    return link && index == 0 ? g_strdup(link->target) : NULL;
}

static AtkObject *get_object(AtkHyperlink *object, gint index) {
    return index == 0 ? (AtkObject *)((OffstageHyperlink *)object)->link : NULL;
}

static gint get_start_index(AtkHyperlink *object) {
    OffstageLink *link = ((OffstageHyperlink *)object)->link;
    return link ? MAX(0, link->start) : 0;
}

static gint get_end_index(AtkHyperlink *object) {
    OffstageLink *link = ((OffstageHyperlink *)object)->link;
    return link ? MAX(0, link->end) : 0;
}

static gboolean is_valid(AtkHyperlink *object) {
    OffstageLink *link = ((OffstageHyperlink *)object)->link;
    return link && link->parent.canvas;
}

static gint get_n_anchors(AtkHyperlink *object) { return ((OffstageHyperlink *)object)->link ? 1 : 0; }

static void offstage_hyperlink_class_init(OffstageHyperlinkClass *class) {
    G_OBJECT_CLASS(class)->finalize = finalize_hyperlink;
    class->get_uri = get_uri;
    class->get_object = get_object;
    class->get_start_index = get_start_index;
    class->get_end_index = get_end_index;
    class->is_valid = is_valid;
    class->get_n_anchors = get_n_anchors;
}

static void offstage_hyperlink_init(OffstageHyperlink *hyperlink) { (void)hyperlink; }
