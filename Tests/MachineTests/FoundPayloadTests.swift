import Syncline
import TestSupport
import Testing

/// Payloads that the machines found and made small, and that failed once: the rules of ``MachineTests`` hold for each
/// call of theirs.
@Suite struct FoundPayloadTests {
  struct Found: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var invalidRows = SyncConfiguration.InvalidRows.fail
    let calls: [Call]
  }

  private static func all(
    _ model: String, _ payload: SyncJSON, deletes: Bool = false, operations: SyncRelationshipOperations = .all
  ) -> Call {
    var call = Call(
      model: model, form: .collection(deletes ? nil : DeletionPolicy.none), payload: .json(payload))
    call.operations = operations
    return call
  }

  private static func children(_ model: String, of parent: Int, _ payload: SyncJSON) -> Call {
    let relation = Relation.all.firstIndex {
      $0.ends[0].model == model && ["board", "company", "project"].contains($0.ends[0].nested)
    }
    return Call(
      model: model, form: .children(relation: relation ?? 0, parent: parent), payload: .json(payload))
  }

  private static let skill: SyncJSON = "C3E7A1B2-1001-4000-8000-000000000001"

  static let found = [
    Found(
      testDescription: "a later object of a new row whose optional value cannot be read",
      calls: [all("Chart", [["id": 1, "next": ["id": 5, "title": "b"]], ["id": 5, "title": [:]]])]),
    Found(
      testDescription: "objects of a new row of which no optional value can be read",
      calls: [
        all(
          "Chart",
          [["id": 1, "next": ["id": 5, "title": [:]]], ["id": 5, "title": [1]], ["id": 5, "title": [:]]])
      ]),
    Found(
      testDescription: "a nested object whose value cannot be read, of a row with other objects",
      calls: [
        all(
          "Person",
          [
            [
              "manager": [
                "skills": [
                  [
                    "skill_uuid": skill,
                    "people": [["skills": [["title": [], "skill_uuid": skill]], "id": "p3"]],
                  ]
                ]
              ], "id": "p0",
            ],
            [
              "reports": [
                ["id": "p1", "name": "it's", "skills": [["skill_uuid": skill]]], ["name": "b", "id": "p0"],
              ], "id": "p1",
            ],
            ["reports": [["id": "p3", "reports": [["id": "p3", "name": "it's"]]]], "id": "p3"],
          ])
      ]),
    Found(
      testDescription: "an unknown type in place of a row, and a list of the parent that is given",
      calls: [
        all("Sample", [["subject": ["type": "plank", "id": 3], "id": 1]]),
        all("Board", [["name": "a", "id": 3]]),
        all("Company", [["id": 1, "projects": [["id": 0]], "name": ""]]),
        children(
          "Sample", of: 0, [["id": 0, "project": ["samples": []]], ["subject": ["type": "odd"], "id": 1]]),
      ]),
    Found(
      testDescription: "a row that stands in an object without identity, too", invalidRows: .skip,
      calls: [
        all(
          "Ticket",
          [
            ["remote_id": 4],
            [
              "meta": [
                "reporter": [
                  "id": "p5",
                  "tickets": [["remote_id": 4, "title": "", "deleted_at": "2020-01-04T00:00:00.000Z"]],
                ]
              ]
            ],
          ])
      ]),
    Found(
      testDescription: "a row nested in a stale row's list, whose last list is empty",
      calls: [
        all(
          "Ticket",
          [
            [
              "remote_id": 4, "title": "t", "updated_at": "2020-01-06T00:00:00Z",
              "comments": [["id": 4, "text": "b", "ticket": ["remote_id": 4, "comments": []]]],
            ]
          ])
      ]),
    Found(
      testDescription:
        "a row without identity, whose list begins before a list of the row it turns out to be",
      calls: [
        all(
          "Department",
          [
            ["meta": ["key": "d0"], "company": ["department_ids": [], "address": ["city": ["name": "x"]]]],
            [
              "meta": ["key": "d5"], "title": "t",
              "company": [
                "id": 5, "partner_ids": [5], "name": "x",
                "profile": [
                  "id": 3,
                  "company": [
                    "partner_ids": [],
                    "departments": [["title": "b", "company_id": 5, "meta": ["key": "d0"]]],
                  ],
                ],
              ],
            ],
          ])
      ]),
    Found(
      testDescription: "two partners that one row requires, of which one is not there", invalidRows: .skip,
      calls: [
        all("Profile", [["id": 3, "company": ["name": "a", "id": 2]]]),
        all(
          "Profile", [["company_id": 2, "id": 4, "text": "x"], ["id": 4, "company_id": 1]], deletes: true),
      ]),
    Found(
      testDescription: "two partners that one row requires, of which one is freed", invalidRows: .skip,
      calls: [
        all("Company", [["id": 4, "name": "a", "profile": ["id": 1]]]),
        all("Profile", [["company_id": 2, "id": 0], ["id": 0, "company_id": 4]], deletes: true),
      ]),
    Found(
      testDescription: "a partner that goes with its own partner", invalidRows: .skip,
      calls: [
        all("Profile", [["id": 4, "company": ["name": "a", "id": 5]]]),
        all("Company", [["id": 4, "name": "b", "profile": ["id": 0]]]),
        all("Company", [["id": 5, "profile": ["id": 0]]], deletes: true),
      ]),
    Found(
      testDescription: "a partner that another row gives up later in the payload", invalidRows: .skip,
      calls: [
        all(
          "Profile",
          [["id": 2, "company": ["id": 2, "name": "a"]], ["id": 3, "company": ["id": 0, "name": "b"]]]),
        all(
          "Company", [["id": 2, "profile": ["id": 3]], ["id": 4, "name": "c", "profile_id": 2]], deletes: true
        ),
      ]),
    Found(
      testDescription: "a partner that is moved and deleted", invalidRows: .skip,
      calls: [
        all("Company", [["id": 4, "profile": ["id": 2], "name": "a"], ["id": 0, "name": "b"]]),
        all("Company", [["id": 3, "name": "c", "profile": ["id": 3]]]),
        all("Profile", [["id": 3, "company": ["id": 0, "profile_id": 2]]], deletes: true),
      ]),
    Found(
      testDescription: "a new row's list of a row that is deleted",
      calls: [
        all("Comment", [["id": 2, "text": "a"], ["id": 1, "text": "b"]]),
        all(
          "Comment", [["id": 1, "ticket": ["remote_id": 3, "title": "t", "comment_ids": [2]]]], deletes: true),
      ]),
    Found(
      testDescription: "a new row's link to a row that is deleted",
      calls: [
        all("Company", [["id": 5, "name": "a"]]),
        all("Company", [["id": 0, "name": "b", "partner_ids": [5]]], deletes: true),
      ]),
    Found(
      testDescription: "lists of one row within each other, and the other end's list", invalidRows: .skip,
      calls: [
        all(
          "Ticket",
          [
            [
              "remote_id": 5, "title": "t", "assignee_id": "p3",
              "assignee": [
                "name": "a", "followers": [["id": "p3", "followers": [["id": "p9"]]]], "follow_ids": ["p3"],
              ],
            ]
          ])
      ]),
    Found(
      testDescription: "a list of the row that a key leads to, read after the key",
      calls: [
        all(
          "Person",
          [
            [
              "id": "p5", "name": "a", "manager_id": "p2", "follows": [["id": "p2", "report_ids": .null]],
              "skills": [["skill_uuid": skill, "people": [["id": "p2", "name": "b"], []]]],
            ]
          ])
      ]),
    Found(
      testDescription: "a list inside of a later list of its row, with a row that waits",
      calls: [
        all(
          "Person",
          [
            [
              "follows": [
                [
                  "id": "p4", "name": "b",
                  "manager": ["id": "p4", "followers": [["id": "p2", "report_ids": ["p5"]]]],
                ]
              ],
              "id": "p2", "name": "a", "report_ids": [],
            ]
          ])
      ]),
    Found(
      testDescription: "a list that adds to a complete one", invalidRows: .skip,
      calls: [
        all(
          "Comment",
          [
            ["id": 3, "text": "a", "skill": ["skill_uuid": skill, "person_ids": ["p1", "p5"]]],
            [
              "id": 5, "text": "b",
              "skill": [
                "skill_uuid": skill,
                "people": [
                  ["id": "p3", "skill_ids": [skill]], [:],
                  ["id": "p1", "name": "c", "reports": [["id": "p3", "name": "d"]]],
                ],
              ],
            ],
          ])
      ]),
    Found(
      testDescription: "a list that contradicts one that was decided before it", invalidRows: .skip,
      calls: [
        all("Company", [["id": 5, "name": "a"], ["id": 3, "name": "b"]]),
        all("Profile", [["id": 5, "company_id": 5]]),
        all(
          "Company",
          [
            [
              "id": 5,
              "departments": [
                [
                  "title": "t", "meta": ["key": "d1"],
                  "company": ["profile": ["company": ["id": 3, "department_ids": ["d1"]]]],
                ]
              ],
            ], ["id": 3, "departments": []],
          ]),
      ]),
    Found(
      testDescription: "a list of links inside of a list of its row, which nothing points back to",
      calls: [
        all(
          "Project",
          [["id": 2, "company": ["id": 1, "name": "a", "partners": [["id": 1, "partner_ids": []], 5]]]])
      ]),
    Found(
      testDescription: "a partner without identity that says it belongs elsewhere", invalidRows: .skip,
      calls: [
        all("Company", [["id": 5, "name": "a"], ["id": 3, "name": "b"]]),
        all("Profile", [["id": 5, "company_id": 5]]),
        all(
          "Company",
          [
            ["id": 5, "profile": ["company": ["id": 3, "address": ["city": ["name": "x"]]]]],
            ["id": 3, "address": ["city": ["name": "y"]]],
          ]),
      ]),
    Found(
      testDescription: "a key that waits, and null after it", invalidRows: .skip,
      calls: [all("Office", [["company_id": 2, "id": 0], ["company_id": .null, "id": 0]])]),
    Found(
      testDescription: "a list with a new row, read after one of its row that begins later",
      calls: [
        all(
          "Department",
          [
            [
              "meta": ["key": "d4"], "title": "t",
              "company": [
                "id": 5, "name": "a", "offices": [["id": 1]],
                "projects": [["id": 3, "company": ["office_ids": []]]],
              ],
            ]
          ])
      ]),
    Found(
      testDescription: "an object without identity that links another row in its place",
      calls: [
        all(
          "Company", [["id": 2, "name": "a"], ["id": 3, "name": "b", "chief": ["id": "p1", "name": "c"]]]),
        all("Department", [["meta": ["key": "d4"], "title": "t", "company_id": 2]]),
        all(
          "Department",
          [
            [
              "meta": ["key": "d4"],
              "company": ["partners": [["id": 3, "department_ids": ["d4"]]], "grade": 10],
            ]
          ]),
      ]),
    Found(
      testDescription: "objects of one row, of which one is no newer than what is stored",
      calls: [
        all(
          "Ticket",
          [
            [
              "remote_id": 2, "title": "t", "updated_at": "2020-01-03T00:00:00Z",
              "watchers": [["id": "p1", "name": "a", "tickets": [["remote_id": 2]]]],
            ]
          ]),
        all(
          "Person",
          [
            [
              "id": "p1",
              "tickets": [
                [
                  "remote_id": 2, "meta": ["reporter": "p0"],
                  "assignee": [
                    "tickets": [["remote_id": 2, "updated_at": "2020-01-03T00:00:00Z", "comment_ids": []]]
                  ],
                ]
              ],
            ], ["id": "p0", "name": "b"],
          ]),
      ]),
    Found(
      testDescription: "a partner that the payload deletes, and another that begins before it",
      invalidRows: .skip,
      calls: [
        all("Company", [["id": 3, "name": "a", "chief": ["id": "p3", "name": "b"]]]),
        all(
          "Person",
          [
            [
              "id": "p1", "name": "c",
              "leads": [
                "id": 3, "name": "a", "profile": ["id": 4, "company": ["id": 3, "chief_id": "p3"]],
              ],
            ]
          ], deletes: true),
      ]),
    Found(
      testDescription: "a required key that is null, and a list that gives it",
      calls: [
        all(
          "Department",
          [
            ["meta": ["key": "d0"], "company": .null],
            [
              "meta": ["key": "d1"], "title": "t",
              "company": ["id": 3, "name": "a", "departments": [["title": "u", "meta": ["key": "d0"]]]],
            ],
          ])
      ]),
    Found(
      testDescription: "identities that differ after a NUL",
      calls: [
        all(
          "Ticket",
          [
            [
              "remote_id": 0, "title": "t",
              "watchers": [["id": "p3", "name": "a", "skills": [["skill_uuid": skill]]]],
            ]
          ]),
        all("Person", [["id": "\u{0}", "name": "b", "skill_ids": [skill]]]),
      ]),
    Found(
      testDescription: "keys of a row that stands inside of itself, and lists that contradict each other",
      calls: [
        all(
          "Person",
          [
            ["id": "p0", "follower_ids": []],
            [
              "id": "p5", "name": "a",
              "manager": [
                "id": "p0", "name": "b", "follows": [], "manager_id": "p5",
                "followers": [["id": "p5", "follows": [["id": "p0", "manager_id": "p0"]]]],
              ],
            ],
          ])
      ]),
    Found(
      testDescription: "a list that adds, and a later one that replaces it",
      calls: [
        all("Person", [["id": "p4", "name": "a", "reports": [["id": "p4", "report_ids": []], [:]]]]),
        all("Project", [["id": 1, "samples": [["id": 2], "a/b"]], ["id": 1, "sample_ids": []]]),
      ]),
    Found(
      testDescription: "a row that a key brings into the slice of a parent",
      calls: [
        all("Company", [["id": 2, "name": "a"]]),
        all("Department", [["title": "t", "meta": ["key": "d5"], "company": ["id": 0, "name": "b"]]]),
        children(
          "Department", of: 2,
          [["title": "u", "meta": ["key": "d0"], "company": ["id": 2, "department_ids": ["d5"]]]]),
      ]),
    Found(
      testDescription: "a row that is refused for the one that is nested in it", invalidRows: .skip,
      calls: [
        all("Company", [["name": "a", "id": 1], ["name": "b", "id": 3, "profile": ["id": 2]]]),
        all("Profile", [["id": 2, "company": ["id": 1, "profile": ["id": 0]]]], deletes: true),
        all("Profile", [["id": 2, "company": ["id": 1, "profile": ["id": 0]]]], deletes: true),
      ]),
    Found(
      testDescription: "lists that wait for one row, of which the last is no newer",
      calls: [
        all(
          "Ticket",
          [
            ["remote_id": 4, "title": "t", "comment_ids": [3]],
            ["remote_id": 2, "title": "u", "comment_ids": [3], "updated_at": "2020-01-03T00:00:00Z"],
          ])
      ]),
    Found(
      testDescription: "an object without identity of the row that it stands in",
      calls: [
        all(
          "Comment",
          [
            [
              "id": 3, "text": "a",
              "ticket": [
                "title": "t", "remote_id": 4,
                "comments": [["id": 3, "ticket": ["updated_at": "2020-01-01T00:00:00Z", "deleted_at": 4]]],
              ],
            ]
          ])
      ]),
    Found(
      testDescription: "a list of a parent whose rows the call deletes",
      calls: [
        all("Board", [["id": 0, "name": "a"]]),
        children("Lane", of: 0, [["id": 1, "title": "b"], ["id": 0, "title": "c"]]),
        children("Lane", of: 0, [["id": 0, "board": ["lane_ids": [1]]]]),
      ]),
    Found(
      testDescription: "a type of no case, beside rows that are nested",
      calls: [
        all("Sample", [["subject": ["type": "plank", "id": 0], "id": 5]]),
        all("Board", [["id": 0, "name": "b"]]),
        all("Sample", [["subject": ["type": "odd"], "subjects": [["type": "office"]], "id": 5]]),
      ]),
    Found(
      testDescription: "a list of a row that is skipped for what it requires", invalidRows: .skip,
      calls: [
        all("Sample", [["id": 3]]), all("Cell", [["sample_ids": [3], "board_id": 0, "number": 2]]),
        all("Sample", [["id": 5, "cell": ["number": 1, "samples": [["id": 5]], "board_id": 0]]]),
        all("Cell", [["number": 1, "board_id": 1, "samples": [["id": 0]]]]),
      ]),
    Found(
      testDescription: "lists of one row, of which the last is no newer",
      calls: [
        all(
          "Ticket",
          [
            ["remote_id": 2, "title": "t", "comment_ids": [5]],
            [
              "remote_id": 5, "title": "u", "updated_at": "2020-01-03T00:00:00Z",
              "comments": [["id": 5, "text": "a"]],
            ],
          ])
      ]),
    Found(
      testDescription: "rows that require what is not there, again and again", invalidRows: .skip,
      calls: [
        all(
          "Profile", [["id": 5, "company_id": 0], ["id": 1, "company_id": 3], ["id": 1, "company_id": 0]],
          deletes: true)
      ]),
    Found(
      testDescription: "a list of the parent that the call names",
      calls: [
        all("Company", [["id": 4, "name": "a"]]),
        all("Project", [["id": 5]]),
        children("Project", of: 4, [["id": 4, "company": ["projects": [5]]], ["id": 0]]),
      ]),
    Found(
      testDescription: "objects of one row, of which one has no stamp",
      calls: [
        all("Comment", [["id": 5, "text": "a", "stamp": "2020-01-01T00:00:00Z"]]),
        all(
          "Ticket",
          [
            [
              "remote_id": 0, "title": "t",
              "comments": [["id": 5, "skill": ["skill_uuid": skill]]],
            ],
            [
              "remote_id": 4, "title": "u", "updated_at": "2020-01-02T00:00:00Z",
              "comments": [["id": 5, "stamp": "2020-01-01T00:00:00Z"]],
            ],
          ]),
      ]),
    Found(
      testDescription: "a row that requires one that comes with a row that is refused at first",
      invalidRows: .skip,
      calls: [
        all("Profile", [["id": 2, "company": ["id": 4, "name": "a"]]]),
        all(
          "Profile",
          [
            ["id": 0, "company": ["id": 4, "partners": [["id": 2, "name": "b"]]]],
            ["id": 5, "company_id": 2],
          ],
          deletes: true),
      ]),
    Found(
      testDescription: "a marked row that is named where rows are not changed",
      calls: [
        all(
          "Ticket",
          [
            [
              "remote_id": 5, "title": "t",
              "watchers": [["id": "p1", "name": "a", "tickets": [["remote_id": 1]]]],
            ],
            [
              "remote_id": 1, "title": "u", "updated_at": "2020-01-01T00:00:00Z",
              "deleted_at": "2020-01-01T00:00:00Z",
            ],
          ], operations: [.insert, .delete])
      ]),
    Found(
      testDescription: "a key that waits, and the other end that says otherwise",
      calls: [
        all("Company", [["id": 2, "name": "a", "chief_id": "p3"]]),
        all(
          "Ticket",
          [
            [
              "remote_id": 2, "title": "t",
              "assignee": ["id": "p5", "name": "b", "leads": ["id": 2, "chief_id": "p9"]],
              "watchers": [["id": "p0", "name": "c", "leads": 2]],
            ]
          ]),
      ]),
  ]

  @Test(.enabled(if: TestKind.thorough.runs), arguments: found)
  func formerlyFailingPayloadPassesAllRules(_ found: Found) async throws {
    var store = try await CheckedStore(found.invalidRows)
    for call in found.calls {
      let failures = try await store.failures(of: call)
      #expect(failures.isEmpty, "\(failures.map { "\($0.rule.rawValue) \($0.place)\n\($0.details)" })")
    }
  }
}
