/// Plurals that do not follow the rules.
enum IrregularPlurals {
  typealias Pair = (plural: String, singular: String)

  /// Endings of words, which also match compounds: `bookshelves`, `superheroes`.
  static let endings: [Pair] = [
    ("people", "person"), ("children", "child"), ("women", "woman"), ("teeth", "tooth"), ("geese", "goose"),
    ("indices", "index"), ("vertices", "vertex"), ("matrices", "matrix"), ("appendices", "appendix"),
    ("knives", "knife"), ("wives", "wife"), ("shelves", "shelf"), ("wolves", "wolf"), ("halves", "half"),
    ("calves", "calf"), ("thieves", "thief"), ("leaves", "leaf"), ("loaves", "loaf"), ("hooves", "hoof"),
    ("scarves", "scarf"),
    ("heroes", "hero"), ("potatoes", "potato"), ("tomatoes", "tomato"), ("echoes", "echo"),
    ("torpedoes", "torpedo"), ("shoes", "shoe"),
    ("movies", "movie"), ("ookies", "ookie"), ("zombies", "zombie"), ("calories", "calorie"),
    ("theses", "thesis"), ("lyses", "lysis"), ("gnoses", "gnosis"), ("synopses", "synopsis"),
    ("canvases", "canvas"), ("aliases", "alias"), ("atlases", "atlas"), ("biases", "bias"),
    ("gases", "gas"), ("lenses", "lens"), ("statuses", "status"), ("campuses", "campus"),
    ("viruses", "virus"), ("quizzes", "quiz"),
    ("caches", "cache"), ("niches", "niche"), ("avalanches", "avalanche"), ("tranches", "tranche"),
  ]

  /// Whole words. If several have the same plural, exports use the first.
  static let words: [Pair] = [
    ("men", "man"), ("feet", "foot"), ("mice", "mouse"), ("lice", "louse"), ("oxen", "ox"),
    ("data", "datum"), ("criteria", "criterion"), ("phenomena", "phenomenon"), ("bacteria", "bacterium"),
    ("salesmen", "salesman"), ("chairmen", "chairman"), ("firemen", "fireman"), ("craftsmen", "craftsman"),
    ("lives", "life"), ("elves", "elf"), ("selves", "self"), ("dwarves", "dwarf"), ("sheaves", "sheaf"),
    ("vetoes", "veto"), ("mosquitoes", "mosquito"), ("embargoes", "embargo"),
    ("crises", "crisis"), ("oases", "oasis"), ("emphases", "emphasis"), ("neuroses", "neurosis"),
    ("nemeses", "nemesis"), ("metamorphoses", "metamorphosis"),
    ("axes", "axis"), ("axes", "axe"), ("bases", "base"), ("bases", "basis"), ("ellipses", "ellipse"),
    ("ellipses", "ellipsis"),
    ("uses", "use"), ("reuses", "reuse"), ("misuses", "misuse"), ("abuses", "abuse"), ("excuses", "excuse"),
    ("fuses", "fuse"), ("muses", "muse"), ("ruses", "ruse"), ("recluses", "recluse"),
    ("irises", "iris"), ("trellises", "trellis"), ("metropolises", "metropolis"),
    ("buses", "bus"), ("minibuses", "minibus"), ("bonuses", "bonus"), ("censuses", "census"),
    ("choruses", "chorus"), ("circuses", "circus"), ("focuses", "focus"), ("geniuses", "genius"),
    ("nexuses", "nexus"), ("octopuses", "octopus"), ("sinuses", "sinus"), ("surpluses", "surplus"),
    ("topazes", "topaz"), ("whizzes", "whiz"), ("fezzes", "fez"),
    ("toes", "toe"), ("foes", "foe"), ("hoes", "hoe"), ("woes", "woe"), ("does", "doe"), ("floes", "floe"),
    ("oboes", "oboe"), ("canoes", "canoe"), ("aloes", "aloe"),
    ("aches", "ache"), ("headaches", "headache"), ("toothaches", "toothache"), ("mustaches", "mustache"),
    ("quiches", "quiche"), ("creches", "creche"), ("psyches", "psyche"), ("cliches", "cliche"),
    ("ties", "tie"), ("pies", "pie"), ("lies", "lie"), ("neckties", "necktie"), ("magpies", "magpie"),
    ("selfies", "selfie"), ("brownies", "brownie"), ("hoodies", "hoodie"), ("genies", "genie"),
    ("prairies", "prairie"), ("smoothies", "smoothie"), ("birdies", "birdie"), ("goalies", "goalie"),
    ("newbies", "newbie"), ("freebies", "freebie"), ("foodies", "foodie"), ("veggies", "veggie"),
    ("indies", "indie"), ("sorties", "sortie"), ("collies", "collie"), ("groupies", "groupie"),
  ]

  /// Plurals from other languages, of words that usually have a regular plural.
  static let borrowedWords: [Pair] = [
    ("media", "media"), ("media", "medium"), ("schemata", "schema"), ("strata", "stratum"),
    ("errata", "erratum"), ("addenda", "addendum"), ("curricula", "curriculum"),
    ("memoranda", "memorandum"), ("spectra", "spectrum"), ("corpora", "corpus"), ("genera", "genus"),
    ("cacti", "cactus"), ("fungi", "fungus"), ("radii", "radius"), ("nuclei", "nucleus"),
    ("alumni", "alumnus"), ("stimuli", "stimulus"), ("foci", "focus"), ("syllabi", "syllabus"),
    ("codices", "codex"), ("vortices", "vortex"), ("apices", "apex"), ("cortices", "cortex"),
    ("helices", "helix"), ("dice", "die"),
  ]
}
