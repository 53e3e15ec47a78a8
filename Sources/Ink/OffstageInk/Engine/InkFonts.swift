/// The fonts of texts on pages of ink. A text's own font is replaced by the most similar of them, so the same document
/// gives the same pixels wherever Debian's packages `fonts-dejavu-core` and `fonts-noto-cjk` are installed.
enum InkFonts {
    /// In the worker program's order: sans, bold sans, serif, bold serif, fixed, and the collection for Chinese,
    /// Japanese and Korean.
    static let files =
        ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSerif", "DejaVuSerif-Bold", "DejaVuSansMono"].map {
            "/usr/share/fonts/truetype/dejavu/\($0).ttf"
        } + ["/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"]
}
