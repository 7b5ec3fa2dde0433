import Syncline

extension SyncChanges {
  /// The models for which the notices of a call differ from its report, with both counts.
  package func disagreements(with report: SyncReport) -> [(model: String, text: String)] {
    Set(report.models.keys).union(tables.keys).sorted().compactMap { name in
      let counts = report.models[name] ?? SyncReport.Counts()
      let kinds = tables[name]?.rows.values
      let noticed = [Kind.inserted, .updated, .deleted].map { kind in kinds?.count { $0 == kind } ?? 0 }
      let reported = [
        counts.inserted, counts.updated + counts.softDeleted + counts.reactivated, counts.deleted,
      ]
      return noticed == reported ? nil : (name, "noticed \(noticed), reported \(reported)")
    }
  }
}
