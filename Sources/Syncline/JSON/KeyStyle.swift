import SynclineNaming

/// How JSON keys are spelled if the schema states none: `project_id`, `projectId`, `ProjectId` or `project-id`.
public typealias KeyStyle = SynclineNaming.KeyStyle
