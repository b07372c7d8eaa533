/** The version of the package that is running. */
import { readFileSync } from 'node:fs'

/** `src/cli` and `dist/cli` are equally far from `package.json`. */
export const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version
