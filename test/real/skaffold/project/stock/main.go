// Answers on 8080: /ready, and a greeting with a counter for anything else.
package main

import (
	"fmt"
	"net/http"
	"sync/atomic"
)

var visits atomic.Int64

func main() {
	http.HandleFunc("/ready", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "ok") })
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "stock %s %d\n", r.URL.Path, visits.Add(1))
	})
	fmt.Println("listening on 8080")
	panic(http.ListenAndServe(":8080", nil))
}
