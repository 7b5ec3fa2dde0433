// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Rooms",
  platforms: [.macOS(.v14)],
  targets: [
    .systemLibrary(name: "CIndexStore"),
    .executableTarget(name: "Rooms", dependencies: ["CIndexStore"]),
  ],
  swiftLanguageModes: [.v6]
)
