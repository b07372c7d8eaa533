/// <reference types="node" />
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Prints what a test has counted. `scripts/evidence.mjs` puts these lines on its page (`CUADRA_EVIDENCE`, a file). */
export function figure(text: string): void {
  const file = process.env.CUADRA_EVIDENCE
  if (file === undefined) console.log(text)
  else
    appendFileSync(file, `${JSON.stringify({ file: expect.getState().testPath?.replace(root, ''), text })}\n`)
}
