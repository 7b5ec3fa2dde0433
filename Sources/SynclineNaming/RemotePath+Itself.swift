extension RemotePath {
  /// The path of the row's object itself. A to-one relationship with this path reads another row from the same object.
  package static let itself = "."
}
