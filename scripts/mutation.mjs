/**
 * `npm run test:mutation`: which changes of one token the fast tests do not notice.
 *
 * 250 changes of the calculation and 250 of the records (`mutation/parts.mjs`), drawn by `--seed` (1) from a hash of
 * their words, so that an edit elsewhere draws no others. All changes of a part are bundled at once, each behind a
 * switch; with one switched on, the tests that come by it run until one fails. `mutation/equivalents.json` names
 * changes that no invoice can show, with the reason; they do not count.
 *
 * `--seed <text>`, `--count <per draw>`, `--draw calculation` or `records`, `--only <part of a path>`, `--show` (what
 * noticed each change).
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle, parses } from './mutation/bundle.mjs'
import { PARTS } from './mutation/parts.mjs'
import { places } from './mutation/places.mjs'
import { runner } from './mutation/runner.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const text = { type: 'string' }
const { values: flags } = parseArgs({
  options: {
    seed: { ...text, default: '1' },
    count: { ...text, default: '250' },
    draw: { ...text, default: '' },
    only: { ...text, default: '' },
    show: { type: 'boolean' },
  },
})
const sourceOf = (file) => readFileSync(`${root}${file}`, 'utf8')
const nameOf = ({ file, source, change, nth = 1 }) => [file, source, change, nth].join(' | ')
const equivalents = new Map(
  JSON.parse(sourceOf('scripts/mutation/equivalents.json')).map((one) => [nameOf(one), one]),
)
const order = (place) =>
  createHash('sha256')
    .update(`${flags.seed} ${nameOf(place)}`)
    .digest('hex')
const files = ['src', 'rules'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`),
)
const partOf = (file) => PARTS.find(({ sources }) => sources.test(file))
const everywhere = files.filter(partOf).flatMap((file) => places(file, sourceOf(file)))

/** The changes of a draw that are in question. */
const drawn = (draw) =>
  everywhere
    .filter(({ file }) => partOf(file).draw === draw && file.includes(flags.only))
    .map((place) => ({ ...place, order: order(place) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, Number(flags.count))

const scores = new Map()
const judge = (place, kind, failure) => {
  const area = place.file.replace(/^((?:src\/)?[^/]+)\/.*/, '$1')
  if (!scores.has(area)) scores.set(area, { noticed: 0, survived: 0, equivalent: 0, unparsed: 0 })
  scores.get(area)[kind] += 1
  const { file, line, change, nth, source } = place
  if (kind === 'survived' || flags.show)
    console.log(`${kind.padEnd(10)} ${file}:${line}  ${change}${nth > 1 ? ` (${nth})` : ''}   ${source}`)
  if (flags.show && failure) console.log(`           ${failure.failed}: ${failure.message}`)
}

const chosen = [...new Set(PARTS.map(({ draw }) => draw))]
  .filter((draw) => draw.includes(flags.draw))
  .flatMap(drawn)
for (const part of PARTS) {
  const counted = []
  for (const place of chosen.filter(({ file }) => partOf(file) === part))
    if (equivalents.has(nameOf(place))) judge(place, 'equivalent')
    else if (!parses(place)) judge(place, 'unparsed')
    else counted.push({ ...place, id: counted.length })
  if (counted.length === 0) continue
  const folder = await bundle(root, part, counted)
  const { failureOf, end } = await runner(pathToFileURL(folder).href, part.left)
  for (const place of counted) {
    const failure = await failureOf(place.id)
    judge(place, failure ? 'noticed' : 'survived', failure)
  }
  await end()
  rmSync(folder, { recursive: true })
}

const share = ({ noticed, survived }) => `${((100 * noticed) / (noticed + survived || 1)).toFixed(1)} %`
const line = (name, score) =>
  console.log(`${name.padEnd(20)} ${share(score).padStart(7)}  ${JSON.stringify(score)}`)
const all = { noticed: 0, survived: 0, equivalent: 0, unparsed: 0 }
for (const [area, score] of [...scores].sort()) {
  for (const kind of Object.keys(all)) all[kind] += score[kind]
  line(area, score)
}
line(`seed ${flags.seed}`, all)
const known = new Set(everywhere.map(nameOf))
for (const [name] of equivalents) if (!known.has(name)) console.log(`stale      ${name}`)
