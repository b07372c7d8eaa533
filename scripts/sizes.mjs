/** How sizes are said and limits held: what `size.mjs` and `edge-size.mjs` share. */
import { gzipSync } from 'node:zlib'

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`

/** Prints the gzipped size of some contents, limits in kilobytes, and collects what is over its limit or forbidden. */
export class Sizes {
  problems = []

  measure(name, contents, limit) {
    const size = contents.reduce((sum, one) => sum + gzipSync(one, { level: 9 }).length, 0)
    console.log(`${name}: ${kilobytes(size)} gzip (limit ${kilobytes(limit * 1024)})`)
    if (size > limit * 1024) this.problems.push(`${name}: ${size - limit * 1024} bytes over the limit`)
    if (size === 0) this.problems.push(`${name}: there is no such file`)
  }

  refuse(name, code, patterns) {
    for (const pattern of patterns)
      if (pattern.test(code)) this.problems.push(`${name} contains ${pattern.source}`)
  }

  /** Prints the problems, and makes the process fail where there are any. */
  end() {
    for (const problem of this.problems) console.error(problem)
    process.exitCode = this.problems.length > 0 ? 1 : 0
  }
}
