import TestSupport

/// What one of the clients does. All of it is chosen in advance, so that steps can be left out.
struct SimulatedStep: Sendable {
  /// What happens to a request and its answer.
  enum Fate: String, CaseIterable, Sendable {
    /// The server answers with the row, or without it.
    case row, bare
    /// The server gets the request later or never; it is not answered.
    case lost
    /// The server gets it, but the answer is lost.
    case unanswered
    /// The answer comes in a later step.
    case late
    /// The server gets it twice.
    case twice
    /// The server has a newer row, does not accept this one, or has no time.
    case conflict, refused, busy
  }

  /// A push of all models.
  struct Push: Sendable {
    let fates: [Fate]
    /// What happens after the requests, before their answers are recorded.
    let meanwhile: [Action]
    /// The number of the model at which the connection is lost before any answer is recorded; -1 for none.
    let cut: Int
    /// Whether the program ends afterwards.
    let crashes: Bool
  }

  enum Action: Sendable {
    /// Changes rows by SQL. The number chooses the rows.
    case edit(SimulatedEdit, Int)
    case push(Push)
    /// Syncs all lists.
    case pull
    /// Syncs the list of a model, or one row.
    case list(SimulatedModel), item(SimulatedModel, Int)
    /// Late answers arrive.
    case answers
    /// The server gets an old request once more.
    case replay(Int)
    /// The program ends and begins again.
    case crash
    /// There is no connection for some steps.
    case partition(Int)
  }

  static let clients = 5

  let number: Int
  let client: Int
  let action: Action

  /// The steps of a seed.
  static func all(seed: Int, count: Int = 60) -> [SimulatedStep] {
    var random = SeededGenerator(seed: seed)
    var steps: [SimulatedStep] = []
    for number in 0..<count {
      let client = Int.random(in: 0..<clients, using: &random)
      steps.append(SimulatedStep(number: number, client: client, action: Action(using: &random)))
    }
    return steps
  }
}

extension SimulatedStep.Action {
  fileprivate init(using random: inout SeededGenerator) {
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<20: self = .someEdit(using: &random)
    case 20..<28: self = .push(SimulatedStep.Push(using: &random))
    case 28..<32: self = .somePull(using: &random)
    case 32..<35: self = .answers
    case 35, 36: self = .replay(Int.random(in: 0..<1_000, using: &random))
    case 37, 38: self = .crash
    default: self = .partition(Int.random(in: 5..<30, using: &random))
    }
  }

  fileprivate static func someEdit(using random: inout SeededGenerator) -> SimulatedStep.Action {
    let edit = random.pick(SimulatedEdit.weighted)
    return .edit(edit, Int.random(in: 0..<1_000, using: &random))
  }

  fileprivate static func somePull(using random: inout SeededGenerator) -> SimulatedStep.Action {
    let choice = Int.random(in: 0..<1_000, using: &random)
    switch choice % 4 {
    case 0: return .list(random.pick(SimulatedModel.allCases))
    case 1: return .item(random.pick(SimulatedModel.withItems), choice)
    default: return .pull
    }
  }

  /// What happens while answers are awaited.
  fileprivate static func meanwhile(using random: inout SeededGenerator) -> SimulatedStep.Action {
    if random.chance(60) { return .someEdit(using: &random) }
    return random.chance(70) ? .pull : .answers
  }
}

extension SimulatedStep.Push {
  fileprivate init(using random: inout SeededGenerator) {
    var fates: [SimulatedStep.Fate] = []
    for _ in 0..<8 {
      let isAnswered = random.chance(45)
      let all = isAnswered ? [SimulatedStep.Fate.row, .bare] : SimulatedStep.Fate.allCases
      fates.append(random.pick(all))
    }
    var meanwhile: [SimulatedStep.Action] = []
    if random.chance(40) {
      for _ in 0..<Int.random(in: 1...3, using: &random) { meanwhile.append(.meanwhile(using: &random)) }
    }
    let isCut = random.chance(25)
    let cut = isCut ? Int.random(in: 0..<SimulatedModel.allCases.count, using: &random) : -1
    self.init(fates: fates, meanwhile: meanwhile, cut: cut, crashes: random.chance(15))
  }

  /// The fate of a request, by the number of its model and its place among the requests.
  func fate(of model: SimulatedModel, at place: Int) -> SimulatedStep.Fate {
    fates[(model.number * 3 + place) % fates.count]
  }
}

extension SimulatedStep: CustomStringConvertible {
  var description: String { "\(number): client \(client) \(action)" }
}

extension SimulatedStep.Action: CustomStringConvertible {
  var description: String {
    switch self {
    case .edit(let edit, let choice): return "edits: \(edit.rawValue) \(choice)"
    case .push(let push): return push.description
    case .pull: return "pulls"
    case .list(let model): return "pulls the list of \(model.rawValue)"
    case .item(let model, let choice): return "pulls a row of \(model.rawValue) \(choice)"
    case .answers: return "gets late answers"
    case .replay(let choice): return "has request \(choice) repeated"
    case .crash: return "ends and begins again"
    case .partition(let length): return "is offline for \(length) steps"
    }
  }
}

extension SimulatedStep.Push: CustomStringConvertible {
  var description: String {
    var text = "pushes: " + fates.map(\.rawValue).joined(separator: " ")
    for action in meanwhile { text += "; meanwhile \(action)" }
    if cut >= 0 { text += "; cut at \(cut)" }
    return crashes ? text + "; ends" : text
  }
}

/// The models whose rows are edited, in the order in which they are pulled and pushed.
enum SimulatedModel: String, CaseIterable, Sendable {
  case project = "Project"
  case task = "Task"
  case passport = "Passport"
  case step = "Step"
  case seat = "Seat"
  case note = "Note"

  static let withItems: [SimulatedModel] = [.project, .task, .step]

  var number: Int { SimulatedModel.allCases.firstIndex(of: self) ?? 0 }

  /// The columns that get another value with each edit.
  var uniqueColumns: [String] {
    switch self {
    case .project: ["name"]
    case .task: ["title", "votes"]
    case .passport: ["number"]
    case .step: ["text"]
    case .seat: ["name"]
    case .note: ["text"]
    }
  }
}
