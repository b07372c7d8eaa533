/** Lists the guides of the site, and the packages of `dev-packages/guides` that they import. */
import { readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { ROOT } from './markdown.ts'
import type { Story } from './stories.ts'

/** The hand-written pages of the site, English first. */
export const GUIDES: readonly string[] = readdirSync(`${ROOT}site`, { recursive: true, encoding: 'utf8' })
  .map((file) => `site/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.md'))
  .sort((one, other) => Number(one.startsWith('site/es/')) - Number(other.startsWith('site/es/')))

const IMPORT = /(?:from|import) '([^'.][^']*)'/g

/** Returns the packages of `dev-packages/guides` that a story imports. */
export const frameworksOf = ({ code }: Story): string[] =>
  [...code.matchAll(IMPORT)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(?:node:|cuadra)/.test(name) && !builtinModules.includes(name))
