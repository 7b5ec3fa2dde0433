" Schema files of Syncline.
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax keyword synclineDeclaration model struct union enum import schema case var nextgroup=synclineName skipwhite
syntax keyword synclineOn on
syntax match synclineName /\<[A-Za-z_][A-Za-z0-9_]*\>/ contained
syntax keyword synclineScalar String Int Int8 Int16 Int32 Int64 UInt UInt8 UInt16 UInt32 UInt64
syntax keyword synclineScalar Double Float Bool Date UUID URL Decimal Data JSON
syntax keyword synclineConstant true false nil
syntax match synclineProperty /\<[A-Za-z_][A-Za-z0-9_]*\ze\s*:/
syntax match synclineUnknownAttribute /@[A-Za-z_][A-Za-z0-9_]*/
syntax match synclineAttribute /@\(PrimaryKey\|RemoteKey\|Below\|Singleton\|KeyPattern\|DateFormat\|Transform\|Null\|NotExport\|Export\|Relationship\|Transient\|Local\|Index\|Unique\|ParentScoped\|UpdatedAt\|SoftDelete\|Deleted\|Offline\|RenamedFrom\|TypeName\|Position\|Ordered\|Merged\|OneOrMany\)\>/
syntax match synclineKeyPath /\\\([A-Za-z_][A-Za-z0-9_]*\)\?\(\.[A-Za-z_][A-Za-z0-9_]*\)\+/
syntax match synclineCase /[A-Za-z0-9_\\]\@<!\.[A-Za-z_][A-Za-z0-9_]*/
syntax match synclineNumber /-\?\<[0-9][0-9_]*\(\.[0-9]\+\)\?\([eE][+-]\?[0-9]\+\)\?\>/
syntax match synclineEscape /\\\(u{[0-9A-Fa-f]\+}\|.\)/ contained
syntax region synclineString start=/"/ end=/"/ oneline contains=synclineEscape
syntax region synclineString start=/#"/ end=/"#/ oneline
syntax region synclineString start=/"""/ end=/"""/ contains=synclineEscape
syntax match synclineComment /\/\/.*$/ contains=@Spell
syntax match synclineDocumentation /\/\/\/.*$/ contains=@Spell
syntax region synclineComment start=/\/\*/ end=/\*\// contains=synclineComment,@Spell

highlight default link synclineDeclaration Keyword
highlight default link synclineOn Keyword
highlight default link synclineName Type
highlight default link synclineScalar Type
highlight default link synclineConstant Constant
highlight default link synclineProperty Identifier
highlight default link synclineAttribute PreProc
highlight default link synclineUnknownAttribute Error
highlight default link synclineKeyPath Special
highlight default link synclineCase Constant
highlight default link synclineNumber Number
highlight default link synclineEscape SpecialChar
highlight default link synclineString String
highlight default link synclineComment Comment
highlight default link synclineDocumentation SpecialComment

let b:current_syntax = 'syncline'
