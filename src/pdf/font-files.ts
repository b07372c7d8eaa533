/** Which files of a family are carried along, and where they are. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Each as `@fontsource` names it. */
export const FAMILIES = ['source-serif-4', 'inter', 'ibm-plex-sans'] as const
export type Family = (typeof FAMILIES)[number]

export const WEIGHTS = { regular: 400, strong: 600 } as const
export type Weight = keyof typeof WEIGHTS

/** The parts into which a family is cut, those first that most invoices need. Not every family has all of them. */
export const SCRIPTS = [
  'latin',
  'latin-ext',
  'greek',
  'cyrillic',
  'vietnamese',
  'cyrillic-ext',
  'greek-ext',
] as const
export type Script = (typeof SCRIPTS)[number]

/** Families without these parts: what Inter has beyond them serves for all. */
const ABSENT: Readonly<Partial<Record<Family, readonly Script[]>>> = {
  'source-serif-4': ['greek-ext'],
  'ibm-plex-sans': ['greek-ext'],
}

export const hasScript = (family: Family, script: Script): boolean =>
  ABSENT[family]?.includes(script) !== true

/** WOFF and not WOFF2: pdfkit's reader of the latter fails on these. */
export const fontFile = (family: Family, script: Script, weight: Weight): string =>
  `${family}-${script}-${WEIGHTS[weight]}-normal.woff`

/** Every file, from where the build takes it, and its name in `dist/server/fonts`. */
export const FONT_FILES: readonly (readonly [from: string, to: string])[] = FAMILIES.flatMap((family) =>
  SCRIPTS.filter((script) => hasScript(family, script)).flatMap((script) =>
    (['regular', 'strong'] as const).map((weight) => {
      const file = fontFile(family, script, weight)
      return [`@fontsource/${family}/files/${file}`, file] as const
    }),
  ),
)

/** Their licence (SIL Open Font License 1.1), which goes along with them. */
export const FONT_LICENCES = FAMILIES.map(
  (family) => [`@fontsource/${family}/LICENSE`, `${family}.LICENSE`] as const,
)

/** Where the build puts them (`tsup.config.ts`). */
const BUILT = new URL('./fonts/', import.meta.url)

/** Beside the built server; where the sources run as they are, in the packages from which the build takes them. */
function pathOf(family: Family, file: string): string {
  const built = fileURLToPath(new URL(file, BUILT))
  if (existsSync(built)) return built
  return createRequire(import.meta.url).resolve(`@fontsource/${family}/files/${file}`)
}

export const readFont = (family: Family, script: Script, weight: Weight): Uint8Array =>
  readFileSync(pathOf(family, fontFile(family, script, weight)))
