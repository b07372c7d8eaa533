/** Threads are prepared for their first jobs. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder } from '#test/folders.ts'
import { createThreads } from '../../src/work/threads.ts'

/** `load` ends when it runs in two threads. `isLoaded` does so too, and returns whether its thread has loaded. */
const MODULE = `
import { mkdirSync, readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
async function inTwoThreads(name) {
  const folder = new URL(name + '/', import.meta.url)
  mkdirSync(new URL(String(threadId), folder), { recursive: true })
  while (readdirSync(folder).length < 2) await setTimeout(1)
}
let loaded = false
export async function load() {
  await inTwoThreads('load')
  loaded = true
}
export async function isLoaded() {
  await inTwoThreads('use')
  return loaded
}
`

it('threads load what they need before the first jobs of two companies', async () => {
  const file = join(temporaryFolder(), 'jobs.mjs')
  writeFileSync(file, MODULE)
  const threads = createThreads(pathToFileURL(file), { threads: 3 })
  try {
    await threads.prepare('load')
    const jobs = ['A', 'B'].map((company) =>
      threads.run<boolean>('isLoaded', undefined, { company, isLong: false, weight: 1 }),
    )
    expect(await Promise.all(jobs)).toEqual([true, true])
  } finally {
    await threads.close()
  }
})
