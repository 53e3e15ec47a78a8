import Foundation
import Offstage
import OffstageGTK

extension BrowseRide {
    /// Jumps to positions all over the list, and rests at each until its rows are complete, 2 s at most.
    ///
    /// - Returns: for each jump, the milliseconds until the frame in which the first of the rows there showed its picture or thumbnail;
    ///   2,000 if none did.
    func jumps(_ count: Int) async -> [Double] {
        var times: [Double] = []
        for number in 1...count {
            // Multiples of the golden ratio are spread over the list, each far from the one before it.
            let place = (Double(number) * 0.618_034).truncatingRemainder(dividingBy: 1)
            times.append(await jump(to: Int(Double(view.itemCount) * place)))
        }
        return times
    }

    private func jump(to row: Int) async -> Double {
        var start: ContinuousClock.Instant?
        var time: Duration?
        let log = FrameLog(of: view.widget) { [unowned self] seconds in
            guard let start else {
                start = .now
                view.scroll(to: row, .top)
                return true
            }
            // The list has moved in the frame of the jump, or in the next one.
            if time == nil, view.visible.contains(row), view.visible.contains(where: showsSomething) {
                time = start.duration(to: .now)
            }
            return seconds < 2 && !(time != nil && isComplete)
        }
        await log.run()
        return (time ?? .seconds(2)) / .milliseconds(1)
    }

    private func showsSomething(_ row: Int) -> Bool {
        switch view.content(of: row) {
        case .picture, .live, .thumbnail, .stale: true
        case .text: false
        }
    }
}
