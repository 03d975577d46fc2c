// Holds a pod's namespaces: process 1 of each pod's sandbox.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	signal.Ignore(syscall.SIGCHLD) // the kernel then reaps orphans, which a shared process namespace brings
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGINT, syscall.SIGTERM)
	<-end
}
