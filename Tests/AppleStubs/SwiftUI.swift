/// As much of SwiftUI as Syncline's property wrappers use, to check their types where there is no SwiftUI.
@MainActor @preconcurrency public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
public struct Text: View {
  public init(_ text: String) {}
  public var body: Never { fatalError() }
}
public struct List<Data: RandomAccessCollection, Row: View>: View where Data.Element: Identifiable {
  public init(_ data: Data, row: @escaping (Data.Element) -> Row) {}
  public var body: Never { fatalError() }
}
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}
public struct EnvironmentValues: Sendable {
  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { Key.defaultValue }
    set {}
  }
}
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}
@propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value
}
extension View {
  public func environment<Value>(_ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value)
    -> some View
  { self }
}

// Declarations that only the example of an app uses.
@MainActor @preconcurrency public protocol Scene {}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}
extension App { public static func main() {} }
public struct WindowGroup<Content: View>: Scene {
  public init(content: () -> Content) {}
}
extension View {
  public func task(_ action: @escaping @isolated(any) @Sendable () async -> Void) -> some View { self }
}
