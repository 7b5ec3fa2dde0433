// The module that only generated code imports. If a target does not adopt `InternalImportsByDefault`, Swift rejects an import
// without an access level if another file of the target imports the same module with one:
//
//     internal import Syncline   // in a file of the user's
//     import Syncline            // error: ambiguous implicit access level for import of 'Syncline'
//
// Generated code avoids this error, because no file of the user imports this module.

@_exported public import Foundation
@_exported public import Syncline
