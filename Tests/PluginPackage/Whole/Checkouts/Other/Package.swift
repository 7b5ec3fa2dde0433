// swift-tools-version: 6.1

import PackageDescription

let package = Package(name: "Other", targets: [.target(name: "Other")])
