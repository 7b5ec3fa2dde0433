internal import Foundation
internal import LevelsBase
internal import Syncline

let level = PackageLevel(id: UUID(), base: Reference(id: 1))
