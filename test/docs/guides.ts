/** The guides of the site, and what they need of `dev-packages/guides`. */
import { readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { ROOT } from './markdown.ts'
import type { Story } from './stories.ts'

/** Every page of the site that is written by hand, English first. */
export const GUIDES: readonly string[] = (readdirSync(`${ROOT}site`, { recursive: true }) as string[])
  .map((file) => `site/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.md'))
  .sort((one, other) => Number(one.startsWith('site/es/')) - Number(other.startsWith('site/es/')))

const IMPORT = /(?:from|import) '([^'.][^']*)'/g

/** Packages that a story takes from `dev-packages/guides`. */
export const frameworksOf = ({ code }: Story): string[] =>
  [...code.matchAll(IMPORT)]
    .map(([, name = '']) => name)
    .filter((name) => !/^(?:node:|cuadra)/.test(name) && !builtinModules.includes(name))
