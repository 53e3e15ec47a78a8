#ifndef PAGE_EDIT_LOOK_HPP
#define PAGE_EDIT_LOOK_HPP

#include <cstdint>
#include <string>
#include <vector>

/// 0 to 255.
uint32_t channel(double part);

/// Converts one, three or four components to 0xFFRRGGBB; returns `missing` for another number of them.
uint32_t color_of(const std::vector<double> &parts, uint32_t missing);

/// The style of a free text, from its default appearance, which consists of operators and operands, and its default style,
/// which is CSS and takes precedence.
struct Look {
    /// Empty for sans-serif.
    std::string family;
    /// Units; 0 if not specified.
    double size = 0;
    uint32_t color = 0xFF000000;
    /// 0 left, 1 center, 2 right.
    uint32_t alignment = 0;

    Look(const std::string &appearance, const std::string &style);

private:
    void read_appearance(const std::string &text);
    void read_style(const std::string &text);
    void read_font(const std::string &text);
};

#endif
