extension RemotePath {
  /// The path of the object itself. A to-one relationship that is read from it reads another row from the same object.
  package static let itself = "."
}
