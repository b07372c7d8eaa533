#!/usr/bin/env node
// The command as npm links it: what it runs is built where the rest of the server is.
await import('../../../scripts/admin.mjs')
