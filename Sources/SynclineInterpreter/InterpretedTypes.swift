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

  /// The type of a value.
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

  /// Reserves the types that a schema declares.
  mutating func reserve(_ schema: Schema) {
    func number(_ name: String) -> any TypeNumber.Type {
      let number = Declarations.reserve(name)
      numbers[Name(module: schema.target, name: name)] = number
      return number
    }
    func enumeration<Number: TypeNumber>(_ number: Number.Type, _ raw: Enumeration.RawType)
      -> any SyncScalar.Type
    {
      switch raw {
      case .string: InterpretedEnum<Number, String>.self
      case .int: InterpretedEnum<Number, Int>.self
      }
    }
    func structure<Number: TypeNumber>(_ number: Number.Type) -> any SyncScalar.Type {
      InterpretedStruct<Number>.self
    }
    func valueUnion<Number: TypeNumber>(_ number: Number.Type) -> any SyncScalar.Type {
      InterpretedValueUnion<Number>.self
    }
    func modelUnion<Number: TypeNumber>(_ number: Number.Type) -> any SyncUnion.Type {
      InterpretedUnion<Number>.self
    }
    for declared in schema.enums {
      let name = Name(module: schema.target, name: declared.name)
      enumerations[name] = declared
      values[name] = enumeration(number(declared.name), declared.rawType)
    }
    for declared in schema.structs {
      values[Name(module: schema.target, name: declared.name)] = structure(number(declared.name))
    }
    for declared in schema.unions {
      let name = Name(module: schema.target, name: declared.name)
      if declared.isOfValues {
        values[name] = valueUnion(number(declared.name))
      } else {
        modelUnions[name] = modelUnion(number(declared.name))
      }
    }
    for declared in schema.models {
      models[Name(module: schema.target, name: declared.name)] = model(declared, number(declared.name))
    }
  }

  private func model(_ model: Model, _ number: any TypeNumber.Type) -> (any SyncUpdatableModel.Type)? {
    func made<Number: TypeNumber, ID: SyncIdentityValue>(
      _ number: Number.Type, _ identity: ID.Type
    ) -> any SyncUpdatableModel.Type {
      InterpretedModel<Number, ID>.self
    }
    func composite<Number: TypeNumber>(_ number: Number.Type) -> any SyncUpdatableModel.Type {
      made(number, InterpretedID<Number>.self)
    }
    guard let identity = model.identityProperty else { return nil }
    if identity.isComposite { return composite(number) }
    guard case .value(.scalar(let scalar)) = identity.type,
      let type = scalar.type as? any SyncIdentityValue.Type
    else { return nil }
    return made(number, type)
  }
}

extension ScalarType {
  /// The type in Swift.
  fileprivate var type: (any SyncScalar.Type)? {
    SyncStoredType.Scalar(rawValue: rawValue).map { SyncStoredType($0).scalarType }
  }
}
