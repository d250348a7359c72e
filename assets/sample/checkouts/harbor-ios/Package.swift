// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Harbor",
    targets: [.target(name: "Harbor", path: "Sources/Harbor")]
)
