internal import Foundation
internal import Syncline

func store() throws -> SyncContainer { try SyncContainer(for: LevelsBaseSchema.self) }
let distantPast = Date.distantPast
