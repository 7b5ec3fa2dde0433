import SynclineNaming

/// The spelling of JSON keys that a schema does not specify: `project_id` or `projectId`.
public typealias KeyStyle = SynclineNaming.KeyStyle
