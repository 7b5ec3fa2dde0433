autocmd BufRead,BufNewFile *.syncline setfiletype syncline
