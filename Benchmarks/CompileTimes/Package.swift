// swift-tools-version: 6.1

import PackageDescription

// It runs the compilers and measures them: it depends on nothing, not even on what it measures.
let package = Package(
  name: "CompileTimes",
  platforms: [.macOS(.v14)],
  targets: [.executableTarget(name: "CompileTimes")],
  swiftLanguageModes: [.v6]
)
