#!/usr/bin/env node
// The command that npm links. An installed package contains the program; a clone builds it if it is missing.
import { existsSync } from 'node:fs'

const installed = new URL('../dist/server/admin.js', import.meta.url)
await import(existsSync(installed) ? installed.href : '../../../scripts/admin.mjs')
