" Comments, indentation, and the formatter: gq with a motion formats nothing less than the file, so use :%!syncline format -
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,:///,://
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal smartindent
compiler! syncline

let b:undo_ftplugin = 'setlocal commentstring< comments< expandtab< shiftwidth< softtabstop< smartindent<'
