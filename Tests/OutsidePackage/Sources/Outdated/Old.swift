import Syncline

// As in a file that the compiler of another version wrote.
private nonisolated let format = Syncline.SyncGeneratedCode.format0
