/**
 * Reduces the source maps of the package to the lines of our own TypeScript, for stacks and debuggers. Exact columns
 * would add 200 KB to the tarball. Tables, generated code and libraries are omitted, as their bundled code is as
 * readable.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'

const OWN = /(?:^|\/)(?:src|rules)\/(?!.*\/generated\/).*\.ts$/

const COMMENT = /(?:\n\/\/# sourceMappingURL=.*)+\s*$/

/** Returns our segments: one per source line in a line of the bundle, and one where foreign code begins. */
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

/** Trims the source maps in some folders, and removes empty ones. */
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
            // The original text, since the build removes parts of the rules (without-reads.mjs).
            sourcesContent: sources.map((source, index) =>
              owned[index] ? readFileSync(join(dirname(path), source), 'utf8') : null,
            ),
            names: [],
            mappings: encode(linesOf(decode(mappings), owned)),
          }),
        )
    }
}
