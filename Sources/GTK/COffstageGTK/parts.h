#include "offstage_gtk.h"

// Internal declarations of this library's classes. Everything runs on GTK's main thread: ATK's bridge to the accessibility bus
// makes its calls from GLib's default main context.

typedef struct {
    GtkFixed parent;
    GtkAdjustment *horizontal, *vertical;
    GtkScrollablePolicy horizontal_policy, vertical_policy;
    /// The owner's functions; NULL if no list owns the canvas. The struct is never freed.
    const OffstageRows *rows;
    /// The data to pass to these functions. `release` frees it.
    gpointer data;
    GDestroyNotify release;
    gboolean is_watched;
    /// The name of the accessible object, or NULL.
    char *name;
} OffstageCanvas;

typedef GtkFixedClass OffstageCanvasClass;

GType offstage_canvas_get_type(void);
GType offstage_list_get_type(void);

/// Calls a function of the canvas's rows with their data and further arguments. The value is `none` if the canvas is NULL or
/// has no rows.
#define OFFSTAGE_CALL(canvas, none, function, ...)                                                                    \
    ((canvas) && ((OffstageCanvas *)(canvas))->rows                                                                   \
         ? ((OffstageCanvas *)(canvas))->rows->function(((OffstageCanvas *)(canvas))->data, ##__VA_ARGS__)            \
         : (none))

typedef struct OffstagePart OffstagePart;

struct OffstagePart {
    AtkObject parent;
    /// A weak pointer, cleared when the canvas is destroyed or the part has ended.
    GtkWidget *canvas;
    /// The number of the row, and the number of the link in it. The latter is -1 for the row itself.
    int row, link;
    /// The part's text, which is also its accessible name. Valid UTF-8, never NULL.
    char *text;
    /// The length of the text in characters.
    int length;
};

typedef struct {
    AtkObjectClass parent;
} OffstagePartClass;

typedef struct {
    OffstagePart parent;
    /// The links. The row owns them.
    GPtrArray *links;
    /// TRUE once a client has requested the children. From then on, it is notified of new ones.
    gboolean is_read;
    /// A weak pointer to the widget shown instead of the picture, or NULL.
    GtkWidget *view;
} OffstageRow;

typedef OffstagePartClass OffstageRowClass;

typedef struct {
    OffstagePart parent;
    /// A weak pointer to the row, which owns the link.
    AtkObject *owner;
    /// The target as written in the source.
    char *target;
    /// The position of the link's words in the row's text, in characters; -1 if they are not in it.
    int start, end;
    /// Created on the first request. The link owns it.
    AtkHyperlink *hyperlink;
} OffstageLink;

typedef OffstagePartClass OffstageLinkClass;

GType offstage_part_get_type(void);
GType offstage_row_get_type(void);
GType offstage_link_get_type(void);

/// Initializes a new part with its canvas, the numbers of its row and link, and its text.
void offstage_part_set_up(OffstagePart *part, GtkWidget *canvas, int row, int link, const char *text);

/// Stores the box of a part, in px of the canvas's window. Returns FALSE if it has none.
gboolean offstage_part_get_box(OffstagePart *part, int link, GdkRectangle *box);

/// Converts a box from the canvas's window to the coordinate system that ATK asks for.
void offstage_part_translate(OffstagePart *part, GdkRectangle *box, AtkCoordType type);

/// The link of a row at a position of its text; NULL for none.
OffstageLink *offstage_row_get_link_at(OffstageRow *row, int offset);

/// The hyperlink of a link, which owns it.
AtkHyperlink *offstage_link_get_hyperlink(OffstageLink *link);

void offstage_part_init_text(AtkTextIface *interface);
void offstage_list_init_table(AtkTableIface *interface);
