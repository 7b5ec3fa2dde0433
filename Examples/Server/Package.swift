// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Server",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Syncline", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.0.0"),
  ],
  targets: [
    .executableTarget(
      name: "Server",
      dependencies: [
        .product(name: "Syncline", package: "Syncline"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]
    )
  ],
  swiftLanguageModes: [.v6]
)
