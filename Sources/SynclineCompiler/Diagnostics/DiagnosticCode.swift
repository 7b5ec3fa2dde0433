/// The stable codes of the compiler's diagnostics. The meaning of a code never changes.
public enum DiagnosticCode: String, Sendable, CaseIterable {
  // Text
  case unexpectedCharacter = "SL001"
  case unterminatedString = "SL002"
  case unterminatedComment = "SL003"
  case unexpectedToken = "SL004"
  case invalidLiteral = "SL005"
  case tooDeep = "SL006"
  // Names
  case duplicateDeclaration = "SL010"
  case duplicateProperty = "SL011"
  case unknownType = "SL012"
  case duplicateCase = "SL013"
  case duplicateRawValue = "SL014"
  case unusableName = "SL015"
  case unknownAttribute = "SL016"
  case invalidArgument = "SL017"
  case misplacedAttribute = "SL018"
  case duplicateAttribute = "SL019"
  case unknownKeyPath = "SL020"
  case invalidType = "SL021"
  case emptyEnum = "SL022"
  case invalidRawValue = "SL023"
  case scalarName = "SL024"
  case endlessStruct = "SL025"
  // Identity
  case noIdentity = "SL030"
  case twoIdentities = "SL031"
  case invalidIdentity = "SL032"
  // Relationships
  case manyToManyWithoutAnchor = "SL040"
  case ambiguousInverse = "SL041"
  case inverseMismatch = "SL042"
  case invalidDeleteRule = "SL043"
  case linkToParentScoped = "SL044"
  case requiredBothWays = "SL045"
  case invalidMissingRule = "SL046"
  // Defaults
  case invalidDefault = "SL050"
  case defaultOnRelationship = "SL051"
  // Keys
  case twoRemoteKeys = "SL060"
  case sameKey = "SL061"
  case overlappingKeys = "SL062"
  case invalidKey = "SL063"
  case invalidKeyPattern = "SL064"
  // Properties that exist in Swift already
  case hashValueName = "SL070"
  case descriptionName = "SL071"
  // Models
  case invalidModelAttribute = "SL080"
  case invalidDateFormat = "SL081"
  case invalidRename = "SL082"
  case contradiction = "SL083"
  case repeatedIndex = "SL084"
  case tooManyColumns = "SL085"
  case cannotBeOffline = "SL086"
  case invalidIdentityMaker = "SL087"
  case nullOfBool = "SL088"
  case invalidNullWord = "SL089"
  // Targets
  case unknownImport = "SL090"
  case invalidSettings = "SL091"
  case collidingFiles = "SL092"
  case invalidImport = "SL093"
  // Words of models and properties
  case invalidDeletion = "SL094"
  case invalidLocal = "SL095"
  case invalidMerge = "SL096"
  case invalidObjectItself = "SL097"
  case invalidUnknownRule = "SL098"
  case uselessOneOrMany = "SL099"
  // Paths
  case invalidBelow = "SL100"
  case noPlaceInRow = "SL101"
  case mixedSteps = "SL102"
  // Unique values
  case invalidUnique = "SL103"
  case invalidLookup = "SL104"
  // Identities
  case invalidOwner = "SL105"
  case invalidSingleton = "SL106"
}
