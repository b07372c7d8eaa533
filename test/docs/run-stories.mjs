/** Imports the modules that standard input names, one after the other, and writes what each printed. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { pathToFileURL } from 'node:url'

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const writeOut = process.stdout.write.bind(process.stdout)
const written = { out: '', error: '' }
for (const [stream, name] of [
  [process.stdout, 'out'],
  [process.stderr, 'error'],
])
  stream.write = (piece, encoding, done) => {
    written[name] += piece
    ;(typeof encoding === 'function' ? encoding : done)?.()
    return true
  }

const outcomes = []
for (const file of JSON.parse(readFileSync(0, 'utf8'))) {
  written.out = ''
  written.error = ''
  process.env.PORT = String(await freePort())
  let error = null
  try {
    await import(pathToFileURL(file).href)
  } catch (problem) {
    error = String(problem.stack ?? problem)
  }
  outcomes.push({ printed: written.out.trimEnd(), complained: written.error, error })
}
writeOut(`\u0000${JSON.stringify(outcomes)}`, () => process.exit(0))
