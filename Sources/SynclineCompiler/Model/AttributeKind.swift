/// The attributes of the language.
enum AttributeKind: String, Sendable, CaseIterable {
  case primaryKey = "PrimaryKey"
  case remoteKey = "RemoteKey"
  case keyPattern = "KeyPattern"
  case dateFormat = "DateFormat"
  case transform = "Transform"
  case notExport = "NotExport"
  case export = "Export"
  case relationship = "Relationship"
  case transient = "Transient"
  case index = "Index"
  case parentScoped = "ParentScoped"
  case updatedAt = "UpdatedAt"
  case softDelete = "SoftDelete"
  case offline = "Offline"
  case renamedFrom = "RenamedFrom"
  case typeName = "TypeName"
}
