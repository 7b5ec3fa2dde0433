#if canImport(SwiftUI)
  import SwiftUI

  private struct SyncContainerKey: EnvironmentKey {
    static var defaultValue: SyncContainer? { nil }
  }

  extension EnvironmentValues {
    /// The container that the queries of views read.
    public var syncContainer: SyncContainer? {
      get { self[SyncContainerKey.self] }
      set { self[SyncContainerKey.self] = newValue }
    }
  }

  extension View {
    /// Sets the container that the queries of this view and of the views in it read.
    public func syncContainer(_ container: SyncContainer) -> some View {
      environment(\.syncContainer, container)
    }
  }
#endif
