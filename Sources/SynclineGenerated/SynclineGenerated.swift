// What generated code imports, and nobody else does. Where a target does not adopt `InternalImportsByDefault`, Swift
// rejects an import without an access level if another file of the target imports the same module with one:
//
//     internal import Syncline   // in a file of the user's
//     import Syncline            // error: ambiguous implicit access level for import of 'Syncline'
//
// The imports of generated code can take no part in that, since they are of a module of their own.

@_exported public import Foundation
@_exported public import Syncline
