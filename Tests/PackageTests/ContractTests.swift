import Foundation
import TestRuns
import Testing

/// `Documentation/Contract.md` numbers the rules of the contract, and names the tests that show each rule.
@Suite(.enabled(if: TestKind.building.runs)) struct ContractTests {
  /// A line `**R4.2** Text. (Suite.test, Suite.test)`.
  private struct Rule {
    let section: Int
    let number: Int
    /// The tests as `Suite.test`.
    let tests: [String]

    init?(_ line: Substring) {
      let match = line.wholeMatch(of: /\*\*R([0-9]+)\.([0-9]+)\*\* .+[.] \(([A-Za-z0-9., ]+)\)/)
      guard let match, let section = Int(match.output.1), let number = Int(match.output.2) else { return nil }
      self.section = section
      self.number = number
      tests = match.output.3.components(separatedBy: ", ")
    }
  }

  private func rules() throws -> [Rule] {
    let text = try String(
      contentsOf: Shell.package.appending(path: "Documentation/Contract.md"), encoding: .utf8)
    return try text.split(separator: "\n").filter { $0.hasPrefix("**R") }.map { line in
      let rule = Rule(line)
      return try #require(rule, "\(line)")
    }
  }

  /// The texts of the files that declare each suite.
  private func suites() throws -> [String: String] {
    let folder = Shell.package.appending(path: "Tests")
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    var suites: [String: String] = [:]
    for file in files where file.hasSuffix("Tests.swift") && !file.contains(".build/") {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for declaration in text.matches(of: /struct ([A-Z][A-Za-z0-9]*)\s/) {
        suites[String(declaration.output.1), default: ""] += text
      }
    }
    return suites
  }

  @Test func eachRuleHasAnAscendingNumberAndATest() throws {
    let rules = try rules()
    #expect(rules.count > 100)
    for (rule, next) in zip(rules, rules.dropFirst()) {
      #expect(
        (rule.section, rule.number) < (next.section, next.number),
        "R\(next.section).\(next.number) comes after R\(rule.section).\(rule.number)")
    }
    for rule in rules {
      let isNamed = rule.tests.allSatisfy { $0.wholeMatch(of: /[A-Z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*/) != nil }
      #expect(isNamed, "R\(rule.section).\(rule.number)")
    }
  }

  @Test func testsNamedByRulesExist() throws {
    let suites = try suites()
    for rule in try rules() {
      for test in rule.tests {
        let names = test.components(separatedBy: ".")
        let isThere = suites[names[0]]?.contains("func \(names.last ?? "")(") == true
        #expect(isThere, "R\(rule.section).\(rule.number): \(test)")
      }
    }
  }
}
