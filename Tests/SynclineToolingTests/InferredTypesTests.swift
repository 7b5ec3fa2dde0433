import Testing

/// The types that are proposed for values, and whether they are required.
@Suite struct InferredTypesTests {
  @Test func digitsWithASignOrAPointAreNoDates() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"price":"12.50","lat":"40.37","dial":"+1","app_version":"1.10","app":"1.10.2","zip":"01234"},
         {"id":2,"price":"3.00","lat":"-7.1","dial":"+49","app_version":"1.9","app":"1.9.0","zip":"98765"}]
        """#)
    for line in ["price: Decimal?", "lat: Decimal?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    for line in ["dial: String?", "appVersion: String?", "app: String?", "zip: String?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    #expect(schema.isClean)
  }

  @Test func datesWithDotsAreRecognized() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"day":"24.12.2025"},{"id":2,"day":"01.02.2025"}]"#)
    #expect(schema.text.contains(#"@DateFormat("dd.MM.yyyy") day: Date?"#), "\(schema.text)")
  }

  /// As OMDb, Matrix and Alertmanager answer.
  @Test func datesWithNamesOfMonthsAndTimestampsAreRecognized() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"fingerprint":"c9d2","released":"15 Jun 2005","server_ts":1432735824653},
         {"fingerprint":"c9d3","released":"1 Jan 1999","server_ts":1432735824654}]
        """#)
    #expect(schema.text.contains("  @PrimaryKey fingerprint: String\n"), "\(schema.text)")
    #expect(schema.text.contains(#"  @DateFormat("d MMM yyyy") released: Date?"#), "\(schema.text)")
    #expect(schema.text.contains("  serverTs: Date?\n"), "\(schema.text)")
    #expect(schema.isClean && schema.rows() == 2)
  }

  @Test func amountsInStringsAreNumbers() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"price":"12","code":"12","fee":"1.5"},{"id":2,"price":"3","code":"7","fee":2}]"#)
    #expect(schema.text.contains("  price: Decimal?\n"), "\(schema.text)")
    #expect(schema.text.contains("  code: String?\n"), "\(schema.text)")
    #expect(
      schema.text.contains("  // Numbers were seen, some of them in strings.\n  fee: Decimal?\n"),
      "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func emptyStringAmongDecimalsIsNull() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"price":"12.5"},{"id":2,"price":""}]"#)
    #expect(schema.text.contains(#"@Null("") price: Decimal?"#), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func integersMixedWithFractionsBecomeDouble() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"mix":1,"point":4.0,"total":3,"rating_count":5,"rating":4},
         {"id":2,"mix":1.5,"point":5.0,"total":4,"rating_count":6,"rating":5}]
        """#)
    let lines = ["mix: Double?", "point: Double?", "total: Int?", "ratingCount: Int?", "rating: Double?"]
    for line in lines { #expect(schema.text.contains("  \(line)\n"), "\(schema.text)") }
  }

  /// Whole numbers that fractions may follow, by their names.
  @Test func integersNamedLikeAmountsBecomeDouble() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"total_amount":10,"subtotal":1,"distance":3,"salary":5,"price_id":7,"price_cents":1000,
          "rate_limit":60,"coordinates":[1,2],"sizes":[1,2],"area":[[1,2]]}]
        """#)
    for line in ["totalAmount: Double?", "subtotal: Double?", "distance: Double?", "salary: Double?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    for line in ["coordinates: [Double]?", "area: [[Double]]?", "sizes: [Int]?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    for line in ["priceID: Int?", "priceCents: Int?", "rateLimit: Int?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    #expect(schema.isClean)
  }

  /// Identities that recur are those of other rows. Languages and time zones are too many to list.
  @Test func identitiesAndOpenSetsAreNoEnums() async throws {
    let rows = (1...24).map { number in
      let isEven = number % 2 == 0
      return """
        {"id":\(number),"project_gid":"\(isEven ? "a1" : "b1")","assignee":"\(isEven ? "U024BE7LH" : "U0G9QF9C6")",
         "lang":"\(isEven ? "ja" : "en")","time_zone":"\(isEven ? "Tokyo" : "Seoul")",
         "country_code":"\(isEven ? "DE" : "CH")","state":"\(isEven ? "open" : "in_review")","codec":"\(isEven ? "h264" : "av1")"}
        """
    }
    let schema = try await InferredSchema(of: "[\(rows.joined(separator: ","))]")
    for name in ["projectGid", "assignee", "lang", "timeZone", "countryCode"] {
      #expect(schema.text.contains("  \(name): String?\n"), "\(schema.text)")
    }
    #expect(schema.text.contains("  state: State?\n") && schema.text.contains("  codec: Codec?\n"))
    #expect(schema.isClean)
  }

  /// Twitter's `urls` are at several positions.
  @Test func objectsOfOneNameAndOneShapeAreOneStruct() async throws {
    let schema = try await InferredSchema(
      of: #"[{"id":1,"place":{"url":{"w":1,"h":2}},"url":{"w":1,"h":2},"area":{"w":1,"h":2}}]"#)
    #expect(schema.text.contains("struct Place {\n  url: Url?\n}"), "\(schema.text)")
    #expect(schema.text.components(separatedBy: "struct Url").count == 2, "\(schema.text)")
    // A thing of another name may be another one.
    #expect(schema.text.contains("  area: Area?\n"), "\(schema.text)")
    #expect(schema.isClean)
  }

  @Test func alwaysNullKeyNamedLikeTimeBecomesDate() async throws {
    let schema = try await InferredSchema(of: #"[{"id":1,"closed_at":null,"end_date":null,"parent":null}]"#)
    #expect(
      schema.text.contains(
        "  // Only null was seen. The name suggests a date.\n  closedAt: Date?\n"),
      "\(schema.text)")
    #expect(schema.text.contains("  endDate: Date?\n"), "\(schema.text)")
    #expect(schema.text.contains("  // Only null was seen.\n  parent: JSON?\n"), "\(schema.text)")
  }

  /// ClickUp and Phabricator write the event behind the word `date`.
  @Test func keyThatBeginsWithDateIsTheTimeOfAnEvent() async throws {
    let schema = try await InferredSchema(
      of: #"""
        [{"id":1,"date_closed":null,"date_assigned":1427378400,"date_posted":"","date_format":null,
          "deadline":1427378400}]
        """#)
    for line in [
      "  // Only null was seen. The name suggests a date.\n  dateClosed: Date?\n",
      "  // The numbers look like times, in seconds since 1970.\n  dateAssigned: Date?\n",
      "  @Null(\"\") datePosted: Date?\n", "  // Only null was seen.\n  dateFormat: JSON?\n",
      "  deadline: Date?\n",
    ] { #expect(schema.text.contains(line), "\(schema.text)") }
    #expect(schema.isClean)
  }

  // MARK: Required

  private func rows(_ count: Int) -> String {
    let rows = (1...count).map { number in
      let note = number == 7 ? "" : #","note":"x""#
      return #"{"id":\#(number),"size":\#(number),"box":{"w":1,"h":2},"money":{"cents":3}\#(note)}"#
    }
    return "[\(rows.joined(separator: ","))]"
  }

  @Test func keyPresentInAll200RowsIsRequired() async throws {
    let schema = try await InferredSchema(of: rows(200))
    for line in ["size: Int", "box: Box", "note: String?", "w: Int", "cents: Int"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    #expect(!schema.text.contains("too few"))
  }

  @Test func propertiesAreOptionalBelow200Rows() async throws {
    let schema = try await InferredSchema(of: rows(199))
    #expect(
      schema.text.contains(
        "// 199 rows were seen: too few to tell which properties are required, so all but the identity are optional."
      ))
    for line in ["size: Int?", "box: Box?", "w: Int?"] {
      #expect(schema.text.contains("  \(line)\n"), "\(schema.text)")
    }
    // A struct without its only member would be nothing.
    #expect(schema.text.contains("  cents: Int\n"), "\(schema.text)")
  }

  @Test func structSeenInFewRowsGetsAComment() async throws {
    let rows = (1...200).map {
      #"{"id":\#($0)\#($0 == 5 ? #","box":{"w":1,"h":2},"license":{"type":"MIT"}"# : "")}"#
    }
    let schema = try await InferredSchema(of: "[\(rows.joined(separator: ","))]")
    #expect(
      schema.text.contains(
        "// One object was seen: too few to tell which members are required, so all are optional.\nstruct Box {"
      ),
      "\(schema.text)")
    // One object says nothing of what the next one has.
    #expect(schema.text.contains("struct License {\n  type: String?\n}"), "\(schema.text)")
  }
}
