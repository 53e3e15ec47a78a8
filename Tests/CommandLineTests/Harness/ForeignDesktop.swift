/// Settings of the machine's owner that must not affect pictures.
enum ForeignDesktop {
    /// Entries of `settings.ini`.
    static let gtkSettings = """
        [Settings]
        gtk-font-name=DejaVu Serif 24
        gtk-xft-antialias=0
        gtk-xft-hintstyle=hintfull
        gtk-xft-rgba=rgb
        gtk-xft-dpi=196608
        gtk-theme-name=HighContrast
        gtk-application-prefer-dark-theme=1
        gtk-overlay-scrolling=0
        """
}
