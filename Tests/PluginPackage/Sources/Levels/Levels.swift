private import Foundation
internal import LevelsBase
private import Syncline

/// The models of a schema that nobody outside sees.
public var names: [String] { LevelsSchema.models.map { "\($0)" }.sorted() }

private let base = Base(id: 1, day: Date.distantPast)
