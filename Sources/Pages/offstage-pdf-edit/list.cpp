// The annotations of a document, as records.
#include "list.hpp"

#include "look.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace {

constexpr size_t most_annotations = 100000, most_points = 10000000;
constexpr int flag_hidden = 2, flag_no_rotation = ANNOTATION_NO_ROTATION, flag_no_view = 32;

/// The standard's subtypes, as PDFium numbers them.
constexpr const char *subtypes[] = {
    "", "/Text", "/Link", "/FreeText", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine", "/Highlight", "/Underline", "/Squiggly",
    "/StrikeOut", "/Stamp", "/Caret", "/Ink", "/Popup", "/FileAttachment", "/Sound", "/Movie", "/Widget", "/Screen", "/PrinterMark",
    "/TrapNet", "/Watermark", "/3D", "/RichMedia", "/XFAWidget", "/Redact"};
enum { NOTE = 1, FREE_TEXT = 3, LINE = 4, SQUARE = 5, CIRCLE = 6, POLYGON = 7, POLYLINE = 8, HIGHLIGHT = 9, STRIKE_OUT = 12, INK = 15 };

double number(QPDFObjectHandle object, double missing) { return object.isNumber() ? object.getNumericValue() : missing; }

int32_t place(double value, double side) {
    double part = side > 0 ? value / side : 0;
    if (!(part > -100)) part = -100;
    return static_cast<int32_t>(std::lround(std::min(part, 100.0) * OFFSTAGE_PAGES_WORD_SIDE));
}

uint32_t thousandths(double points) { return points > 0 && points <= 1000 ? static_cast<uint32_t>(std::lround(points * 1000)) : 0; }

std::vector<double> numbers(QPDFObjectHandle array, size_t most) {
    std::vector<double> result;
    if (!array.isArray()) return result;
    for (int i = 0, count = array.getArrayNItems(); i < count && result.size() < most; i++)
        result.push_back(number(array.getArrayItem(i), 0));
    return result;
}

/// One record under construction.
struct Record {
    const Page &page;
    /// The number of points in the last array of ink.
    size_t last_count = 0;
    offstage_pages_annotation head{};
    std::vector<uint32_t> lengths;
    std::vector<int32_t> points;
    /// Either one width for each point, or no widths.
    std::vector<uint32_t> widths;
    /// For each array of ink, true if it continues the previous stroke, which was too long for one array.
    std::vector<bool> is_rest;

    explicit Record(const Page &page) : page(page) {}

    void add(double x, double y) {
        auto shown = page_shown(&page.space, x, y);
        points.push_back(place(shown.x, page_width(&page.space)));
        points.push_back(place(shown.y, page_height(&page.space)));
    }

    /// Adds a stroke with the points of an array: x and y of each.
    void add_stroke(const std::vector<double> &values) {
        if (values.size() < 2) return;
        lengths.push_back(static_cast<uint32_t>(values.size() / 2));
        for (size_t i = 0; i + 1 < values.size(); i += 2) add(values[i], values[i + 1]);
    }

    /// Adds a stroke of ink, or the rest of one.
    void add_ink(const std::vector<double> &values) {
        size_t start = points.size();
        add_stroke(values);
        bool is_full = last_count == ANNOTATION_MOST_POINTS && start >= 2 && points.size() > start;
        last_count = values.size() / 2;
        is_rest.push_back(is_full && points[start] == points[start - 2] && points[start + 1] == points[start - 1]);
        if (!is_rest.back()) return;
        points.erase(points.begin() + static_cast<ptrdiff_t>(start), points.begin() + static_cast<ptrdiff_t>(start) + 2);
        lengths[lengths.size() - 2] += lengths.back() - 1;
        lengths.pop_back();
    }

    /// Adds the rectangle around four corners, as a stroke of two points.
    void add_mark(const double *corners) {
        size_t start = points.size();
        for (int i = 0; i < 4; i++) add(corners[2 * i], corners[2 * i + 1]);
        int32_t box[4] = {points[start], points[start + 1], points[start], points[start + 1]};
        for (size_t i = start; i < points.size(); i += 2) {
            box[0] = std::min(box[0], points[i]), box[1] = std::min(box[1], points[i + 1]);
            box[2] = std::max(box[2], points[i]), box[3] = std::max(box[3], points[i + 1]);
        }
        points.resize(start);
        points.insert(points.end(), box, box + 4);
        lengths.push_back(2);
    }
};

/// The widths of ink that Offstage saved. Ignored if another program has changed the strokes since.
void read_widths(Record &record, QPDFObjectHandle list) {
    if (!list.isArray() || static_cast<size_t>(list.getArrayNItems()) != record.is_rest.size()) return;
    size_t stroke = 0, end = 0;
    for (size_t i = 0; i < record.is_rest.size(); i++) {
        auto widths = numbers(list.getArrayItem(static_cast<int>(i)), most_points);
        if (record.is_rest[i] && !widths.empty()) widths.erase(widths.begin());
        else if (record.widths.size() != end || stroke == record.lengths.size()) return record.widths.clear();
        else end += record.lengths[stroke++];
        for (double width : widths) record.widths.push_back(thousandths(width));
    }
    if (record.widths.size() != end || stroke != record.lengths.size()) return record.widths.clear();
    if (!record.widths.empty()) record.head.pen |= OFFSTAGE_PAGES_WIDTHS;
}

void read_geometry(Record &record, QPDFObjectHandle annotation) {
    uint32_t kind = record.head.kind;
    if (kind == INK) {
        auto list = annotation.getKey("/InkList");
        for (int i = 0; list.isArray() && i < list.getArrayNItems() && record.points.size() < most_points; i++)
            record.add_ink(numbers(list.getArrayItem(i), most_points));
        read_widths(record, annotation.getKey(ANNOTATION_WIDTHS));
    } else if (kind >= HIGHLIGHT && kind <= STRIKE_OUT) {
        auto corners = numbers(annotation.getKey("/QuadPoints"), most_points);
        for (size_t i = 0; i + 8 <= corners.size(); i += 8) record.add_mark(&corners[i]);
    } else if (kind == LINE) record.add_stroke(numbers(annotation.getKey("/L"), 4));
    else if (kind == POLYGON || kind == POLYLINE) record.add_stroke(numbers(annotation.getKey("/Vertices"), most_points));
}

double width_of(QPDFObjectHandle annotation) {
    auto style = annotation.getKey("/BS"), border = annotation.getKey("/Border");
    if (style.isDictionary()) return number(style.getKey("/W"), 1);
    return border.isArray() && border.getArrayNItems() >= 3 ? number(border.getArrayItem(2), 1) : 1;
}

/// True for an appearance that darkens the content below, like a highlighter's.
bool darkens(QPDFObjectHandle annotation) {
    auto appearance = annotation.getKey("/AP");
    if (!appearance.isDictionary()) return false;
    auto form = appearance.getKey("/N");
    if (!form.isStream()) return false;
    auto resources = form.getDict().getKey("/Resources");
    auto states = resources.isDictionary() ? resources.getKey("/ExtGState") : resources;
    if (!states.isDictionary()) return false;
    for (const auto &key : states.getKeys()) {
        auto state = states.getKey(key);
        if (state.isDictionary() && state.getKey("/BM").isName() && state.getKey("/BM").getName() == "/Multiply") return true;
    }
    return false;
}

std::string text_of(QPDFObjectHandle annotation, const char *key) {
    auto value = annotation.getKey(key);
    return value.isString() ? value.getUTF8Value() : "";
}

uint32_t alignment_of(QPDFObjectHandle annotation) {
    double value = number(annotation.getKey("/Q"), 0);
    return value == 1 ? 1 : value == 2 ? 2 : 0;
}

/// The width of the box around a free text. A typewriter text has no box unless it specifies one.
double text_border(QPDFObjectHandle annotation) {
    auto intent = annotation.getKey("/IT");
    bool is_typed = intent.isName() && (intent.getName() == "/FreeTextTypeWriter" || intent.getName() == "/FreeTextTypewriter");
    return is_typed && annotation.getKey("/BS").isNull() && annotation.getKey("/Border").isNull() ? 0 : width_of(annotation);
}

void read_colors(Record &record, QPDFObjectHandle annotation, std::string &family) {
    auto &head = record.head;
    double unit = record.page.space.unit;
    uint32_t own = color_of(numbers(annotation.getKey("/C"), 5), 0);
    if (head.kind == FREE_TEXT) {
        Look look(text_of(annotation, "/DA"), text_of(annotation, "/DS"));
        family = look.family;
        head.color = look.color;
        head.fill = own;
        head.border = thousandths(text_border(annotation) * unit);
        head.font_size = thousandths((look.size > 0 ? look.size : 12) * unit);
        head.alignment = annotation.getKey("/Q").isNumber() ? alignment_of(annotation) : look.alignment;
    } else {
        head.color = own ? own : 0xFF000000;
        bool has_inside = head.kind >= LINE && head.kind <= POLYLINE;
        head.fill = has_inside ? color_of(numbers(annotation.getKey("/IC"), 5), 0) : 0;
        head.font_size = 12000;
    }
    double opacity = std::min(std::max(number(annotation.getKey("/CA"), 1), 0.0), 1.0);
    if (head.kind == INK && darkens(annotation)) {
        head.pen |= OFFSTAGE_PAGES_MARKS;
        head.color = (head.color & 0xFFFFFF) | channel(opacity) << 24;
        opacity = 1;
    }
    head.opacity = static_cast<uint32_t>(std::lround(opacity * OFFSTAGE_PAGES_OPAQUE));
}

uint32_t kind_of(QPDFObjectHandle annotation) {
    auto subtype = annotation.getKey("/Subtype");
    if (!subtype.isName()) return 0;
    auto found = std::find(std::begin(subtypes), std::end(subtypes), subtype.getName());
    return found == std::end(subtypes) ? 0 : static_cast<uint32_t>(found - std::begin(subtypes));
}

void append(std::string &bytes, const void *part, size_t size) { bytes.append(static_cast<const char *>(part), size); }

}

std::string identifier_of(QPDFObjectHandle annotation, size_t index) {
    auto name = text_of(annotation, "/NM");
    return name.empty() ? made_identifier(annotation, index) : name;
}

std::string made_identifier(QPDFObjectHandle annotation, size_t index) {
    if (!annotation.isIndirect()) return "index-" + std::to_string(index);
    return "object-" + std::to_string(annotation.getObjectID()) + "-" + std::to_string(annotation.getGeneration());
}

void add_record(
    std::string &bytes, const Page &page, uint32_t number, QPDFObjectHandle annotation, const std::string &identifier) {
    Record record(page);
    auto &head = record.head;
    head.kind = kind_of(annotation);
    head.page = number;
    auto corners = numbers(annotation.getKey("/Rect"), 4);
    corners.resize(4);
    int flags = static_cast<int>(::number(annotation.getKey("/F"), 0));
    auto one = page_shown(&page.space, corners[0], corners[1]), other = page_shown(&page.space, corners[2], corners[3]);
    if (head.kind == NOTE && flags & flag_no_rotation) {
        // A note stays upright around the corner that is the upper left one on the unrotated page.
        one = page_shown(&page.space, std::min(corners[0], corners[2]), std::max(corners[1], corners[3]));
        other = {one.x + std::abs(corners[2] - corners[0]), one.y + std::abs(corners[3] - corners[1])};
    }
    double width = page_width(&page.space), height = page_height(&page.space);
    head.box[0] = place(std::min(one.x, other.x), width), head.box[1] = place(std::min(one.y, other.y), height);
    head.box[2] = place(std::max(one.x, other.x), width), head.box[3] = place(std::max(one.y, other.y), height);
    std::string family;
    read_colors(record, annotation, family);
    read_geometry(record, annotation);
    bool has_lines = head.kind != NOTE && head.kind != FREE_TEXT && !(head.kind >= HIGHLIGHT && head.kind <= STRIKE_OUT);
    head.width = has_lines ? thousandths(width_of(annotation) * page.space.unit) : 1000;
    if (flags & (flag_hidden | flag_no_view)) head.pen |= OFFSTAGE_PAGES_HIDDEN;
    auto author = text_of(annotation, "/T"), modified = text_of(annotation, "/M"),
         text = text_of(annotation, "/Contents");
    head.stroke_count = static_cast<uint32_t>(record.lengths.size());
    head.point_count = static_cast<uint32_t>(record.points.size() / 2);
    head.identifier_size = static_cast<uint32_t>(identifier.size());
    head.author_size = static_cast<uint32_t>(author.size());
    head.modified_size = static_cast<uint32_t>(modified.size());
    head.family_size = static_cast<uint32_t>(family.size());
    head.text_size = static_cast<uint32_t>(text.size());
    append(bytes, &head, sizeof head);
    append(bytes, record.lengths.data(), 4 * record.lengths.size());
    append(bytes, record.points.data(), 4 * record.points.size());
    append(bytes, record.widths.data(), 4 * record.widths.size());
    bytes += identifier + author + modified + family + text;
    bytes.append((4 - bytes.size() % 4) % 4, 0);
}

void add_records(std::string &bytes, const Page &page, uint32_t number) {
    auto object = page.object;
    auto annotations = object.getKey("/Annots");
    if (!annotations.isArray()) return;
    size_t count = static_cast<size_t>(annotations.getArrayNItems());
    std::set<std::string> names;
    for (size_t i = 0; i < std::min(count, most_annotations); i++) {
        auto annotation = annotations.getArrayItem(static_cast<int>(i));
        if (!annotation.isDictionary()) continue;
        auto identifier = identifier_of(annotation, i);
        // If several annotations have the same name, the first one gets it.
        if (!names.insert(identifier).second) identifier = made_identifier(annotation, i);
        add_record(bytes, page, number, annotation, identifier);
    }
}
