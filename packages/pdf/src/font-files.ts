/** Font files: which ones are included, and where they are. */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Families, by their name in `@fontsource`. */
export const FAMILIES = ['source-serif-4', 'inter', 'ibm-plex-sans'] as const
export type Family = (typeof FAMILIES)[number]

export const WEIGHTS = { regular: 400, strong: 600 } as const
export type Weight = keyof typeof WEIGHTS

/** Subsets of a family; those that most invoices need come first. Not every family has all of them. */
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

/** Subsets that a family lacks; the subsets of Inter are used instead. */
const ABSENT: Readonly<Partial<Record<Family, readonly Script[]>>> = {
  'source-serif-4': ['greek-ext'],
  'ibm-plex-sans': ['greek-ext'],
}

export const hasScript = (family: Family, script: Script): boolean =>
  ABSENT[family]?.includes(script) !== true

/** Returns the name of a font file. The format is WOFF, because pdfkit fails on these fonts as WOFF2. */
export const fontFile = (family: Family, script: Script, weight: Weight): string =>
  `${family}-${script}-${WEIGHTS[weight]}-normal.woff`

/** Every font file: its path in the package, and its name in `dist/server/fonts`. */
export const FONT_FILES: readonly (readonly [from: string, to: string])[] = FAMILIES.flatMap((family) =>
  SCRIPTS.filter((script) => hasScript(family, script)).flatMap((script) =>
    (['regular', 'strong'] as const).map((weight) => {
      const file = fontFile(family, script, weight)
      return [`@fontsource/${family}/files/${file}`, file] as const
    }),
  ),
)

/** The licence files of the fonts (SIL Open Font License 1.1), which must be distributed with the fonts. */
export const FONT_LICENCES = FAMILIES.map(
  (family) => [`@fontsource/${family}/LICENSE`, `${family}.LICENSE`] as const,
)

/** Returns the path of a font: beside the built server or, when running from source, in its package. */
function pathOf(family: Family, file: string): string {
  const built = fileURLToPath(new URL(`./fonts/${file}`, import.meta.url))
  if (existsSync(built)) return built
  return createRequire(import.meta.url).resolve(`@fontsource/${family}/files/${file}`)
}

export const readFont = (family: Family, script: Script, weight: Weight): Uint8Array =>
  readFileSync(pathOf(family, fontFile(family, script, weight)))
