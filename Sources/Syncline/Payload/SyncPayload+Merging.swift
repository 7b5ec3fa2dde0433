/// Reading values that are merged into the stored ones: `@Merged`. Generated code calls these. They throw as those for scalars.
@_spi(Generated)
extension SyncPayload {
  /// The value of an optional property of a new row. If it is absent or unreadable, returns the default, or nil.
  public func merged<Value: SyncScalar>(
    for key: SyncKey, as type: Value.Type, default: Value? = nil
  ) -> Value? {
    var merged = MergedValue<Value>(nil, from: object, at: key)
    // An incomplete value adds its members to the default, with the same result as when it is synced again.
    if !merged.isStated, let `default` { merged = MergedValue(`default`, from: object, at: key) }
    merged.report(merged.isStated || `default` == nil ? nil : .usedDefault)
    return merged.value
  }

  /// The value of a required property of a new row.
  public func requiredMerged<Value: SyncScalar>(
    _ type: Value.Type, for key: SyncKey, default: Value? = nil
  ) throws -> Value {
    let merged = MergedValue<Value>(nil, from: object, at: key)
    guard let value = try merged.required(in: object, at: key) ?? `default` else {
      throw object.error(object.cursor(key), property: object.name(key), type: type)
    }
    merged.report()
    return value
  }

  /// Merges the payload's value into a required property of a stored row.
  public func merge<Value: SyncScalar>(
    _ property: inout Value, for key: SyncKey, changed: inout Bool
  ) throws {
    if object.settings.leavesOutMerged { return }
    let merged = MergedValue(property, from: object, at: key)
    let value = try merged.required(in: object, at: key)
    merged.report()
    guard let value, merged.isStated, !isSame(property, value, at: key) else { return }
    property = value
    changed = true
  }

  /// Merges the payload's value into an optional property of a stored row.
  public func merge<Value: SyncScalar>(
    _ property: inout Value?, for key: SyncKey, changed: inout Bool
  ) throws {
    if object.settings.leavesOutMerged { return }
    let merged = MergedValue(property, from: object, at: key)
    merged.report()
    guard merged.isStated, !isSame(property, merged.value, at: key) else { return }
    property = merged.value
    changed = true
  }

  /// Whether a stored value and the merged one count as equal, because the payload has the values that an export writes.
  private func isSame<Value: SyncScalar>(_ stored: Value?, _ new: Value?, at key: SyncKey) -> Bool {
    guard let stored, let new else { return stored == nil && new == nil }
    if Value.syncIsSame(stored, new) { return true }
    let form = object.form(object.format(key) ?? object.outputFormat)
    guard let exported = stored.afterExport(form: form) else { return false }
    let merged = MergedValue(exported, from: object, at: key)
    return merged.value.map { Value.syncIsSame(exported, $0) } ?? false
  }
}
