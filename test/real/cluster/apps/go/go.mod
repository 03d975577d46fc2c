module breakpod/server

go 1.24
