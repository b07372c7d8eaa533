/** Tests that need what a clone may do without: they are left out by name, and the name says how to have it. */
import { existsSync } from 'node:fs'
import { describe, it } from 'vitest'
import { toolMissing } from '../scripts/tools.mjs'

export { toolMissing } from '../scripts/tools.mjs'

export const CHROMIUM = '/usr/bin/chromium'

/** Why nothing can be shown in a browser here; undefined where it can. */
export const browserMissing: string | undefined =
  toolMissing('browser') ?? (existsSync(CHROMIUM) ? undefined : `no ${CHROMIUM}`)

/** A suite, or one skipped test in its place that says what is missing. */
export function suite(name: string, missing: string | undefined, body: () => void): void {
  if (missing === undefined) describe(name, body)
  else it.skip(`${name} (${missing})`, () => undefined)
}
