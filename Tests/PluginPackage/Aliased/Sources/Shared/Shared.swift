/// The models, by the name that the package gives its schema.
public var sharedModels: [String] { SharedSchema.models.map { "\($0)" } }
