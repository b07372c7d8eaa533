/** Tests that need what a clone may lack: they are skipped by name, and the name says how to get it. */
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, it } from 'vitest'
import { setMissing } from '../scripts/dev-packages.mjs'
import { isBare } from './bare.ts'

export { setMissing } from '../scripts/dev-packages.mjs'

export const CHROMIUM = '/usr/bin/chromium'

/** Why nothing can be shown in a browser here; undefined where it can. */
export const browserMissing: string | undefined =
  setMissing('browser') ?? (existsSync(CHROMIUM) && !isBare ? undefined : `no ${CHROMIUM}`)

/** Whether a program is in `PATH`. */
export const hasProgram = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** A suite, or one skipped test in its place that says what is missing. */
export function suite(name: string, missing: string | undefined, body: () => void): void {
  if (missing === undefined) describe(name, body)
  else it.skip(`${name} (${missing})`, () => undefined)
}
