// The annotations of a document, as records.
#include "list.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace {

constexpr size_t most_annotations = 100000, most_points = 10000000;
constexpr int flag_hidden = 2, flag_no_view = 32;

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

uint32_t thousandths(double points) { return points > 0 && points < 1000 ? static_cast<uint32_t>(std::lround(points * 1000)) : 0; }

uint32_t channel(double part) { return static_cast<uint32_t>(std::lround(std::min(std::max(part, 0.0), 1.0) * 255)); }

/// 0xFFRRGGBB; `missing` for an array of another length.
uint32_t color(const std::vector<double> &parts, uint32_t missing) {
    double red, green, blue;
    switch (parts.size()) {
    case 1: red = green = blue = parts[0]; break;
    case 3: red = parts[0], green = parts[1], blue = parts[2]; break;
    case 4:
        red = (1 - parts[0]) * (1 - parts[3]), green = (1 - parts[1]) * (1 - parts[3]), blue = (1 - parts[2]) * (1 - parts[3]);
        break;
    default: return missing;
    }
    return 0xFF000000 | channel(red) << 16 | channel(green) << 8 | channel(blue);
}

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
    offstage_pages_annotation head{};
    std::vector<uint32_t> lengths;
    std::vector<int32_t> points;

    explicit Record(const Page &page) : page(page) {}

    void add(double x, double y) {
        auto shown = page_shown(&page.space, x, y);
        points.push_back(place(shown.x, page_width(&page.space)));
        points.push_back(place(shown.y, page_height(&page.space)));
    }

    /// A stroke of the points of an array: x and y of each.
    void add_stroke(const std::vector<double> &values) {
        if (values.size() < 2) return;
        lengths.push_back(static_cast<uint32_t>(values.size() / 2));
        for (size_t i = 0; i + 1 < values.size(); i += 2) add(values[i], values[i + 1]);
    }

    /// The rectangle around four corners, as a stroke of two points.
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

void read_geometry(Record &record, QPDFObjectHandle annotation) {
    uint32_t kind = record.head.kind;
    if (kind == INK) {
        auto list = annotation.getKey("/InkList");
        for (int i = 0; list.isArray() && i < list.getArrayNItems() && record.points.size() < most_points; i++)
            record.add_stroke(numbers(list.getArrayItem(i), most_points));
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

/// True for an appearance that darkens what is below, as a highlighter's.
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

/// The font, its size and the colour of a free text: operators and their operands.
struct Look {
    std::string font;
    double size = 0;
    uint32_t color = 0xFF000000;

    explicit Look(const std::string &text) {
        std::vector<std::string> words;
        for (size_t at = 0; at < text.size();) {
            size_t start = text.find_first_not_of(" \t\r\n", at);
            if (start == std::string::npos) break;
            at = std::min(text.find_first_of(" \t\r\n", start), text.size());
            words.push_back(text.substr(start, at - start));
        }
        auto operands = [&](size_t end, size_t count) {
            std::vector<double> values;
            for (size_t i = end - std::min(count, end); i < end; i++) values.push_back(atof(words[i].c_str()));
            return values;
        };
        for (size_t i = 0; i < words.size(); i++) {
            if (words[i] == "rg") color = ::color(operands(i, 3), color);
            else if (words[i] == "g") color = ::color(operands(i, 1), color);
            else if (words[i] == "k") color = ::color(operands(i, 4), color);
            else if (words[i] == "Tf" && i >= 2) font = words[i - 2], size = atof(words[i - 1].c_str());
        }
    }

    bool has(const char *name) const { return font.find(name) != std::string::npos; }
    const char *family() const { return has("Cour") ? "monospace" : has("Ti") || has("Serif") ? "serif" : ""; }
};

/// The family that a style names: `font-family:'Name'`.
std::string family_in(const std::string &style) {
    const std::string key = "font-family:'";
    size_t start = style.find(key);
    if (start == std::string::npos) return "";
    size_t end = style.find('\'', start += key.size());
    return end == std::string::npos ? "" : style.substr(start, end - start);
}

std::string text_of(QPDFObjectHandle annotation, const char *key) {
    auto value = annotation.getKey(key);
    return value.isString() ? value.getUTF8Value() : "";
}

uint32_t alignment_of(QPDFObjectHandle annotation) {
    double value = number(annotation.getKey("/Q"), 0);
    return value == 1 ? 1 : value == 2 ? 2 : 0;
}

void read_colors(Record &record, QPDFObjectHandle annotation, std::string &family) {
    auto &head = record.head;
    double unit = record.page.space.unit;
    uint32_t own = color(numbers(annotation.getKey("/C"), 5), 0);
    if (head.kind == FREE_TEXT) {
        Look look(text_of(annotation, "/DA"));
        family = family_in(text_of(annotation, "/DS"));
        if (family.empty()) family = look.family();
        head.color = look.color;
        head.fill = own;
        head.border = thousandths(width_of(annotation) * unit);
        head.font_size = thousandths((look.size > 0 ? look.size : 12) * unit);
        head.alignment = alignment_of(annotation);
    } else {
        head.color = own ? own : 0xFF000000;
        bool has_inside = head.kind >= LINE && head.kind <= POLYLINE;
        head.fill = has_inside ? color(numbers(annotation.getKey("/IC"), 5), 0) : 0;
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

std::string identifier_of(QPDFObjectHandle annotation) {
    auto name = text_of(annotation, "/NM");
    if (!name.empty() || !annotation.isIndirect()) return name;
    return "object-" + std::to_string(annotation.getObjectID()) + "-" + std::to_string(annotation.getGeneration());
}

void add_record(std::string &bytes, const Page &page, uint32_t number, QPDFObjectHandle annotation) {
    Record record(page);
    auto &head = record.head;
    head.kind = kind_of(annotation);
    head.page = number;
    auto corners = numbers(annotation.getKey("/Rect"), 4);
    corners.resize(4);
    auto one = page_shown(&page.space, corners[0], corners[1]), other = page_shown(&page.space, corners[2], corners[3]);
    double width = page_width(&page.space), height = page_height(&page.space);
    head.box[0] = place(std::min(one.x, other.x), width), head.box[1] = place(std::min(one.y, other.y), height);
    head.box[2] = place(std::max(one.x, other.x), width), head.box[3] = place(std::max(one.y, other.y), height);
    std::string family;
    read_colors(record, annotation, family);
    read_geometry(record, annotation);
    bool has_lines = head.kind != NOTE && head.kind != FREE_TEXT && !(head.kind >= HIGHLIGHT && head.kind <= STRIKE_OUT);
    head.width = has_lines ? thousandths(width_of(annotation) * page.space.unit) : 1000;
    int flags = static_cast<int>(::number(annotation.getKey("/F"), 0));
    if (flags & (flag_hidden | flag_no_view)) head.pen |= OFFSTAGE_PAGES_HIDDEN;
    auto identifier = identifier_of(annotation), author = text_of(annotation, "/T"), modified = text_of(annotation, "/M"),
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
    bytes += identifier + author + modified + family + text;
    bytes.append((4 - bytes.size() % 4) % 4, 0);
}

void add_records(std::string &bytes, const Page &page, uint32_t number) {
    auto object = page.object;
    auto annotations = object.getKey("/Annots");
    if (!annotations.isArray()) return;
    size_t count = static_cast<size_t>(annotations.getArrayNItems());
    for (size_t i = 0; i < std::min(count, most_annotations); i++) {
        auto annotation = annotations.getArrayItem(static_cast<int>(i));
        if (annotation.isDictionary()) add_record(bytes, page, number, annotation);
    }
}
