#!/usr/bin/env node
// The command as npm links it. In a clone the program is built first where it is missing; an installed package has it.
import { existsSync } from 'node:fs'

const installed = new URL('../dist/server/admin.js', import.meta.url)
await import(existsSync(installed) ? installed.href : '../../../scripts/admin.mjs')
