import Testing

/// The background of a document, in every notation of a colour.
@Suite struct BackgroundOptionTests {
    @Test(arguments: [
        ("white", [255, 255, 255, 255]), ("rebeccapurple", [102, 51, 153, 255]), ("#0f8", [0, 255, 136, 255]),
        ("#1E90FF", [30, 144, 255, 255]), ("rgb(1, 2, 3)", [1, 2, 3, 255]), ("#ff000000", [0, 0, 0, 0]),
        ("transparent", [0, 0, 0, 0]), ("#f000", [0, 0, 0, 0]),
        ("rgba(255,0,0,0)", [0, 0, 0, 0]),
    ])
    func color(text: String, color: [UInt8]) throws {
        let picture = try draw(
            "<!doctype html><body style='margin:0'><div style='height:10px;width:10px;background:black'></div>",
            "--background", text, "--width", "20")
        #expect(picture[15, 5] == color)
        #expect(picture[5, 5] == [0, 0, 0, 255])
        #expect(picture.hasAlpha == (color[3] < 255))
    }
}
