extension Explanation {
  static let targets = pages(
    #"""
    ## SL091 invalid setting
    A target can have one `schema { … }` block, in any of its files. `access` is the access level of the generated types: `public`, `package` or `internal`. `imports: explicit` writes access levels on the imports in generated code, for targets whose own files do so (`internal import Base`). `keyStyle` is the spelling of the API's keys: `snakeCase`, `camelCase`, `pascalCase` or `kebabCase`. `null: ["", 0]` lists values that are read as null.
    - schema { access: open }
    + schema { access: public }

      model Task {
        id: Int
      }

    ## SL090 unknown import
    `import` names a target that has schema files and is a dependency of this target in `Package.swift`. On the command line, `--import Base=Schemas/Base` sets the folder of its schema files.
      // Schema.syncline
    - import Bse
    + import Base

      model Task {
        id: Int
        owner: User?
      }

      // Base/Base.syncline
      schema { access: public }

      model User {
        id: Int
      }

    ## SL092 colliding file names
    The generated file is named after the path of the schema file: `Models/Task.syncline` becomes `Models_Task.syncline.swift`. The index file is named after the target, `AppSchema.syncline.swift`.
      // Models/Task.syncline
      model Task {
        id: Int
      }

    - // Models_Task.syncline
    + // Models_Other.syncline
      model Other {
        id: Int
      }

    ## SL093 unusable import
    Generated Swift uses the types of the imported target, so they must be visible: `public`, or `package` if both targets are in one package. A type with the name of its target shadows the module, and hides all its other types.
      // Schema.syncline
      import Base

      model Task {
        id: Int
        owner: User?
      }

      // Base/Base.syncline
    + schema { access: public }
    +
      model User {
        id: Int
      }
    """#)
}
