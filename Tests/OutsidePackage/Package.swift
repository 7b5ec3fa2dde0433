// swift-tools-version: 6.2

import PackageDescription

// A package as a user would write it: targets that list the plugin, one that imports the schemas of others, some whose
// default isolation is the main actor, some whose names are no identifiers, and models that have the names of well-known
// types and of words of Swift.
let syncline = Target.Dependency.product(name: "Syncline", package: "Syncline")
let plugin = Target.PluginUsage.plugin(name: "SynclinePlugin", package: "Syncline")

let package = Package(
  name: "OutsidePackage",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Syncline", path: "../..")],
  targets: [
    .target(name: "Base", dependencies: [syncline], plugins: [plugin]),
    .target(
      name: "Hostile", dependencies: [syncline, "Base"],
      swiftSettings: [.defaultIsolation(MainActor.self), .enableUpcomingFeature("InternalImportsByDefault")],
      plugins: [plugin]),
    .target(name: "odd-app", dependencies: [syncline], plugins: [plugin]),
    .target(
      name: "9-lives", dependencies: [syncline], swiftSettings: [.defaultIsolation(MainActor.self)],
      plugins: [plugin]),
    .target(name: "my.app", dependencies: [syncline, "odd-app", "9-lives"], plugins: [plugin]),
    .executableTarget(
      name: "App", dependencies: [syncline, "Base", "Hostile", "my.app", "odd-app", "9-lives"]),
    // What another version's compiler wrote: it does not compile.
    .target(name: "Outdated", dependencies: [syncline]),
  ],
  swiftLanguageModes: [.v6]
)
