/// As much of Apple's C library as differs from others where Syncline calls it, to check types elsewhere.
@_exported import Glibc

extension stat {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public var st_mtimespec: timespec { st_mtim }
}
