/// The result of merging a payload's value into the stored value.
@_spi(Generated)
public struct SyncMergedReading {
  /// Whether the payload's value could be read. If not, the stored value is unchanged.
  let isRead: Bool
  /// Whether the payload's value means null.
  private(set) var isNull = false
  /// The parts of the payload's value that could not be read, or only with loss.
  private(set) var faults: [SyncFault] = []

  init(isRead: Bool, faults: [SyncFault] = []) {
    self.isRead = isRead
    self.faults = faults
  }

  init<Value: SyncScalar>(replacing stored: inout Value?, with json: SyncValue, form: SyncForm) {
    switch Value.syncRead(json, form: form) {
    case .value(let read):
      stored = read
      self.init(isRead: true)
    case .inexact(let read):
      stored = read
      self.init(isRead: true, faults: Value.syncFaults(in: json, form: form))
    case .null:
      self.init(isRead: false)
      isNull = true
    case .unreadable: self.init(isRead: false, faults: Value.syncFaults(in: json, form: form))
    }
  }
}

@_spi(Generated)
extension SyncScalar {
  /// Replaces the stored value: only structs, unions of structs and maps have members to merge.
  public static func syncMerge(
    _ value: SyncValue, into stored: inout Self?, form: SyncForm
  ) -> SyncMergedReading {
    SyncMergedReading(replacing: &stored, with: value, form: form)
  }

  /// The value as it is after an export and a sync: digits of a date are lost, and members that exports omit are kept.
  func afterExport(form: SyncForm) -> Self? {
    guard let text = try? syncExport(form: form).utf8() else { return nil }
    return try? JSONDocument.read(text) { json in
      var merged: Self? = self
      return Self.syncMerge(json, into: &merged, form: form.exported).isRead ? merged : nil
    }
  }
}
