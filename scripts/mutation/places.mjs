/** Every place of a source where one token can be changed, and what the change is. */
import ts from 'typescript'

const K = ts.SyntaxKind
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
  ['+=', '-='],
  ['-=', '+='],
  ['**', '*'],
])

const forced = (condition, name) => [
  [condition, 'true', `${name} true`],
  [condition, 'false', `${name} false`],
]

/** `[node, replacement, name of the change]` of one node. */
function changesOf(node) {
  if (ts.isBinaryExpression(node) && OPERATORS.has(node.operatorToken.getText())) {
    const operator = node.operatorToken.getText()
    return [[node.operatorToken, OPERATORS.get(operator), `${operator} -> ${OPERATORS.get(operator)}`]]
  }
  if (ts.isIfStatement(node)) return forced(node.expression, 'if')
  if (ts.isConditionalExpression(node)) return forced(node.condition, '?')
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken)
    return [[node, node.operand.getText(), 'drop !']]
  if (ts.isNumericLiteral(node)) return [[node, String(Number(node.text) + 1), `${node.getText()} +1`]]
  if (ts.isBigIntLiteral(node)) return [[node, `${BigInt(node.text.slice(0, -1)) + 1n}n`, `${node.getText()} +1`]]
  if (node.kind === K.TrueKeyword) return [[node, 'false', 'true -> false']]
  if (node.kind === K.FalseKeyword) return [[node, 'true', 'false -> true']]
  return []
}

/**
 * The changes of a file: `{ file, line, source, change, nth, start, end, text }`. `source`, `change` and `nth` (of
 * the same change in the same words) name a place whatever is written above it; `line` is for people.
 */
export function places(file, code) {
  const tree = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const lines = code.split('\n')
  const seen = new Map()
  const found = []
  const visit = (node) => {
    if (ts.isTypeNode(node)) return
    for (const [part, text, change] of changesOf(node)) {
      const [start, end] = [part.getStart(), part.getEnd()]
      const line = tree.getLineAndCharacterOfPosition(start).line
      const source = lines[line].trim()
      const name = `${file} | ${source} | ${change}`
      seen.set(name, (seen.get(name) ?? 0) + 1)
      found.push({ file, line: line + 1, source, change, nth: seen.get(name), start, end, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}
