module breakpod/pause

go 1.24
