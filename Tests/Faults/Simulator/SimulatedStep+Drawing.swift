import FaultStore
import GRDBSQLite
import Syncline
import TestSupport

extension SimulatedStep {
  /// Creates a step from its own random numbers, so that it does not change if other steps are removed.
  init(_ index: Int, ofSeed seed: Int, in schema: SimulatedSchema) {
    var drawing = Drawing(schema, SeededGenerator(seed: seed &* 10_007 &+ index))
    self.init(index: index, kind: drawing.kind())
  }

  private struct Drawing {
    let schema: SimulatedSchema
    var random: SeededGenerator

    init(_ schema: SimulatedSchema, _ random: SeededGenerator) {
      self.schema = schema
      self.random = random
    }

    mutating func kind() -> Kind {
      let model = random.pick(schema.numbers)
      switch Int.random(in: 0..<100, using: &random) {
      case ..<62: return .call(call(model), circumstance())
      case ..<68: return .atOnce((0..<3).map { _ in call(random.pick(schema.numbers)) })
      case ..<75: return .pages(pages(model))
      case ..<82: return .edit(sql: SimulatedSQL(schema, random.fork()).edit(of: model))
      case ..<89: return .evolution(random.chance(50) ? .none : openingCircumstance())
      case ..<92: return .reopening
      case ..<96: return .export(model: name(model))
      default: return .following(SimulatedSQL(schema, random.fork()).query(of: model))
      }
    }

    private func name(_ model: Int) -> String { schema.models[model]?.name.now ?? "" }

    // MARK: Calls

    private mutating func call(_ model: Int) -> SimulatedCall {
      var writer = SimulatedWriter(schema, random.fork())
      writer.hasStrangers = random.chance(20)
      var call: SimulatedCall
      switch Int.random(in: 0..<100, using: &random) {
      case ..<45:
        let policy: DeletionPolicy? = random.chance(20) ? .hardDeleteMissing : nil
        call = SimulatedCall(model: name(model), form: .list(policy), payload: writer.list(of: model))
      case ..<60:
        writer.isPartial = true
        call = SimulatedCall(
          model: name(model), form: .list(DeletionPolicy.none), payload: writer.list(of: model))
      case ..<75:
        let row = random.pick(SimulatedWriter.rowNumbers)
        call = SimulatedCall(model: name(model), form: .item, payload: writer.row(row, of: model))
      case ..<88:
        call = SimulatedCall(model: name(model), form: .changes, payload: writer.changes(of: model))
      default:
        let form = children(of: model, writer)
        call = SimulatedCall(model: name(model), form: form ?? .list(nil), payload: writer.list(of: model))
      }
      if random.chance(12) {
        var mutation = Mutation(random: random.fork())
        call.payload = mutation.mutated(call.payload)
      }
      return call
    }

    private mutating func children(of model: Int, _ writer: SimulatedWriter) -> SimulatedCall.Form? {
      let parents = schema.members(of: model).filter(\.hasList)
      guard let parent = parents.randomElement(using: &random) else { return nil }
      let row = random.pick(SimulatedWriter.rowNumbers)
      return .children(relationship: parent.name, parent: writer.identity(row, of: parent.other))
    }

    private mutating func pages(_ model: Int) -> Pages {
      var writer = SimulatedWriter(schema, random.fork())
      let payloads = (0..<Int.random(in: 1...3, using: &random)).map { _ in writer.list(of: model) }
      return Pages(
        model: name(model), payloads: payloads,
        failing: random.chance(40) ? random.pick(payloads.indices) : nil, resumes: random.chance(40))
    }

    // MARK: Circumstances

    private mutating func circumstance() -> Circumstance {
      switch Int.random(in: 0..<100, using: &random) {
      case ..<64: .none
      case ..<80: .fault(fault())
      case ..<89: .kill(Int.random(in: 0..<40, using: &random))
      default:
        random.chance(50)
          ? .cancellation(.write, Int.random(in: 0..<30, using: &random))
          : .cancellation([.read, .write, .shmLock], Int.random(in: 0..<60, using: &random))
      }
    }

    private mutating func openingCircumstance() -> Circumstance {
      random.chance(70) ? .fault(fault()) : .kill(Int.random(in: 0..<60, using: &random))
    }

    /// Faults of locks are left to the sweep, because a call waits for a lock.
    private mutating func fault() -> Fault {
      let n = Int.random(in: 0..<(random.chance(50) ? 6 : 40), using: &random)
      let isPermanent = random.chance(30)
      switch Int.random(in: 0..<10, using: &random) {
      case ..<3:
        return Fault(
          kinds: .write, n: n, action: isPermanent ? FAULT_FAIL_FOR_GOOD : FAULT_FAIL_ONCE,
          code: random.chance(50) ? SQLITE_FULL : 0)
      case 3: return Fault(kinds: .write, n: n, action: FAULT_WRITE_HALF)
      default:
        return Fault(
          kinds: random.pick([.read, .sync, .truncate, .open, .size, .access, .delete, .changes]), n: n,
          action: isPermanent ? FAULT_FAIL_FOR_GOOD : FAULT_FAIL_ONCE)
      }
    }
  }
}
