// swift-tools-version: 6.1

import PackageDescription

// It runs and measures compilers, and has no dependencies, not even on the measured code.
let package = Package(
  name: "CompileTimes",
  platforms: [.macOS(.v14)],
  targets: [.executableTarget(name: "CompileTimes")],
  swiftLanguageModes: [.v6]
)
