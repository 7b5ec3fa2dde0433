import Syncline

// After a change of the schema, generate the code again: swift package --allow-writing-to-package-directory
// syncline generate
let container = try SyncContainer(for: CheckedInSchema.self)
let payload = """
  [
    {"isbn": "978-0", "title": "The First", "year": 1987, "author": {"id": 1, "name": "Ann"}},
    {"isbn": "978-1", "title": "The Second", "author": {"id": 1, "name": "Ann"}}
  ]
  """
let report = try await container.sync(payload: payload, as: Book.self)
print("\(report.inserted) rows")
for book in try container.export(as: Book.self) { print(book) }
