import Foundation

/// Binds a payload's object to the parameters of an insertion, without making a model value.
///
/// Conservative: values that need more than a simple conversion to the column's kind are left to `make`.
final class DirectInsert {
  private let table: SyncTable
  private let form: SyncForm
  private let scratch: StoredTextScratch

  init(_ table: SyncTable, _ style: KeyStyle, _ scratch: StoredTextScratch) {
    self.table = table
    form = SyncForm(style: style)
    self.scratch = scratch
  }

  /// Binds the columns to the parameters that begin with the first one.
  ///
  /// A string without escapes is bound as a pointer into the payload: the statement runs before the payload is freed, and its
  /// parameters are bound again before its next run.
  ///
  /// - Returns: whether all columns are bound.
  func bind(
    _ object: PayloadObject, _ identity: SyncIdentity, to statement: SyncStatement, from first: Int32 = 1
  ) -> Bool {
    guard let keys = object.keys else { return false }
    identity.bind(to: statement, at: first + Int32(truncatingIfNeeded: table.identity))
    for compared in table.comparedProperties {
      let parameter = first + Int32(truncatingIfNeeded: compared.position)
      if compared.position == table.place, let place = object.placeInList {
        statement.bind(Int64(place), at: parameter)
        continue
      }
      switch object.first(of: compared.position, in: keys) {
      case .found(let value):
        guard
          bind(value, compared, to: statement, at: parameter)
            ?? table.properties[compared.position].bindPayload?(
              value, form.with(table.format(of: compared)), statement, parameter) ?? false
        else { return false }
      case .null where compared.isOptional: statement.bindNull(at: parameter)
      case .absent where compared.isOptional && !compared.hasDefault: statement.bindNull(at: parameter)
      case .null, .absent, .unreadable: return false
      }
    }
    return true
  }

  /// - Returns: whether the value is bound; nil for kinds that the property has to read as values.
  private func bind(
    _ value: SyncValue, _ property: ComparedProperty, to statement: SyncStatement, at parameter: Int32
  ) -> Bool? {
    switch property.kind {
    case .scalar(.integer(let range)):
      guard value.isNumber, let integer = NumberText.plainInteger(value.content), range.contains(integer)
      else {
        return false
      }
      statement.bind(integer, at: parameter)
    case .scalar(.text):
      guard value.isString else { return false }
      if value.hasEscapes {
        value.withText { statement.bind(text: $0, at: parameter) }
      } else {
        statement.bind(lastingText: value.content, at: parameter)
      }
    case .scalar(.bool):
      guard let bool = value.bool else { return false }
      statement.bind(Int64(bool ? 1 : 0), at: parameter)
    case .scalar(.double):
      guard value.isNumber, let double = NumberText.double(value.content) else { return false }
      statement.bind(double, at: parameter)
    case .scalar(.date):
      let format = table.format(of: property)
      guard let instant = Instant(value, format: format) else { return false }
      if format == nil, value.isString {
        instant.bindStored(to: statement, at: parameter, readFrom: value.content)
      } else {
        instant.bindStored(to: statement, at: parameter)
      }
    case .scalar(.uuid):
      guard value.isString, let uuid = value.withText(UUID.init(text:))?.uuid else { return false }
      withUnsafeBytes(of: uuid) { statement.bind(blob: $0, at: parameter) }
    case .scalar(.value):
      guard let transcribe = table.properties[property.position].transcribe else { return nil }
      return scratch.withText(of: value, form, transcribe) { statement.bind(text: $0, at: parameter) } != nil
    case .scalar: return nil
    case .toOne, .elsewhere: return false
    }
    return true
  }
}
