/// Isolated to the main actor, as all of the target is but for what is generated.
public final class MainActorState {
  public var selected: Task?

  public init() {}
}
