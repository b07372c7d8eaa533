/** The larger part of the corpus: many trades, languages, notations and generators, as text and as scans. */
import { type Arrangement, arranged } from './arranged.ts'
import type { Document } from './document.ts'
import rows from './documents/wide.json' with { type: 'json' }
import { GENERATORS, type GeneratorName } from './generators.ts'
import { named } from './named.ts'
import { byPicture } from './picture.ts'
import { MORE, SALES } from './sales.ts'
import { type Capture, scanOf } from './scan.ts'
import { type Sketch, type Style, sketchOf } from './sketch.ts'
import type { Truth } from './truth.ts'

interface Row {
  readonly name: string
  readonly sale: string
  readonly style?: Style
  readonly arrangement?: Arrangement
}

export interface Printed extends Row {
  readonly by: GeneratorName
  readonly pages?: number
}

/** Makes a document with a generator. `change` changes the sketch before it is printed. */
export function printed(
  { name, by, sale, style = {}, arrangement = {}, pages = 1 }: Printed,
  truth: Truth = named(MORE, sale),
  change: (sketch: Sketch) => Sketch = (sketch) => sketch,
): Document {
  const { missing, print } = GENERATORS[by]
  return {
    name: `${name} (${by})`,
    generator: by.split(',')[0] ?? by,
    kind: 'pdf',
    source: 'text',
    pages,
    has_code: style.hasCode === true && by !== 'text printer',
    truth,
    missing,
    make: async () => print(change(sketchOf(truth, style)), truth, arrangement),
  }
}

export const WIDE_TEXTS: readonly Document[] = (rows.printed as readonly Printed[]).map((row) => printed(row))

const texts = Object.fromEntries(WIDE_TEXTS.map((document) => [document.name, document]))
const scans = (rows.scans as readonly (Capture & { readonly of: string })[]).map(({ of, ...capture }) =>
  scanOf(named(texts, of), `scan, ${capture.quality}: ${of}`, capture),
)

type Picture = Row & {
  readonly look: { readonly font: string; readonly dpi: number; readonly jpeg?: number }
}

/** Images that a vector graphics library draws, without an intermediate PDF. */
const pictures = (rows.pictures as readonly Picture[]).map((picture): Document => {
  const { name, sale, style = {}, arrangement = {}, look } = picture
  const truth = named(SALES, sale)
  return {
    name: `picture: ${name} (librsvg)`,
    generator: 'librsvg',
    kind: look.jpeg ? 'jpeg' : 'png',
    source: 'scan',
    pages: 1,
    has_code: style.hasCode === true,
    truth,
    missing: undefined,
    make: () => byPicture(arranged(sketchOf(truth, style), arrangement), style.hasCode ? truth : null, look),
  }
})

export const WIDE_SCANS: readonly Document[] = [...scans, ...pictures]
