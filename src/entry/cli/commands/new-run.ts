/** Runs `cuadra new`: writes an example with comments. Loaded on demand. */
import { basename, dirname } from 'node:path'
import type { Text } from '#core/invoice/index.ts'
import { locationsOf } from '#core/json/index.ts'
import { fill } from '#core/messages/index.ts'
import invoice from '../../../../examples/01-services-irpf.json'
import corrective from '../../../../examples/11-corrective-substitution.json'
import ticket from '../../../../examples/13-simplified-ticket.json'
import received from '../../../../examples/15-received-electricity.json'
import { wrap } from '../../terminal/printable.ts'
import { COMMENTS, NEW_FILE } from '../generated/texts/new.ts'
import type { Cli } from '../input/cli.ts'
import type { SharedFlags } from '../input/input-flags.ts'
import { Results } from '../input/input-results.ts'

export interface NewFlags extends SharedFlags {
  readonly out?: string
  readonly force?: true
}

const DOCUMENTS = { invoice, ticket, corrective, received }

export type NewInvoice = keyof typeof DOCUMENTS

/** Maximum width of a comment. */
const WIDTH = 100

/** Returns the JSON with a comment above each member that has one. */
function commented(json: string, comments: Readonly<Record<string, Text>>, { translate }: Cli): string {
  const locations = locationsOf(json, Object.keys(comments))
  let result = json
  // Begins at the end, so that the offsets before remain right.
  const places = Object.entries(comments)
    .flatMap(([pointer, text]) => {
      const { key, missing } = locations.get(pointer) ?? {}
      return key && missing?.length === 0 ? [{ start: key.start, text }] : []
    })
    .sort((one, other) => other.start - one.start)
  for (const { start, text } of places) {
    const indent = json.slice(json.lastIndexOf('\n', start) + 1, start)
    const lines = wrap(translate(text), WIDTH - indent.length - 3).map((line) => `// ${line}\n${indent}`)
    result = result.slice(0, start) + lines.join('') + result.slice(start)
  }
  return result
}

export async function writeNewInvoice(
  cli: Cli,
  kind: NewInvoice,
  { out, force, json }: NewFlags,
): Promise<void> {
  const plain = JSON.stringify(DOCUMENTS[kind], null, 2)
  const text = `${json ? plain : commented(plain, COMMENTS, cli)}\n`
  if (out === undefined) {
    cli.out.write(text)
    return
  }
  const fault = await new Results(cli, dirname(out), force === true, []).write(basename(out), text)
  if (fault !== null) throw cli.usageErrorAbout(out, NEW_FILE.exists)
  cli.err.write(`→ ${out}\n${fill(cli.translate(NEW_FILE.next), { file: out }, cli.locale)}\n`)
}
