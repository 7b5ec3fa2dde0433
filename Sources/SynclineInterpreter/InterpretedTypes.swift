import Syncline
import SynclineCompiler

/// The types of a schema and of the schemas it imports, by target and name.
struct InterpretedTypes {
  private struct Name: Hashable {
    let module: String
    let name: String
  }

  private var models: [Name: any SyncUpdatableModel.Type] = [:]
  private var modelUnions: [Name: any SyncUnion.Type] = [:]
  private var values: [Name: any SyncScalar.Type] = [:]
  private var numbers: [Name: any TypeNumber.Type] = [:]
  private var enumerations: [Name: Enumeration] = [:]

  private func name(_ name: String, in schema: Schema) -> Name {
    let isImported = !schema.declares(name)
    return Name(module: (isImported ? schema.importedModules[name] : nil) ?? schema.target, name: name)
  }

  func model(_ name: String, in schema: Schema) -> (any SyncUpdatableModel.Type)? {
    models[self.name(name, in: schema)]
  }

  func modelUnion(_ name: String, in schema: Schema) -> (any SyncUnion.Type)? {
    modelUnions[self.name(name, in: schema)]
  }

  func number(_ name: String, in schema: Schema) -> (any TypeNumber.Type)? {
    numbers[self.name(name, in: schema)]
  }

  func enumeration(_ name: String, in schema: Schema) -> Enumeration? {
    enumerations[self.name(name, in: schema)]
  }

  func value(_ type: ValueType, in schema: Schema) -> (any SyncScalar.Type)? {
    switch type {
    case .scalar(let scalar): return scalar.type
    case .enumeration(let name), .structure(let name), .union(let name):
      return values[self.name(name, in: schema)]
    case .list(let element):
      func list<Element: SyncScalar>(of type: Element.Type) -> any SyncScalar.Type { [Element].self }
      return value(element, in: schema).map { list(of: $0) }
    case .map(let element):
      func map<Element: SyncScalar>(of type: Element.Type) -> any SyncScalar.Type { [String: Element].self }
      return value(element, in: schema).map { map(of: $0) }
    }
  }

  mutating func reserve(_ schema: Schema) {
    func number(_ name: String) -> any TypeNumber.Type {
      let number = Declarations.reserve(name)
      numbers[Name(module: schema.target, name: name)] = number
      return number
    }
    for declared in schema.enums {
      let name = Name(module: schema.target, name: declared.name)
      enumerations[name] = declared
      values[name] = number(declared.name).enumeration(declared.rawType)
    }
    for declared in schema.structs {
      values[Name(module: schema.target, name: declared.name)] = number(declared.name).structure
    }
    for declared in schema.unions {
      let name = Name(module: schema.target, name: declared.name)
      if declared.isOfValues {
        values[name] = number(declared.name).valueUnion
      } else {
        modelUnions[name] = number(declared.name).modelUnion
      }
    }
    for declared in schema.models {
      models[Name(module: schema.target, name: declared.name)] = model(declared, number(declared.name))
    }
  }

  private func model(_ model: Model, _ number: any TypeNumber.Type) -> (any SyncUpdatableModel.Type)? {
    guard let identity = model.identityProperty else { return nil }
    if identity.isComposite { return number.compositeModel }
    guard case .value(.scalar(let scalar)) = identity.type,
      let type = scalar.type as? any SyncIdentityValue.Type
    else { return nil }
    return number.model(type)
  }
}

/// The types that are composed with a number.
extension TypeNumber {
  fileprivate static var structure: any SyncScalar.Type { InterpretedStruct<Self>.self }
  fileprivate static var valueUnion: any SyncScalar.Type { InterpretedValueUnion<Self>.self }
  fileprivate static var modelUnion: any SyncUnion.Type { InterpretedUnion<Self>.self }
  fileprivate static var compositeModel: any SyncUpdatableModel.Type { model(InterpretedID<Self>.self) }

  fileprivate static func enumeration(_ raw: Enumeration.RawType) -> any SyncScalar.Type {
    switch raw {
    case .string: InterpretedEnum<Self, String>.self
    case .int: InterpretedEnum<Self, Int>.self
    }
  }

  fileprivate static func model<ID: SyncIdentityValue>(_ identity: ID.Type) -> any SyncUpdatableModel.Type {
    InterpretedModel<Self, ID>.self
  }
}

extension ScalarType {
  fileprivate var type: (any SyncScalar.Type)? {
    SyncStoredType.Scalar(rawValue: rawValue).map { SyncStoredType($0).scalarType }
  }
}
