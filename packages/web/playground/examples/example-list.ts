/** The list of examples. The text of the first example is included; the others are loaded on demand. */

import { required } from '#core/errors/index.ts'
import type { Text } from '#engine/index.ts'
import first from '../../../../examples/01-services-irpf.json?raw'
import { EXAMPLES as EXAMPLES_TEXTS } from '../generated/texts/examples.ts'

interface Group {
  readonly title: Text
  readonly examples: readonly (Text & { readonly id: string })[]
}

export const EXAMPLES: readonly Group[] = EXAMPLES_TEXTS

export const FIRST_EXAMPLE = '01-services-irpf'
export const firstExampleText = first

export const exampleName = (id: string): Text | undefined =>
  EXAMPLES.flatMap(({ examples }) => examples).find((one) => one.id === id)

export async function exampleText(id: string): Promise<string> {
  if (id === FIRST_EXAMPLE) return firstExampleText
  const { TEXTS } = await import('./example-texts.ts')
  return required(TEXTS[id])
}
