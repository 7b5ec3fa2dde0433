import SynclineNaming
import Testing

@Suite struct NameSpellingTests {
  private func areSimilar(_ left: String, _ right: String) -> Bool {
    let (left, right) = (NameSpelling(left), NameSpelling(right))
    #expect(left.isSimilar(to: right) == right.isSimilar(to: left))
    return left.isSimilar(to: right)
  }

  @Test(arguments: [
    ("name", "nmae"), ("estimate", "estimated"), ("tag", "tags"), ("userName", "user_nmae"),
    ("color", "colour"),
    ("updatedAt", "UpdatedAT"), ("organisationID", "organization_id"), ("trackz", "tracks"),
  ])
  func aMisspelledNameIsSimilar(left: String, right: String) {
    #expect(areSimilar(left, right))
  }

  @Test(arguments: [
    ("createdAt", "updatedAt"), ("firstName", "lastName"), ("line1", "line2"), ("minPrice", "maxPrice"),
    ("url", "uri"), ("age", "page"), ("email", "contact"), ("name", "userName"), ("latitude", "altitude"),
    ("", ""),
  ])
  func anotherNameIsNotSimilar(left: String, right: String) {
    #expect(!areSimilar(left, right))
  }

  @Test func separatorsAndCaseAreIgnored() {
    #expect(NameSpelling("Created-At").letters == NameSpelling("created_at").letters)
  }
}
