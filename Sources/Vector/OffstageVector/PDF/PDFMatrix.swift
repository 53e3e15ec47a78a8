/// A transformation matrix of a content stream, with the names of its operands (PDF 32000-1, 8.3.3).
struct PDFMatrix: Hashable {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 1.0
    var e = 0.0
    var f = 0.0

    var numbers: [Double] { [a, b, c, d, e, f] }

    func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) { (a * x + c * y + e, b * x + d * y + f) }

    /// The operator `cm`: the operators after it use the new coordinates.
    ///
    /// - Parameter numbers: the operator's six operands.
    mutating func concatenate(_ numbers: [Double]) {
        let (a, b, c, d, e, f) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
        self = PDFMatrix(
            a: a * self.a + b * self.c, b: a * self.b + b * self.d, c: c * self.a + d * self.c,
            d: c * self.b + d * self.d, e: e * self.a + f * self.c + self.e, f: e * self.b + f * self.d + self.f)
    }
}
