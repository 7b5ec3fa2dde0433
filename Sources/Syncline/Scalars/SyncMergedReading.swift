/// A value of a payload, merged into the stored one.
public struct SyncMergedReading<Value> {
  /// The merged value; nil if the payload's value is unreadable.
  let value: Value?
  /// Whether the payload's value means null.
  private(set) var isNull = false
  /// The parts of the payload's value that could not be read, or only with loss.
  private(set) var faults: [SyncFault] = []

  init(_ value: Value?, faults: [SyncFault] = []) {
    self.value = value
    self.faults = faults
  }
}

extension SyncMergedReading where Value: SyncScalar {
  /// The payload's value in place of the stored one.
  init(replacing json: SyncValue, form: SyncForm) {
    switch Value.syncRead(json, form: form) {
    case .value(let read): self.init(read)
    case .inexact(let read): self.init(read, faults: Value.syncFaults(in: json, form: form))
    case .null:
      self.init(nil)
      isNull = true
    case .unreadable: self.init(nil, faults: Value.syncFaults(in: json, form: form))
    }
  }
}

extension SyncScalar {
  /// Replaces the stored value: only structs, unions of structs and maps have members to merge.
  public static func syncMerge(
    _ value: SyncValue, into stored: Self?, form: SyncForm
  ) -> SyncMergedReading<Self> {
    SyncMergedReading(replacing: value, form: form)
  }

  /// The value as it is after an export and a sync: digits of a date are lost, and members that exports omit are kept.
  func afterExport(form: SyncForm) -> Self? {
    guard let text = try? syncExport(form: form).utf8() else { return nil }
    return text.withUnsafeBytes { bytes in
      guard let tape = try? JSONDocument.scan(bytes) else { return nil }
      defer { tape.close() }
      return Self.syncMerge(tape.value(at: 0), into: self, form: form.exported).value
    }
  }
}
