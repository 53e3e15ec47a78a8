#if OFFSTAGE_THREAD_SANITIZER
    import Offstage

    typealias Mutex<Value> = Offstage.Mutex<Value>
#endif
