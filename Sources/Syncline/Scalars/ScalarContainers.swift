/// A list of values.
protocol ScalarList {
  static var element: any SyncScalar.Type { get }
}

extension Array: ScalarList where Element: SyncScalar {
  static var element: any SyncScalar.Type { Element.self }
}

/// A map of values.
protocol ScalarMap {
  static var value: any SyncScalar.Type { get }
}

extension Dictionary: ScalarMap where Key == String, Value: SyncScalar {
  static var value: any SyncScalar.Type { Value.self }
}
