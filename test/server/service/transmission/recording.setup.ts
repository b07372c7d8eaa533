/** Runs around every test while transmissions are recorded. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, beforeEach, type TestContext } from 'vitest'
import { beginTest, endTest, nextId, type Test } from './recorder.ts'

const testOf = ({ task }: TestContext): Test => ({ file: task.file.filepath, name: task.fullTestName })

// Pauses after a failure are drawn at random, and what has the same deadline goes in the order of its id.
Math.random = () => 0.5
crypto.randomUUID = nextId
syncBuiltinESMExports()

beforeEach((context) => beginTest(testOf(context)))
afterEach((context) => endTest(testOf(context), (context.task.result?.errors ?? []).length > 0))
