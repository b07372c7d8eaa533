/**
 * Source maps as the package carries them: our own TypeScript inside, and its lines rather than its columns, so that a
 * stack, a debugger and whoever steps into the engine read what was written. Exact columns would be 200 KB of the
 * tarball more. Tables, generated code and libraries are left out: what was bundled of them is as readable.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'

const OWN = /(?:^|\/)(?:src|rules)\/(?!.*\/generated\/).*\.ts$/

const COMMENT = /(?:\n\/\/# sourceMappingURL=.*)+\s*$/

/** The segments of ours: one for each line of a source in a line of the bundle, and one where foreign code begins. */
function linesOf(lines, owned) {
  let inside = false
  return lines.map((segments) => {
    let before
    return segments.flatMap(([at, source, line, column]) => {
      const own = source !== undefined && owned[source]
      const here = own ? `${source}:${line}` : 'foreign'
      if (here === before || (!own && !inside)) return []
      before = here
      inside = own
      return own ? [[at, source, line, column]] : [[at]]
    })
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
            mappings: encode(linesOf(decode(mappings), owned)),
          }),
        )
    }
}
