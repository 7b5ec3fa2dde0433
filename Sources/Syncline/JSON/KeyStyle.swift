import SynclineNaming

/// The style of JSON keys that the schema does not state: `project_id`, `projectId`, `ProjectId` or
/// `project-id`.
public typealias KeyStyle = SynclineNaming.KeyStyle
