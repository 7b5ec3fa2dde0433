// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "SyncEndpoint",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Syncline", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "SyncEndpoint",
      dependencies: [
        .product(name: "Syncline", package: "Syncline"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]
    )
  ],
  swiftLanguageModes: [.v6]
)
