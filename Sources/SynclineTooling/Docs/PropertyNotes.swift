import SynclineCompiler

/// Describes how a property is read and what its attributes do.
enum PropertyNotes {
  static func all(on property: Property) -> [String] {
    var notes: [String] = []
    if property.isPosition {
      notes.append("The index of the row in the synced list, counted from 0.")
    } else if property.isLocal || property.isTransient {
      // It is not read from payloads, so there are no accepted values to describe.
    } else if let transform = property.transform {
      notes.append("Converted by \(transform.value).")
    } else if let type = property.valueType {
      notes.append(sources(of: type))
    } else if property.isRelationship {
      notes.append(
        property.isObjectItself
          ? "Read from the same object."
          : property.isToMany ? "A list of keys or objects." : "A key or an object.")
    }
    if let format = property.dateFormat { notes.append("In the format \(format.value).") }
    if let pattern = property.keyPatterns.first { notes.append("Keys have the form \(pattern.value).") }
    if !property.nulls.isEmpty {
      let words = property.nulls.map(\.text)
      notes.append("\(words.joined(separator: ", ")) \(words.count == 1 ? "is" : "are") read as null.")
    }
    if let depth = property.oneOrManyDepth {
      notes.append(
        depth > 0 ? "A single value is read as a list of one." : "A list of one is read as its element.")
    }
    if property.identityMaker != nil { notes.append("Assigned by the server.") }
    if property.createsUnknown { notes.append("A key whose row is not stored creates the row.") }
    if let lookup = property.lookup {
      notes.append("A key is a value of \(property.target ?? "").\(lookup).")
    }
    if property.isUnique { notes.append("No two rows have the same value.") }
    if property.isMerged { notes.append("An object replaces only the members that it contains.") }
    if property.defaultValue != nil { notes.append("Has a default.") }
    if property.isTransient { notes.append("Not stored.") }
    if property.isLocal { notes.append("Stored on this device only.") }
    if let relationship = property.relationship {
      if let inverse = relationship.inverse {
        notes.append("The other end is \(property.target ?? "").\(inverse).")
      }
      switch relationship.deleteRule {
      case .cascade: notes.append("Deleted with the row.")
      case .deny: notes.append("The row cannot be deleted while it has related rows.")
      case .nullify, nil: break
      }
      if relationship.missing == .keep { notes.append("A list only adds links.") }
      if !property.isToMany, relationship.missing != nil { notes.append("Null deletes the related row.") }
    }
    switch property.writtenExport {
    case .never: notes.append("Not exported.")
    case .identities: notes.append("Exported as keys.")
    case .objects: break
    }
    return notes
  }

  static func sources(of type: ValueType) -> String {
    switch type {
    case .scalar(let scalar):
      switch scalar {
      case .string: "A string, a number or a boolean."
      case .bool: "true, false, 0, 1, or one of the strings true, false, 0, 1, yes and no."
      case .double, .float, .decimal: "A number, or a string that contains one."
      case .date: "An ISO 8601 string, or Unix time."
      case .uuid: "A string of 36 characters."
      case .url: "A string that is a URL."
      case .data: "A Base64 string."
      case .json: "Anything."
      case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64:
        "A whole number, or a string that contains one."
      }
    case .enumeration: "One of the enum's values. Other values are stored unchanged."
    case .structure, .union: "An object."
    case .list: "A list."
    case .map: "An object with any keys."
    }
  }
}
