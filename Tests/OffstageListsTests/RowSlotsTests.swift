import Testing

@testable import OffstageLists

@Suite struct RowSlotsTests {
    private typealias Change = RowSlots.Change

    @Test func whoComesTakesThePlaceOfWhoLeaves() {
        var slots = RowSlots()
        #expect(
            slots.show(0..<3).arriving == [Change(row: 0, slot: 0), Change(row: 1, slot: 1), Change(row: 2, slot: 2)])
        let (leaving, arriving) = slots.show(1..<4)
        #expect(leaving == [Change(row: 0, slot: 0)])
        #expect(arriving == [Change(row: 3, slot: 0)])
        #expect(slots[1] == 1)
        #expect(slots[0] == nil)
        #expect(slots.count == 3)
    }

    @Test func rowsKeepTheirSlotsUnderNewNumbers() {
        var slots = RowSlots()
        _ = slots.show(10..<14)
        slots.insert(5, at: 12)
        #expect((10...18).map { slots[$0] } == [0, 1, nil, nil, nil, nil, nil, 2, 3])
        #expect(slots.remove(11..<18) == [Change(row: 11, slot: 1), Change(row: 17, slot: 2)])
        #expect(slots[10] == 0)
        #expect(slots[11] == 3)
        // Free slots are used again.
        _ = slots.show(9..<13)
        #expect(slots.count == 4)
    }

    @Test func noTwoRowsShareASlot() {
        var slots = RowSlots()
        var start = 0
        for step in 0..<500 {
            start = (start * 31 + step * 17) % 10_000
            _ = slots.show(start..<start + step % 23)
            let used = slots.rows.compactMap { slots[$0] }
            #expect(Set(used).count == used.count)
            #expect(Set(slots.rows) == Set(start..<start + step % 23))
        }
        #expect(slots.count == 22)
    }
}
