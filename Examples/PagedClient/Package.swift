// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "PagedClient",
  platforms: [.macOS(.v14)],
  traits: [.trait(name: "Server", description: "The client by AsyncHTTPClient, which builds a TLS library.")],
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
        .product(
          name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Server"])),
        .product(name: "FlyingFox", package: "FlyingFox"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      plugins: [.plugin(name: "SynclinePlugin", package: "Syncline")]
    )
  ],
  swiftLanguageModes: [.v6]
)
