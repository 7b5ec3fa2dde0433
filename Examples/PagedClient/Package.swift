// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "PagedClient",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "Syncline", path: "../.."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .executableTarget(
      name: "PagedClient",
      dependencies: [
        .product(name: "Syncline", package: "Syncline"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]
    )
  ],
  swiftLanguageModes: [.v6]
)
