import Foundation
import Testing

@testable import OffstageLists

/// Predictions for each kind of scrolling.
@Suite struct ScrollForecastTests {
    private let start = ContinuousClock.now
    private let page = 1_000.0

    private func time(_ milliseconds: Double) -> ContinuousClock.Instant {
        start.advanced(by: .microseconds(Int(milliseconds * 1_000)))
    }

    private func forecast(_ moves: [(milliseconds: Double, distance: Double)], isHeld: Bool = false) -> ScrollForecast {
        var forecast = ScrollForecast()
        for move in moves { forecast.note(move.distance, page: page, isHeld: isHeld, at: time(move.milliseconds)) }
        return forecast
    }

    /// GTK's kinetic scrolling, frame by frame: the remaining distance is known.
    @Test(arguments: [6_000, -30_000.0])
    func kineticScrolling(velocity: Double) {
        func position(_ seconds: Double) -> Double { velocity * 0.25 * (1 - exp(-seconds / 0.25)) }
        let frames = (1...12).map { Double($0) / 60 }
        let forecast = forecast(frames.map { ($0 * 1000, position($0) - position($0 - 1.0 / 60)) })
        #expect(forecast.movement == .glide)
        let rest = velocity * 0.25 - position(0.2)
        #expect(abs(forecast.distance(in: 2) / rest - 1) < 0.2, "\(forecast.distance(in: 2)) of \(rest)")
        #expect(abs(forecast.velocity(after: 0.25) / forecast.velocity - exp(-1)) < 0.001)
    }

    @Test func aWheel() {
        let steps = forecast((1...8).map { (Double($0) * 80, 60) })
        #expect(steps.movement == .wheel)
        // 750 px per second for a little longer.
        #expect((50...250).contains(steps.distance(in: 1)))
    }

    @Test func aJumpHasNoDirection() {
        let jump = forecast([(0, 90_000)])
        #expect(jump.movement == .jump && jump.distance(in: 1) == 0 && !jump.isOngoing)
        // A single small step may be the start of a movement.
        let step = forecast([(0, 30)])
        #expect(step.distance(in: 0.2) > 30 && step.isOngoing)
    }

    /// Dragging the scroll bar stops sooner than kinetic scrolling.
    @Test func aDrag() {
        let moves = (1...12).map { (Double($0) * 16.7, 200.0) }
        let (drag, glide) = (forecast(moves, isHeld: true), forecast(moves))
        #expect(drag.movement == .drag && abs(drag.velocity - glide.velocity) < 1)
        #expect(drag.distance(in: 1) < glide.distance(in: 1) / 2)
    }

    @Test func afterARestNothingIsKnown() {
        var forecast = forecast((1...12).map { (Double($0) * 16.7, 200) })
        forecast.rest()
        #expect(forecast.movement == .rest && forecast.distance(in: 1) == 0 && !forecast.isOngoing)
        // Older movements are forgotten, too.
        forecast.note(10, page: page, isHeld: false, at: time(5_000))
        #expect(forecast.velocity == 600)
    }

    /// Two movements at the same time, as after a late frame.
    @Test func noTimeBetweenMovements() {
        let forecast = forecast([(0, 100), (0, 100), (0, 100)])
        #expect(forecast.velocity.isFinite && forecast.distance(in: 1).isFinite)
    }
}
