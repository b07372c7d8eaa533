/** The deployed file. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ROOT } from './ask.ts'

export const DIST = fileURLToPath(new URL('dist/edge/index.js', ROOT))

export const distCode = (): string => readFileSync(DIST, 'utf8')
