// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ReadingListApp",
  platforms: [.macOS(.v14), .iOS(.v17)],
  dependencies: [.package(name: "Syncline", path: "../..")],
  targets: [
    .executableTarget(
      name: "ReadingListApp",
      dependencies: [.product(name: "Syncline", package: "Syncline")],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")])
  ]
)
