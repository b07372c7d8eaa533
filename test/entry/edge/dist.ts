/** The deployed file. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { packagesIn } from '../../../scripts/notices.mjs'
import { ROOT } from './ask.ts'

export const DIST = fileURLToPath(new URL('dist/edge/index.js', ROOT))

export const distCode = (): string => readFileSync(DIST, 'utf8')

/** Expects that the notices of a built file name the packages inside it. */
export async function expectNotices(source: string, notices: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL(source, ROOT))],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    write: false,
    metafile: true,
  })
  const text = readFileSync(new URL(notices, ROOT), 'utf8')
  const named = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name)
  expect(named).toEqual(packagesIn(required(Object.values(metafile.outputs)[0]).inputs).sort())
}
