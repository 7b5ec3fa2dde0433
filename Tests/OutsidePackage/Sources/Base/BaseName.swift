/// Swift of its own beside the schema.
public enum BaseInfo {
  public static let name = "Base"
}
