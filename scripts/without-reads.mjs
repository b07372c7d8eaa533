/** The rules without the paths that they read: only `rules()` tells of them, which the edge file does not offer. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

function spansOf(source) {
  const spans = []
  const visit = (node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'reads') spans.push(node)
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
      const contents = spans.reduceRight(
        (left, node) => `${left.slice(0, node.getStart())}...{}${left.slice(node.end)}`,
        text,
      )
      return { contents, loader: 'ts' }
    })
  },
}
