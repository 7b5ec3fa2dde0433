import SynclineNaming
import Testing

/// Singulars and plurals of names, from which the keys of to-many relationships are made.
@Suite struct SingularTests {
  /// Plurals with their singulars, in both directions.
  private static let words: [(String, String)] = [
    // -s and -es
    ("tags", "tag"), ("days", "day"), ("boxes", "box"), ("taxes", "tax"), ("prefixes", "prefix"),
    ("matches", "match"), ("branches", "branch"), ("coaches", "coach"), ("dishes", "dish"),
    ("addresses", "address"), ("classes", "class"), ("processes", "process"), ("waltzes", "waltz"),
    ("photos", "photo"), ("videos", "video"), ("menus", "menu"),
    ("projects", "project"), ("tasks", "task"), ("users", "user"), ("orders", "order"),
    ("comments", "comment"), ("images", "image"), ("messages", "message"), ("languages", "language"),
    ("pages", "page"), ("sales", "sale"), ("watches", "watch"), ("batches", "batch"), ("patches", "patch"),
    ("switches", "switch"), ("churches", "church"), ("searches", "search"), ("beaches", "beach"),
    ("wishes", "wish"), ("flashes", "flash"), ("crashes", "crash"), ("businesses", "business"),
    ("accesses", "access"), ("passes", "pass"), ("losses", "loss"), ("bosses", "boss"),
    ("mailboxes", "mailbox"), ("suffixes", "suffix"), ("faxes", "fax"), ("events", "event"),
    ("skus", "sku"), ("gurus", "guru"),
    // -se, -ze, -che, -xe
    ("courses", "course"), ("houses", "house"), ("warehouses", "warehouse"), ("databases", "database"),
    ("cases", "case"), ("purchases", "purchase"), ("phases", "phase"), ("phrases", "phrase"),
    ("releases", "release"), ("exercises", "exercise"), ("enterprises", "enterprise"),
    ("licenses", "license"), ("expenses", "expense"), ("responses", "response"), ("verses", "verse"),
    ("nurses", "nurse"), ("impulses", "impulse"), ("purposes", "purpose"), ("roses", "rose"),
    ("clauses", "clause"), ("causes", "cause"), ("uses", "use"), ("excuses", "excuse"), ("bases", "base"),
    ("sizes", "size"), ("prizes", "prize"), ("mazes", "maze"), ("breezes", "breeze"),
    ("caches", "cache"), ("niches", "niche"), ("avalanches", "avalanche"), ("headaches", "headache"),
    ("increases", "increase"), ("leases", "lease"), ("diseases", "disease"), ("noises", "noise"),
    ("promises", "promise"), ("franchises", "franchise"), ("surprises", "surprise"), ("senses", "sense"),
    ("defenses", "defense"), ("horses", "horse"), ("universes", "universe"), ("collapses", "collapse"),
    ("doses", "dose"), ("spouses", "spouse"), ("blouses", "blouse"), ("pauses", "pause"), ("gazes", "gaze"),
    ("freezes", "freeze"),
    // -us, -as, -ns
    ("statuses", "status"), ("buses", "bus"), ("viruses", "virus"), ("bonuses", "bonus"),
    ("campuses", "campus"), ("canvases", "canvas"), ("aliases", "alias"), ("gases", "gas"),
    ("lenses", "lens"), ("irises", "iris"),
    ("corpuses", "corpus"), ("focuses", "focus"), ("censuses", "census"), ("circuses", "circus"),
    ("minibuses", "minibus"),
    // -y and -ie
    ("categories", "category"), ("cities", "city"), ("parties", "party"), ("entries", "entry"),
    ("movies", "movie"), ("cookies", "cookie"), ("rookies", "rookie"), ("ties", "tie"), ("pies", "pie"),
    ("zombies", "zombie"), ("calories", "calorie"), ("selfies", "selfie"),
    ("companies", "company"), ("countries", "country"), ("properties", "property"),
    ("activities", "activity"), ("histories", "history"), ("replies", "reply"), ("queries", "query"),
    ("stories", "story"), ("policies", "policy"), ("deliveries", "delivery"), ("boards", "board"),
    ("keys", "key"), ("toys", "toy"), ("surveys", "survey"), ("journeys", "journey"), ("hoodies", "hoodie"),
    ("brownies", "brownie"),
    // -f, -fe and -ve
    ("knives", "knife"), ("lives", "life"), ("wives", "wife"), ("shelves", "shelf"),
    ("bookshelves", "bookshelf"), ("wolves", "wolf"), ("leaves", "leaf"), ("halves", "half"),
    ("thieves", "thief"), ("curves", "curve"), ("valves", "valve"), ("archives", "archive"),
    ("reserves", "reserve"), ("moves", "move"), ("roofs", "roof"),
    ("elves", "elf"), ("calves", "calf"), ("loaves", "loaf"), ("scarves", "scarf"), ("gloves", "glove"),
    ("sleeves", "sleeve"), ("waves", "wave"), ("chefs", "chef"), ("proofs", "proof"),
    // -o and -oe
    ("heroes", "hero"), ("superheroes", "superhero"), ("potatoes", "potato"), ("echoes", "echo"),
    ("vetoes", "veto"), ("shoes", "shoe"), ("toes", "toe"), ("canoes", "canoe"),
    ("tomatoes", "tomato"), ("torpedoes", "torpedo"), ("studios", "studio"), ("radios", "radio"),
    ("logos", "logo"), ("memos", "memo"),
    // -ex, -ix and -ice
    ("vertices", "vertex"), ("indices", "index"), ("matrices", "matrix"), ("appendices", "appendix"),
    ("services", "service"), ("devices", "device"), ("invoices", "invoice"), ("prices", "price"),
    ("slices", "slice"), ("offices", "office"), ("voices", "voice"), ("sources", "source"),
    ("spaces", "space"), ("places", "place"),
    // -z
    ("quizzes", "quiz"), ("buzzes", "buzz"),
    ("topazes", "topaz"),
    // -sis
    ("analyses", "analysis"), ("diagnoses", "diagnosis"), ("theses", "thesis"),
    ("hypotheses", "hypothesis"), ("parentheses", "parenthesis"), ("crises", "crisis"),
    ("synopses", "synopsis"), ("axes", "axis"),
    ("oases", "oasis"), ("ellipses", "ellipse"), ("emphases", "emphasis"), ("paralyses", "paralysis"),
    ("prognoses", "prognosis"),
    // Others
    ("people", "person"), ("children", "child"), ("men", "man"), ("women", "woman"), ("feet", "foot"),
    ("teeth", "tooth"), ("mice", "mouse"), ("geese", "goose"), ("data", "datum"),
    ("criteria", "criterion"), ("series", "series"), ("species", "species"), ("news", "news"),
    ("sales_people", "sales_person"), ("race_courses", "race_course"),
    ("grand_children", "grand_child"),
  ]

  @Test(arguments: words)
  func pluralAndSingularAreConvertedBothWays(plural: String, singular: String) {
    #expect(Names.singulars(of: plural).first == singular)
    #expect(Names.plural(of: singular) == plural)
    #expect(KeyCandidates.toManyKey(plural, style: .snakeCase) == singular + "_ids")
    #expect(KeyCandidates.toManyKey(plural, style: .camelCase) == Names.camel(singular) + "Ids")
    let keys = KeyCandidates.toMany(plural, style: .snakeCase)
    #expect(keys.contains(singular + "_ids") && keys.contains(plural + "_ids") && keys.contains(plural))
  }

  /// What was written or read before is read still.
  @Test(arguments: words)
  func formerSingularsAreAccepted(plural: String, singular: String) {
    let start = plural.lastIndex(of: "_").map(plural.index(after:)) ?? plural.startIndex
    let singulars = Names.singulars(of: plural)
    for former in Self.formerSingulars(String(plural[start...])) {
      #expect(singulars.contains(String(plural[..<start]) + former))
    }
    // A type that was made by the former rule names the same model.
    #expect(Names.singulars(of: Self.formerPlural(singular)).contains(singular))
  }

  @Test(arguments: [
    ("courses", ["course", "cours"]), ("categories", ["category", "categorie"]), ("boxes", ["box", "boxe"]),
    ("statuses", ["status", "statuse"]), ("movies", ["movie", "movy"]), ("knives", ["knife", "knive"]),
    ("heroes", ["hero", "heroe"]), ("vertices", ["vertex", "vertice"]),
    ("quizzes", ["quiz", "quizz", "quizze"]), ("analyses", ["analysis", "analys", "analyse"]),
    ("axes", ["axis", "axe", "ax"]), ("bases", ["base", "basis", "bas"]), ("people", ["person"]),
    ("grandChildren", ["grand_child"]), ("media", ["media", "medium"]), ("radii", ["radius"]),
    ("series", ["series"]), ("staff", ["staff"]), ("address", ["address"]), ("status", ["status", "statu"]),
    ("oxen", ["ox"]), ("phenomena", ["phenomenon"]),
    ("analysis", ["analysis", "analysi"]), ("s", ["s"]), ("", [""]), ("ies", ["ie"]), ("xes", ["xe"]),
  ])
  func singulars(name: String, expected: [String]) {
    #expect(Names.singulars(of: name) == expected)
  }

  /// Their keys are those of the word itself, and exports write it.
  @Test(arguments: [
    "status", "bus", "lens", "address", "canvas", "series", "news", "gas", "atlas", "bonus", "virus",
    "radius", "corpus", "focus", "census", "basis", "analysis", "axis", "progress", "campus",
  ])
  func singularWordsThatLookPluralAreUnchanged(_ word: String) {
    #expect(Names.singulars(of: word).first == word)
    #expect(KeyCandidates.toManyKey(word, style: .snakeCase) == word + "_ids")
  }

  @Test func wordTableIsLongAndWithoutDuplicates() {
    #expect(Self.words.count >= 200 && Set(Self.words.map(\.0)).count == Self.words.count)
  }

  // MARK: The former rules

  private static let formerIrregulars = [
    "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot",
    "teeth": "tooth", "mice": "mouse", "geese": "goose", "indices": "index", "data": "datum",
    "criteria": "criterion", "series": "series", "species": "species", "news": "news",
  ]

  private static func formerSingulars(_ word: String) -> [String] {
    if let irregular = formerIrregulars[word] { return [irregular] }
    guard word.count > 1, word.hasSuffix("s"), !word.hasSuffix("ss") else { return [word] }
    let withoutS = String(word.dropLast())
    if word.hasSuffix("ies"), word.count > 3 { return [word.dropLast(3) + "y", withoutS] }
    if ["ses", "xes", "zes", "ches", "shes"].contains(where: { word.hasSuffix($0) && word.count > $0.count })
    {
      return [String(word.dropLast(2)), withoutS]
    }
    return [withoutS]
  }

  private static func formerPlural(_ word: String) -> String {
    if let irregular = formerIrregulars.first(where: { $0.value == word }) { return irregular.key }
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) {
      return word.dropLast() + "ies"
    }
    return word + (["s", "x", "z", "ch", "sh"].contains(where: word.hasSuffix) ? "es" : "s")
  }
}
