/** Imports the modules that are named on standard input, one after the other, and writes what each printed. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { pathToFileURL } from 'node:url'
import { format } from 'node:util'

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const told = []
for (const file of JSON.parse(readFileSync(0, 'utf8'))) {
  const lines = []
  console.log = (...values) => lines.push(format(...values))
  process.env.PORT = String(await freePort())
  let error = null
  try {
    await import(pathToFileURL(file).href)
  } catch (problem) {
    error = String(problem.stack ?? problem)
  }
  told.push({ printed: lines.join('\n').trimEnd(), error })
}
process.stdout.write(`\u0000${JSON.stringify(told)}`, () => process.exit(0))
