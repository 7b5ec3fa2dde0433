import Foundation
import Hummingbird
import Syncline

extension Response {
  init(json: Data) {
    self.init(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
  }
}

/// A response with JSON and its ETag, or with status 304 if the client already has the same JSON.
func answer(_ json: SyncJSON, to request: Request, _ context: some RequestContext) async throws -> Response {
  let data = try json.data()
  return try await request.ifNoneMatch(eTag: #""\#(fingerprint(data))""#, context: context) {
    Response(json: data)
  }
}

/// A hash of the bytes, as a string (FNV-1a).
private func fingerprint(_ bytes: Data) -> String {
  let hash = bytes.reduce(into: UInt64(14_695_981_039_346_656_037)) { hash, byte in
    hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
  }
  return String(hash, radix: 16)
}

/// Converts errors of Syncline to HTTP statuses. For other errors Hummingbird responds with status 500.
struct SyncErrors<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as SyncError {
      switch error {
      case .invalidPayload: throw HTTPError(.unprocessableContent, message: error.description)
      case .storeBusy: throw HTTPError(.serviceUnavailable, message: error.description)
      default:
        context.logger.error("\(error)")
        throw error
      }
    }
  }
}
