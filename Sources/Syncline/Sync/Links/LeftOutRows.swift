/// Rows that a list no longer has, whose schema says that they are deleted.
struct LeftOutRows {
  let rows: [RowKey]
  let list: LinkPlace
  let policy: DeletionPolicy
}
