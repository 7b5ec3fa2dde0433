import SynclineNaming

/// How JSON keys are spelled where a schema names none: `project_id` or `projectId`.
public typealias KeyStyle = SynclineNaming.KeyStyle
