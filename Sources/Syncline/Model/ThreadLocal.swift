import Foundation

/// One object per thread, released when the thread ends.
struct ThreadLocal<Value: AnyObject>: Sendable {
  private let key: pthread_key_t?
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = pointer
      if let pointer { Unmanaged<AnyObject>.fromOpaque(pointer).release() }
    }
    self.key = code == 0 ? key : nil
    self.make = make
  }

  /// This thread's object. If the process has no more thread-local keys, a new one is created each time.
  var value: Value {
    guard let key else { return make() }
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<Value>.fromOpaque(pointer).takeUnretainedValue()
    }
    let value = make()
    let retained = Unmanaged.passRetained(value)
    if pthread_setspecific(key, retained.toOpaque()) != 0 { retained.release() }
    return value
  }
}
