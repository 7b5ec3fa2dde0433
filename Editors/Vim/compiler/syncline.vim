" :make Schemas/App fills the quickfix list with what is wrong.
if exists('current_compiler')
  finish
endif
let current_compiler = 'syncline'

CompilerSet makeprg=syncline\ check\ $*
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
