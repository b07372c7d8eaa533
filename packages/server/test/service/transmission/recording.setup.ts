/** Runs around every test while transmissions are recorded. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, type TestContext } from 'vitest'
import { beginTest, endTest, nextId, type Test } from './recorder.ts'

const testOf = ({ task }: TestContext): Test => ({ file: task.file.filepath, name: task.fullTestName })

// Pauses after failures are random, and records with the same deadline are sent in the order of their ids.
Math.random = () => 0.5
crypto.randomUUID = nextId
syncBuiltinESMExports()

beforeEach((context) => beginTest(testOf(context)))
afterEach((context) => endTest(testOf(context), (context.task.result?.errors ?? []).length > 0))
