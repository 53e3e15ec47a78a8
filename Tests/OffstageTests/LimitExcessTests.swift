import Offstage
import Testing

struct LimitExcessTests {
    /// A worker whose memory is limited cannot know how much more it would need, so no message may imply that the
    /// limit was enough.
    @Test func whatWasAllowedIsNotTooMuch() {
        let rest = "; make it smaller or raise the limit"
        for (excess, message) in [
            (
                LimitExcess(.memory, allowed: 512, measured: 600),
                "drawing it took 600 bytes of memory, but the limit max-memory is 512"
            ),
            (
                LimitExcess(.memory, allowed: 512, measured: 512),
                "drawing it would take more memory, but the limit max-memory is 512"
            ),
            (
                LimitExcess(.processorSeconds, allowed: 5, measured: 5),
                "drawing it would take longer, but the limit max-cpu is 5"
            ),
        ] { #expect(excess.description == message + rest) }
    }
}
