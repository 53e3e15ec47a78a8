import Offstage
import Testing

@Test func aSizeReadsAsInTheErrors() {
    #expect("\(PixelSize(width: 800, height: 600))" == "800 × 600")
}
