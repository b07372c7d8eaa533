/** A golden file with a line per case: its name and the JSON of the result. `UPDATE_GOLDEN=1` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'

/** Lines by name, as they were written down and as they are; both hold only those that differ, which read better. */
export function goldenLines(
  file: URL,
  answers: ReadonlyMap<string, unknown>,
): { written: Record<string, unknown>; found: Record<string, unknown> } {
  const text = [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map((entry) => JSON.stringify(entry))
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, `[\n${text.join(',\n')}\n]\n`)
  const known = new Map<string, unknown>(JSON.parse(readFileSync(file, 'utf8')))
  const names = [...new Set([...known.keys(), ...answers.keys()])].filter(
    (name) => JSON.stringify(known.get(name)) !== JSON.stringify(answers.get(name)),
  )
  const pick = (from: ReadonlyMap<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, from.get(name)]))
  return { written: pick(known), found: pick(answers) }
}
