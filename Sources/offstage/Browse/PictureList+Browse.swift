import OffstageGTK
import OffstageWebKit

extension PictureList {
    var zoom: Double {
        get { 1 }
        set {}
    }
    enum S { case picture, live, thumbnail, stale, text }
    func shown(row: Int) -> S { .picture }
}
