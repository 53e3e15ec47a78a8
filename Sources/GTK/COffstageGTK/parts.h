#include "offstage_gtk.h"

// The classes of this library, for its own files. Everything runs on GTK's main thread: ATK's bridge to the bus calls from
// GLib's default main context.

typedef struct {
    GtkFixed parent;
    GtkAdjustment *horizontal, *vertical;
    GtkScrollablePolicy horizontal_policy, vertical_policy;
    /// NULL if no list owns the canvas. The struct and its functions are static.
    const OffstageRows *rows;
    /// The functions' data, which `release` frees.
    gpointer data;
    GDestroyNotify release;
    gboolean is_watched;
    /// The name of the accessible object, or NULL.
    char *name;
} OffstageCanvas;

typedef GtkFixedClass OffstageCanvasClass;

GType offstage_canvas_get_type(void);
GType offstage_list_get_type(void);

/// Calls a function of the canvas's rows with their data and further arguments; otherwise, the value is `none`. The canvas
/// may be NULL.
#define OFFSTAGE_CALL(canvas, none, function, ...)                                                                    \
    ((canvas) && ((OffstageCanvas *)(canvas))->rows                                                                   \
         ? ((OffstageCanvas *)(canvas))->rows->function(((OffstageCanvas *)(canvas))->data, ##__VA_ARGS__)            \
         : (none))

typedef struct OffstagePart OffstagePart;

struct OffstagePart {
    AtkObject parent;
    /// A weak pointer, cleared when the canvas is destroyed or the part has ended.
    GtkWidget *canvas;
    /// The numbers of the row and of the link in it; -1 for the row itself.
    int row, link;
    /// The words of the part, which are its name, too. Valid UTF-8, never NULL.
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

/// Prepares a new part: its canvas, its numbers and its text.
void offstage_part_set_up(OffstagePart *part, GtkWidget *canvas, int row, int link, const char *text);

/// The box of a part in px of the canvas's window; FALSE if it has none.
gboolean offstage_part_get_box(OffstagePart *part, int link, GdkRectangle *box);

/// Converts a box from the canvas's window to the coordinate system that ATK asks for.
void offstage_part_translate(OffstagePart *part, GdkRectangle *box, AtkCoordType type);

/// The link of a row at a position of its text; NULL for none.
OffstageLink *offstage_row_get_link_at(OffstageRow *row, int offset);

/// The hyperlink of a link, which owns it.
AtkHyperlink *offstage_link_get_hyperlink(OffstageLink *link);

void offstage_part_init_text(AtkTextIface *interface);
void offstage_list_init_table(AtkTableIface *interface);
