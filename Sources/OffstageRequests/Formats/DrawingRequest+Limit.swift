import Offstage
import OffstageImages
import OffstageSound
import OffstageWebKit

extension DrawingRequest {
    /// The request for fewer files: its picture may be as large as the formats of these settings allow.
    package func limited(to settings: Settings) -> any DrawingRequest {
        let limit = Settings.limit(of: settings.variants)
        return replacingInnermost { request in
            switch request {
            case var snippet as Snippet:
                snippet.geometry.formatLimit = limit
                return snippet
            case var file as ImageFile:
                file.formatLimit = limit
                return file
            case var waveform as Waveform:
                waveform.formatLimit = limit
                return waveform
            default: return request
            }
        }
    }
}
