import Offstage
import OffstageLists

/// Receives the pictures of slots.
@MainActor
protocol SlotOwner: AnyObject {
    /// The size at which slots request pictures now.
    var sizing: PictureSizing { get }
    /// Further sizes at which memory may have thumbnails.
    var otherSizings: [PictureSizing] { get }
    func pictureArrived(_ picture: RowPicture, in slot: Slot)
    func pictureFailed(_ error: RenderError, in slot: Slot)
}

extension SlotOwner {
    var otherSizings: [PictureSizing] { [] }
}

/// The slots of the items on the screen and near it. Slots of items that have left are reassigned to items that come
/// near, so there are only as many slots as items fit on two screens.
@MainActor
final class PictureSlots {
    /// The options of the slots' requests.
    struct Options {
        var group: String?
        var showsStale = false
        var thumbnail: PixelSize?
        /// True if a slot shows only the thumbnail.
        var showsOnlyThumbnails = false
    }

    let renderer: Renderer
    let source: any ListSource
    let options: Options
    weak var owner: (any SlotOwner)?
    /// The visible items and those near them, as of the last frame.
    private(set) var window = ListWindow()
    /// As many slots as were ever needed at once. Some may be empty.
    private(set) var all: [Slot] = []
    /// False after `close`: the slots make no more requests.
    private(set) var isOpen = true
    private var table = RowSlots()
    private var visits = 0
    /// The priorities of the latest plan.
    private var priorities: [Int: RenderPriority] = [:]

    init(renderer: Renderer, source: any ListSource, options: Options) {
        self.renderer = renderer
        self.source = source
        self.options = options
    }

    /// The slot that shows an item.
    subscript(item: Int) -> Slot? { table[item].map { all[$0] } }

    // MARK: Recycling

    /// Reassigns the slots of items that have left to items that have come near.
    func move(to window: ListWindow) {
        self.window = window
        let (leaving, arriving) = table.show(window.near)
        release(leaving)
        for change in arriving {
            while all.count <= change.slot { all.append(Slot()) }
            all[change.slot].take(change.row, identifier: source.identifier(at: change.row))
        }
    }

    /// Empties all slots.
    func clear() { release(table.show(0..<0).leaving) }

    /// Cancels all requests, and makes no more.
    func close() {
        isOpen = false
        clear()
        all = []
    }

    /// Items after new ones keep their slots.
    func insert(_ count: Int, at item: Int) {
        table.insert(count, at: item)
        renumber()
    }

    /// Items after removed ones keep their slots.
    func remove(_ items: Range<Int>) {
        release(table.remove(items))
        renumber()
    }

    private func release(_ changes: [RowSlots.Change]) { for change in changes { all[change.slot].clear() } }

    private func renumber() { for item in table.rows { self[item]?.setItem(item) } }

    // MARK: Requests

    /// Requests the pictures of slots that have not requested them yet, in the order of a plan.
    ///
    /// - Returns: the entries of the plan that have no slot.
    func requestMissing(_ plan: SightPlan) -> [SightPlan.Entry] {
        priorities = Dictionary(uniqueKeysWithValues: plan.entries.map { ($0.item, $0.priority) })
        // An item that will leave before it can be drawn is requested only if nothing else waits.
        for item in table.rows {
            if let slot = self[item], slot.isAsked { slot.request?.setPriority(priority(of: item)) }
        }
        return plan.entries.filter { entry in
            guard let slot = self[entry.item] else { return true }
            if !slot.isAsked { request(entry.item) }
            return false
        }
    }

    /// Lets `requestMissing` request all pictures again, at another size.
    func expire() { for item in Array(table.rows) { self[item]?.isAsked = false } }

    /// Requests all pictures again at once.
    func requestAll() { for item in Array(table.rows) { request(item) } }

    /// Requests an item's picture. The slot shows an older picture of the same item until then.
    func request(_ item: Int) {
        guard let slot = self[item], let owner, owner.sizing.width > 0, isOpen else { return }
        slot.rename(source.identifier(at: item))
        slot.withdraw()
        slot.isAsked = true
        slot.hasFailed = false
        visits += 1
        slot.visit = visits
        if source.isReady(at: item) { return submit(slot, visits) }
        slot.task = Task { [weak self, weak slot, source, visit = visits] in
            // The item may have left by now, or have another number.
            guard let item = slot?.item(at: visit) else { return }
            await source.makeReady(at: item)
            guard let self, let slot, slot.visit == visit, isOpen else { return }
            submit(slot, visit)
        }
    }

    func priority(of item: Int) -> RenderPriority { priorities[item] ?? .low }
}
