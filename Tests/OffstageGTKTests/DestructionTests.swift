import CGTK
import CTestEvents
import Offstage
import XCTest

@testable import OffstageGTK

/// Nothing leaks, whenever the list is destroyed.
final class DestructionTests: XCTestCase {
    /// Counts GObjects that have been destroyed.
    @MainActor
    private final class Watch {
        private(set) var gone = 0
        private var watched = 0

        func add(_ object: gpointer) {
            watched += 1
            g_object_weak_ref(
                object.assumingMemoryBound(to: GObject.self),
                { data, _ in Unmanaged<Watch>.fromOpaque(data!).takeUnretainedValue().note() },
                Unmanaged.passUnretained(self).toOpaque())
        }

        private nonisolated func note() { MainActor.assumeIsolated { gone += 1 } }
        var isEmpty: Bool { gone == watched }
    }

    @MainActor
    private static func check(
        _ name: String, destroysFirst: Bool, engine: NumberEngine = NumberEngine(), file: StaticString = #filePath,
        line: UInt = #line, _ prepare: (NumberList) -> Void
    ) {
        let watch = Watch()
        weak var list: PictureList?
        weak var slot: Slot?
        weak var suspender: ScrollSuspender?
        let renderer: Renderer
        do {
            let bench = NumberList(engine: engine, keeps: false)
            renderer = bench.renderer
            for object in [gpointer(bench.inner), gpointer(bench.list.widget), gpointer(bench.adjustment)] {
                watch.add(object)
            }
            prepare(bench)
            (list, slot, suspender) = (bench.list, bench.list.slots.all.first, bench.list.viewport.suspender)
            if destroysFirst {
                gtk_widget_destroy(bench.window)
                bench.list = nil
            } else {
                bench.list = nil
                gtk_widget_destroy(bench.window)
            }
        }
        XCTAssertFalse(renderer.isSuspended, name, file: file, line: line)
        XCTAssert(
            pump { renderer.waitingCount + renderer.runningCount == 0 && list == nil && slot == nil && watch.isEmpty },
            "\(name): \(renderer.waitingCount) wait, list \(list == nil), slot \(slot == nil), \(watch.gone) gone",
            file: file, line: line)
        XCTAssertNil(suspender, name, file: file, line: line)
    }

    func testNothingStays() {
        onMain {
            for first in [true, false] {
                Self.check("at rest", destroysFirst: first) { $0.pumpUntilComplete() }
                Self.check("while it is drawn", destroysFirst: first, engine: NumberEngine { _ in 50 }) { _ in }
                Self.check("while it scrolls", destroysFirst: first) { bench in
                    bench.pumpUntilComplete()
                    gtk_adjustment_set_value(bench.adjustment, 5_000)
                    pump(frames: 1, of: bench.inner)
                    XCTAssert(bench.list.isScrolling)
                }
                Self.check("before it has looked again", destroysFirst: first) { bench in
                    bench.pumpUntilComplete()
                    bench.list.scroll(to: 800)
                }
                Self.check("while it is resized", destroysFirst: first) { bench in
                    bench.pumpUntilComplete()
                    gtk_window_resize(cast(bench.window), 600, 500)
                    pump { bench.list.sizing.width == 584 }
                }
                Self.check("with a selection and a reader", destroysFirst: first) { bench in
                    bench.pumpUntilComplete()
                    _ = gtk_widget_get_accessible(bench.inner)
                    bench.click(100, 100)
                }
            }
        }
    }

    func testAListThatWasNeverShownGoes() {
        onMain {
            HostDisplay.start()
            let renderer = Renderer(engine: NumberEngine())
            let watch = Watch()
            weak var gone: PictureList?
            do {
                let list = PictureList(renderer: renderer, source: Numbers(10))
                watch.add(gpointer(list.widget))
                gone = list
            }
            XCTAssertNil(gone)
            XCTAssert(watch.isEmpty)
        }
    }

    func testLiveRowsGoWithTheirList() {
        onMain {
            for isShown in [true, false] {
                let watch = Watch()
                let bench = SnippetBench(rows: 3)
                bench.pumpUntilComplete()
                bench.list.makeLive(row: 0)
                XCTAssert(pump { isShown ? bench.list.isLive(row: 0) : bench.list.live.entries.first?.view != nil })
                weak let view = bench.list.live.entries.first?.view
                watch.add(gpointer(view!.widget))
                weak let list = bench.list
                bench.close()
                XCTAssert(pump { watch.isEmpty && list == nil && view == nil })
            }
        }
    }
}
