/** Parses the text that `bench/lists.mjs` prints. */

const number = (text) => Number(text.replaceAll(',', ''))

/** Returns the figures of the text: `[{ store, count, lists: [{ name, matches, plain, now }] }]`. */
export function listsOf(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const store = section.slice(0, section.indexOf('\n')).trim()
      const count = number(/^50 of ([\d,]+) invoices/m.exec(section)?.[1] ?? 'NaN')
      const lines = section.split('\n')
      const head = lines.findIndex((line) => line.startsWith('| list |'))
      const names = (lines[head] ?? '').split('|').map((cell) => cell.trim())
      const rows = []
      for (let at = head + 2; head >= 0 && lines[at]?.startsWith('|'); at++) {
        const cells = lines[at].split('|').map((cell) => cell.trim())
        const of = (name) => number(cells[names.indexOf(name)] ?? 'NaN')
        rows.push({ name: cells[1], matches: of('matches'), plain: of('plain query'), now: of('now') })
      }
      return { store, count, lists: rows }
    })
}
