/**
 * Source maps as the package carries them: our own TypeScript inside, and its lines rather than its columns, so that a
 * stack, a debugger and whoever steps into the engine read what was written. Exact columns would be 200 KB of the
 * tarball more. Tables, generated code and libraries are left out: what was bundled of them is as readable.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const OWN = /(?:^|\/)(?:src|rules)\/(?!.*\/generated\/).*\.ts$/

const COMMENT = /(?:\n\/\/# sourceMappingURL=.*)+\s*$/

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The numbers of a segment of `mappings`: five bits to a digit, the sign in the lowest (ECMA-426, "VLQ"). */
function numbersOf(segment) {
  const numbers = []
  let value = 0
  let shift = 0
  for (const letter of segment) {
    const digit = DIGITS.indexOf(letter)
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = shift = 0
  }
  return numbers
}

function digitsOf(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    text += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)]
    rest >>= 5
  } while (rest > 0)
  return text
}

/** `mappings` with one segment for each line of ours in a line of the bundle, and one where foreign code begins. */
function linesOf(mappings, owned) {
  // Source, line and column, as the last segment read and the last one kept have them.
  let read = [0, 0, 0]
  let kept = [0, 0, 0]
  let inside = false
  return mappings.split(';').map((line) => {
    let at = 0
    let from = 0
    let before = ''
    const segments = []
    for (const segment of line === '' ? [] : line.split(',')) {
      const [column, ...place] = numbersOf(segment)
      at += column
      if (place.length > 0) read = read.map((value, index) => value + place[index])
      const own = place.length > 0 && owned[read[0]]
      const here = own ? `${read[0]}:${read[1]}` : 'foreign'
      if (here === before || (!own && !inside)) continue
      before = here
      inside = own
      const numbers = own ? read.map((value, index) => value - kept[index]) : []
      if (own) kept = read
      segments.push([at - from, ...numbers].map(digitsOf).join(''))
      from = at
    }
    return segments.join(',')
  })
}

/** Trims the map of each file of some folders, and takes away those that would map nothing. */
export function trimSourceMaps(folders) {
  for (const folder of folders)
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.js.map'))) {
      const path = join(folder, file)
      const { version, sources, mappings } = JSON.parse(readFileSync(path, 'utf8'))
      const owned = sources.map((source) => OWN.test(source))
      const code = path.slice(0, -'.map'.length)
      const text = readFileSync(code, 'utf8').replace(COMMENT, '')
      writeFileSync(
        code,
        owned.includes(true) ? `${text}\n//# sourceMappingURL=${file}\n` : `${text.trimEnd()}\n`,
      )
      if (!owned.includes(true)) rmSync(path)
      else
        writeFileSync(
          path,
          JSON.stringify({
            version,
            file: file.slice(0, -'.map'.length),
            sources,
            // As it is written: the build leaves parts of the rules out (without-reads.mjs).
            sourcesContent: sources.map((source, index) =>
              owned[index] ? readFileSync(join(dirname(path), source), 'utf8') : null,
            ),
            names: [],
            mappings: linesOf(mappings, owned).join(';'),
          }),
        )
    }
}
