#include "parts.h"

// The rows on the screen, as a table with one column. To find the visible rows, a screen reader asks each child of a list for
// its position; Orca takes 11 seconds for 10,000 rows. If the list is also a table, Orca reads only the table's rows.

static GtkWidget *canvas_of(AtkTable *table) { return gtk_accessible_get_widget(GTK_ACCESSIBLE(table)); }

/// Returns the number of rows on the screen. Stores the number of the first one in the list in `first`.
static int count(AtkTable *table, int *first) {
    *first = 0;
    return OFFSTAGE_CALL(canvas_of(table), 0, on_screen, first);
}

/// Converts a row of the table to its number in the list; -1 if the row does not exist.
static gint get_index_at(AtkTable *table, gint row, gint column) {
    int first;
    return row >= 0 && row < count(table, &first) && column == 0 ? first + row : -1;
}

static AtkObject *ref_at(AtkTable *table, gint row, gint column) {
    int index = get_index_at(table, row, column);
    return index < 0 ? NULL : OFFSTAGE_CALL(canvas_of(table), NULL, ref_row, index);
}

static gint get_row_at_index(AtkTable *table, gint index) {
    int first, rows = count(table, &first);
    return index >= first && index - first < rows ? index - first : -1;
}

static gint get_column_at_index(AtkTable *table, gint index) { return get_row_at_index(table, index) < 0 ? -1 : 0; }

static gint get_n_rows(AtkTable *table) {
    int first;
    return count(table, &first);
}

static gint get_n_columns(AtkTable *table) {
    (void)table;
    return 1;
}

static gint get_extent_at(AtkTable *table, gint row, gint column) { return get_index_at(table, row, column) < 0 ? 0 : 1; }

static gboolean is_row_selected(AtkTable *table, gint row) {
    int index = get_index_at(table, row, 0);
    return index >= 0 && OFFSTAGE_CALL(canvas_of(table), FALSE, is_selected, index);
}

static gboolean is_selected(AtkTable *table, gint row, gint column) { return column == 0 && is_row_selected(table, row); }

static gint get_selected_rows(AtkTable *table, gint **rows) {
    int first, all = count(table, &first), found = 0;
    // ATK's caller frees it.
    gint *selected = g_new(gint, all);
    for (int row = 0; row < all; row++)
        if (is_row_selected(table, row)) selected[found++] = row;
    if (rows && found > 0) {
        *rows = selected;
    } else {
        if (rows) *rows = NULL;
        g_free(selected);
    }
    return found;
}

static gboolean add_row_selection(AtkTable *table, gint row) {
    int index = get_index_at(table, row, 0);
    return index >= 0 && OFFSTAGE_CALL(canvas_of(table), FALSE, select, index);
}

static gboolean remove_row_selection(AtkTable *table, gint row) {
    int index = get_index_at(table, row, 0);
    return is_row_selected(table, row) && OFFSTAGE_CALL(canvas_of(table), FALSE, deselect, index);
}

void offstage_list_init_table(AtkTableIface *interface) {
    interface->ref_at = ref_at;
    interface->get_index_at = get_index_at;
    interface->get_row_at_index = get_row_at_index;
    interface->get_column_at_index = get_column_at_index;
    interface->get_n_rows = get_n_rows;
    interface->get_n_columns = get_n_columns;
    interface->get_row_extent_at = get_extent_at;
    interface->get_column_extent_at = get_extent_at;
    interface->is_selected = is_selected;
    interface->is_row_selected = is_row_selected;
    interface->get_selected_rows = get_selected_rows;
    interface->add_row_selection = add_row_selection;
    interface->remove_row_selection = remove_row_selection;
}
