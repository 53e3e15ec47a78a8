import CWebKitGTK
import Offstage

/// The web process: its start, its end, and the limits of its time and memory.
extension WebStage {
    /// Makes a scene the stage's current one, and monitors the scene's time and the web process's memory until
    /// `endScene`.
    ///
    /// - Parameter report: called at the deadline, and after the grace.
    func begin(
        _ scene: Scene, seconds: Double, _ limits: SnippetLimits, report: @escaping (TimeLimit.Event) -> Void
    ) {
        scene.allowedHosts = hosts
        self.scene = scene
        timeLimit.start(seconds: seconds, grace: limits.grace, report: report)
        memoryWatch.start(process, limit: limits.memory) { [weak self] memory in
            guard let self else { return }
            memoryWatch.stop()
            // WebKit does not notice if a process ends before it has started.
            if memory == 0 { return webProcessEnded() }
            end(.overMemory(LimitExcess(.memory, allowed: limits.memory, measured: memory)))
        }
    }

    func endScene() {
        timeLimit.stop()
        memoryWatch.stop()
        scene = nil
    }

    /// The web process has requested something.
    func noteStart() {
        guard life.start() else { return }
        process?.hasStarted()
        becameFree()
    }

    /// WebKit reports that the web process ended, by itself or because Offstage killed it.
    func webProcessEnded() {
        end(.crashed)
        if scene == nil { becameFree() }
    }

    /// Marks the stage as lost and fails the current drawing. The engine then closes the stage.
    func end(_ cause: ProcessLoss.Cause) {
        life.lose(cause)
        interrupt?(.lost(cause))
    }
}
