/** Every place of a source where one token can be changed, and a source in which each of them can be switched on. */
import ts from 'typescript'

/** An operator and what takes its place. */
const OPERATORS = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['&&', '||'],
  ['||', '&&'],
  ['??', '&&'],
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
  ['**', '*'],
  ['+=', '-='],
  ['-=', '+='],
])

const forced = (condition, name) => [
  [condition, 'true', `${name} true`],
  [condition, 'false', `${name} false`],
]

/** `[expression, its changed text, name of the change]` of one node. */
function changesOf(node, code) {
  if (ts.isBinaryExpression(node)) {
    const { operatorToken: token } = node
    const other = OPERATORS.get(token.getText())
    if (other === undefined) return []
    const text = code.slice(node.getStart(), token.getStart()) + other + code.slice(token.end, node.end)
    return [[node, text, `${token.getText()} -> ${other}`]]
  }
  if (ts.isIfStatement(node)) return forced(node.expression, 'if')
  if (ts.isConditionalExpression(node)) return forced(node.condition, '?')
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [[node, node.operand.getText(), 'drop !']]
  if (node.parent?.name === node) return []
  if (ts.isNumericLiteral(node)) return [[node, String(Number(node.text) + 1), `${node.getText()} +1`]]
  if (ts.isBigIntLiteral(node))
    return [[node, `${BigInt(node.text.slice(0, -1)) + 1n}n`, `${node.getText()} +1`]]
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [[node, 'false', 'true -> false']]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [[node, 'true', 'false -> true']]
  return []
}

const treeOf = (file, code) => ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)

/**
 * The changes of a file: `{ file, line, source, change, nth, start, end, text }`. `source`, `change` and `nth` (of
 * the same change in the same words) name a place whatever is written above it; `line` is for people.
 */
export function places(file, code) {
  const tree = treeOf(file, code)
  const lines = code.split('\n')
  const seen = new Map()
  const found = []
  const visit = (node) => {
    if (ts.isTypeNode(node)) return
    for (const [part, text, change] of changesOf(node, code)) {
      const [start, end] = [part.getStart(), part.getEnd()]
      const line = tree.getLineAndCharacterOfPosition(start).line
      const source = lines[line].trim()
      const name = `${source} | ${change}`
      seen.set(name, (seen.get(name) ?? 0) + 1)
      found.push({ file, line: line + 1, source, change, nth: seen.get(name), start, end, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** The source with every one of `changes` in it, each behind a question to `globalThis.isChanged` with its `id`. */
export function switched(file, code, changes) {
  const render = (node) => {
    const [start, end] = [node.getStart(), node.getEnd()]
    if (!changes.some((change) => start <= change.start && change.end <= end)) return code.slice(start, end)
    let text = ''
    let at = start
    ts.forEachChild(node, (child) => {
      if (child.getStart() < at || child.getWidth() === 0) return
      text += code.slice(at, child.getStart()) + render(child)
      at = child.getEnd()
    })
    text += code.slice(at, end)
    // The inmost node of a place is the one that is rendered first; a wrapper of the same width is not asked again.
    for (const change of changes)
      if (!change.done && change.start === start && change.end === end) {
        change.done = true
        text = `isChanged(${change.id}) ? (${change.text}) : (${text})`
        // A statement of its own must not begin with a bracket: the line before has no semicolon.
        if (!ts.isExpressionStatement(node.parent)) text = `(${text})`
      }
    return text
  }
  return `const { isChanged } = globalThis\n${render(treeOf(file, code))}`
}
