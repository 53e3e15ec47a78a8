#if OFFSTAGE_THREAD_SANITIZER
    import Offstage

    typealias Mutex<Value> = WatchedMutex<Value>
#endif
