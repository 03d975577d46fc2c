//go:build tools

// Package tools names the command that build.ts builds, so that go.mod keeps what it needs.
package tools

import _ "go.etcd.io/etcd/server/v3"
