import { expect, it } from 'vitest'
import { unprintableIn } from '../src/printable-characters.ts'
import { textRunsOf } from '../src/runs.ts'

const STYLES = [
  { family: 'inter', weight: 'regular', figures: false },
  { family: 'source-serif-4', weight: 'strong', figures: false },
] as const

/** Whether the layout substitutes a character. */
const isSubstituted = (character: string): boolean =>
  STYLES.some((style) => textRunsOf(character, style).some(({ text }) => text === '\ufffd'))

it('the list of characters is that of the fonts', () => {
  const ranges: readonly [number, number][] = [
    [0x20, 0x2fff],
    [0xa000, 0xa8ff],
    [0xf900, 0xffff],
  ]
  const different: string[] = []
  for (const [first, last] of ranges)
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code)
      // The letters of the digraph U+01C4 are in two files, which the layout does not combine.
      if (code === 0x1c4 || code === 0xfffd || /[\s\p{C}\p{Z}\p{Variation_Selector}]/u.test(character))
        continue
      if (character.normalize('NFC') !== character) continue
      if (unprintableIn(character).length > 0 !== isSubstituted(character)) different.push(code.toString(16))
    }
  expect(different).toEqual([])
})

it.each([
  ['Comercial Ñandú, S.L. · Ελλάς · Київ · 10 €', ''],
  ['北京公司 S.A.', '北 京 公 司'],
  ['شركة', 'ش ر ك ة'],
  ['Café ☕ 🎉', '☕ 🎉'],
  ['ＡＢＣ', ''],
  ['\ud800', '\ud800'],
])('of "%s", "%s" is not printed', (text, missing) => {
  expect(unprintableIn(text).join(' ')).toBe(missing)
})
