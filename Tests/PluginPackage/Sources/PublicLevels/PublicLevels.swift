internal import Foundation
internal import LevelsBase
internal import Syncline

let level = PublicLevel(id: UUID(), base: Reference(id: 1))
