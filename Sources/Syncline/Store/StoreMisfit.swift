/// Why a store does not fit the models.
struct StoreMisfit: Error {
  let reason: String
}
