import Inner
import Levels
import Outer
import PackageLevels
import ParcelService
import PublicLevels
import Shared
import Syncline
import Whole

@main struct Situations {
  static func main() async throws {
    func names(_ schema: any SyncSchema.Type) -> [String] { schema.models.map { "\($0)" }.sorted() }
    print("Outer", names(OuterSchema.self))
    print("Inner", names(InnerSchema.self))
    print("ParcelService", names(ParcelServiceSchema.self))
    print("Levels", Levels.names)
    print("PackageLevels", names(PackageLevelsSchema.self))
    print("PublicLevels", names(PublicLevelsSchema.self))
    print("Shared", sharedModels, names(SharedSchema.self))
    print("Whole", names(WholeSchema.self))
    print("Situations", names(SituationsSchema.self))
    let container = try SyncContainer(for: SituationsSchema.self)
    try await container.sync(payload: #"[{"id": 1, "person": {"id": 2, "name": "Ada"}}]"#, as: Guest.self)
    print(String(decoding: try await container.exportData(as: Guest.self), as: UTF8.self))
  }
}
