import Testing

@testable import OffstageLists

/// Finding an item by typing letters.
@Suite struct TypeAheadTests {
    private let names = ["apple", "Banana", "berry", "Bandana", "cherry"]

    private func typed(_ text: String, at time: UInt32 = 0) -> TypeAhead {
        var typed = TypeAhead()
        for letter in text { typed.type(letter, at: time) }
        return typed
    }

    private func find(_ text: String, from current: Int?) -> Int? {
        typed(text).find(from: current, count: names.count) { names[$0] }
    }

    @Test func theNextItemThatBeginsWithTheLetters() {
        #expect(find("b", from: nil) == 1)
        #expect(find("band", from: 1) == 3)
        #expect(find("ban", from: 3) == 3)
        #expect(find("ap", from: 4) == 0)
        #expect(find("x", from: 0) == nil)
        #expect(typed("b").find(from: nil, count: 0) { _ in "b" } == nil)
    }

    @Test func theSameLetterGoesOn() {
        #expect(find("b", from: 1) == 2)
        #expect(find("bb", from: 2) == 3)
        #expect(find("bbb", from: 3) == 1)
    }

    @Test func aPauseBeginsANewWord() {
        var typed = typed("ba", at: .max - 10)
        #expect(typed.isTyping(at: 500))
        // The clock wraps around.
        typed.type("n", at: 500)
        #expect(typed.text == "ban")
        #expect(!typed.isTyping(at: 1_501))
        typed.type("x", at: 1_501)
        #expect(typed.text == "x")
    }
}
