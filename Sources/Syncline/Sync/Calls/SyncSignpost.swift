#if canImport(os)
  import os
#endif

/// An interval in Instruments for the time that a call runs. Apple platforms only; it has not been tested there.
struct SyncSignpost {
  #if canImport(os)
    private static let signposter = OSSignposter(subsystem: "Syncline", category: "Syncs")
    private let state: OSSignpostIntervalState

    init(_ model: String) {
      state = SyncSignpost.signposter.beginInterval("Sync", "\(model)")
    }

    func end() { SyncSignpost.signposter.endInterval("Sync", state) }
  #else
    init(_ model: String) {}
    func end() {}
  #endif
}
