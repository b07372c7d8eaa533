/** Removes origin and paths read from the rules, which `rules()` takes from a generated table. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const REMOVED = ['origin', 'reads']

function spansOf(source) {
  const spans = []
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && REMOVED.includes(node.name.getText())) spans.push(node)
    else ts.forEachChild(node, visit)
  }
  visit(source)
  return spans
}

export const withoutReads = {
  name: 'without-reads',
  setup(build) {
    build.onLoad({ filter: /\/rules\/[\w-]+\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const spans = spansOf(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
      // Line numbers are kept for source maps.
      const contents = spans.reduceRight((left, node) => {
        const from = node.getStart()
        return `${left.slice(0, from)}...{}${left.slice(from, node.end).replace(/[^\n]/g, '')}${left.slice(node.end)}`
      }, text)
      return { contents, loader: 'ts' }
    })
  },
}
