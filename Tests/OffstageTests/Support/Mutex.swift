#if OFFSTAGE_THREAD_SANITIZER
    @testable import Offstage

    typealias Mutex<Value> = Offstage.Mutex<Value>
#endif
