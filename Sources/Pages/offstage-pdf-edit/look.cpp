// Reads the style of a free text as other programs write it.
#include "look.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>

namespace {

constexpr const char *spaces = " \t\r\n";

std::vector<std::string> split(const std::string &text, const char *separators) {
    std::vector<std::string> parts;
    for (size_t at = text.find_first_not_of(separators); at != std::string::npos; at = text.find_first_not_of(separators, at)) {
        size_t end = std::min(text.find_first_of(separators, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end;
    }
    return parts;
}

std::string trimmed(const std::string &text, const char *ends) {
    size_t start = text.find_first_not_of(ends);
    return start == std::string::npos ? "" : text.substr(start, text.find_last_not_of(ends) - start + 1);
}

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char one) { return one >= 'A' && one <= 'Z' ? one + 32 : one; });
    return text;
}

/// Reads `12pt`, `16px` or `12`, optionally followed by a line height, `12pt/1.2`; 0 for other units.
double points(const std::string &text) {
    auto size = text.substr(0, text.find('/'));
    char *end = nullptr;
    double value = strtod(size.c_str(), &end);
    auto unit = lowered(end);
    if (unit == "px") value *= 0.75;
    bool is_known = end != size.c_str() && (unit == "pt" || unit == "px" || unit.empty());
    return is_known && value > 0 && value <= 1000 ? value : 0;
}

/// The first name of a list.
std::string first_name(const std::string &text) { return trimmed(text.substr(0, text.find(',')), " '\""); }

/// Reads `#RRGGBB`, `#RGB`, `rgb(0, 128, 255)`, or a common name.
uint32_t css_color(const std::string &text, uint32_t missing) {
    static const std::map<std::string, uint32_t> names = {
        {"black", 0}, {"white", 0xFFFFFF}, {"red", 0xFF0000}, {"green", 0x8000}, {"blue", 0xFF}, {"yellow", 0xFFFF00},
        {"gray", 0x808080}, {"grey", 0x808080}, {"orange", 0xFFA500}, {"purple", 0x800080}, {"navy", 0x80}, {"maroon", 0x800000}};
    if (auto named = names.find(text); named != names.end()) return 0xFF000000 | named->second;
    if (text.rfind("rgb(", 0) == 0) {
        std::vector<double> parts;
        for (const auto &part : split(text.substr(4), " ,)")) parts.push_back(atof(part.c_str()) / 255);
        return parts.size() == 3 ? color_of(parts, missing) : missing;
    }
    if ((text.size() != 7 && text.size() != 4) || text[0] != '#') return missing;
    char *end = nullptr;
    auto value = static_cast<uint32_t>(strtoul(text.c_str() + 1, &end, 16));
    if (text.size() == 4) value = ((value & 0xF00) << 8 | (value & 0xF0) << 4 | (value & 0xF)) * 0x11;
    return *end ? missing : 0xFF000000 | value;
}

}

uint32_t channel(double part) { return static_cast<uint32_t>(std::lround(std::min(std::max(part, 0.0), 1.0) * 255)); }

uint32_t color_of(const std::vector<double> &parts, uint32_t missing) {
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

Look::Look(const std::string &appearance, const std::string &style) {
    read_appearance(appearance);
    read_style(style);
}

void Look::read_appearance(const std::string &text) {
    auto words = split(text, spaces);
    auto operands = [&](size_t end, size_t count) {
        std::vector<double> values;
        for (size_t i = end - std::min(count, end); i < end; i++) values.push_back(atof(words[i].c_str()));
        return values;
    };
    std::string font;
    /// The position after the last operator.
    size_t last = 0;
    for (size_t i = 0; i < words.size(); i++) {
        if (words[i] == "rg") color = color_of(operands(i, 3), color);
        else if (words[i] == "g") color = color_of(operands(i, 1), color);
        else if (words[i] == "k") color = color_of(operands(i, 4), color);
        else if (words[i] == "sc" || words[i] == "scn") color = color_of(operands(i, i - last), color);
        else if (words[i] == "Tf" && i >= 2) font = words[i - 2], size = atof(words[i - 1].c_str());
        if (isalpha(static_cast<unsigned char>(words[i][0]))) last = i + 1;
    }
    auto has = [&](const char *name) { return font.find(name) != std::string::npos; };
    family = has("Cour") ? "monospace" : has("Ti") || has("Serif") ? "serif" : "";
}

void Look::read_style(const std::string &text) {
    for (const auto &declaration : split(text, ";")) {
        size_t colon = declaration.find(':');
        if (colon == std::string::npos) continue;
        auto key = lowered(trimmed(declaration.substr(0, colon), spaces)), value = trimmed(declaration.substr(colon + 1), spaces);
        if (key == "font") read_font(value);
        else if (key == "font-size" && points(value) > 0) size = points(value);
        else if (key == "font-family" && !first_name(value).empty()) family = first_name(value);
        else if (key == "color") color = css_color(lowered(value), color);
        else if (key == "text-align") alignment = lowered(value) == "center" ? 1 : lowered(value) == "right" ? 2 : 0;
    }
    // The host expects an empty name for sans-serif.
    if (family == "sans-serif") family = "";
}

/// The size can precede or follow the family.
void Look::read_font(const std::string &text) {
    std::string name;
    for (const auto &word : split(text, " ")) {
        auto plain = lowered(word);
        if (points(word) > 0) size = points(word);
        else if (plain != "bold" && plain != "italic" && plain != "normal" && plain != "oblique") name += " " + word;
    }
    if (!first_name(name).empty()) family = first_name(name);
}
