#ifndef PAGE_EDIT_LOOK_HPP
#define PAGE_EDIT_LOOK_HPP

#include <cstdint>
#include <string>
#include <vector>

/// 0 to 255.
uint32_t channel(double part);

/// 0xFFRRGGBB of one, three or four parts; `missing` for another number of them.
uint32_t color_of(const std::vector<double> &parts, uint32_t missing);

/// The look of a free text, from its default appearance, which is operators and their operands, and its default style, which is CSS and
/// has more weight.
struct Look {
    /// Empty for the sans-serif one.
    std::string family;
    /// Units; 0 if it is not said.
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
