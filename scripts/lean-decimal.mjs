/**
 * Removes the unused methods of decimal.js (trigonometry, powers, other bases), more than half of it. Bundlers keep them
 * because they are assigned to a prototype. A method is kept if its name is used anywhere in the bundle, or in the rest
 * of the library.
 */
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import ts from 'typescript'

const parse = (text) => ts.createSourceFile('module.mjs', text, ts.ScriptTarget.Latest, true)

/** Returns the members and identifiers used in code, outside of the `excluded` nodes and of `Math`. */
function namesIn(root, excluded = new Set()) {
  const members = new Set()
  const identifiers = new Set()
  const visit = (node) => {
    if (excluded.has(node) && node !== root) return
    if (ts.isPropertyAccessExpression(node)) {
      if (node.expression.getText() !== 'Math') members.add(node.name.text)
      visit(node.expression)
    } else {
      if (ts.isIdentifier(node)) identifiers.add(node.text)
      if (ts.isBindingElement(node)) members.add((node.propertyName ?? node.name).getText())
      ts.forEachChild(node, visit)
    }
  }
  visit(root)
  return { members, identifiers }
}

/** Returns the targets and the value of an assignment such as `P.plus = P.add = function ...`. */
function assignmentOf(node) {
  const targets = []
  let value = ts.isExpressionStatement(node) ? node.expression : node
  for (; ts.isBinaryExpression(value); value = value.right) targets.push(value.left)
  return { targets, value }
}

/**
 * Returns the removable declarations: functions, methods, and constants, two of which have a thousand digits. `left` is
 * the replacement.
 */
function partsOf(source) {
  const functions = new Set(source.statements.filter(ts.isFunctionDeclaration).map(({ name }) => name.text))
  const parts = []
  const visit = (node) => {
    const { targets, value } = assignmentOf(node)
    const are = (owner) =>
      targets.length > 0 &&
      targets.every((at) => ts.isPropertyAccessExpression(at) && at.expression.getText() === owner)
    if (ts.isExpressionStatement(node) && (are('P') || (are('Decimal') && functions.has(value.getText()))))
      parts.push({
        node,
        members: targets
          .map(({ name }) => name.text)
          .filter((name) => (are('P') ? !METHODS_OF_OTHERS.includes(name) : STATIC.includes(name))),
        identifiers: [],
      })
    else if (ts.isExpressionStatement(node) && node.parent === source && ts.isNewExpression(value))
      parts.push({ node, members: [], identifiers: targets.map((target) => target.getText()) })
    else if (functions.has(node.name?.text) && node.parent === source)
      parts.push({ node, members: [], identifiers: [node.name.text] })
    else if (ts.isVariableDeclaration(node) && node.parent.parent.parent === source)
      parts.push({ node, members: [], identifiers: [node.name.text], left: node.name.text })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return parts
}

/** Methods called implicitly. */
const IMPLIED = ['constructor', 'toString', 'valueOf', 'toJSON']

/** Code that `src/money` never uses: texts in other bases, and checks of arguments and settings. */
const BODIES = {
  parseOther: '{ throw Error(arguments[1]) }',
  checkInt32: '{}',
  config: '{ return Object.assign(this, obj) }',
}

/** Unused members of the constructor: rounding modes and integer constants. */
const UNUSED = [
  /\n\s*Decimal\.(?:ROUND_(?!DOWN |HALF_UP )\w+|EUCLID) = \d;/g,
  /\n {4}if \(t === 'bigint'\) \{[\s\S]*?\n {4}\}(?=\r?\n)/,
]

const withBody = (text, [name, by]) => {
  const { body } = parse(text).statements.find((node) => node.name?.text === name)
  return text.slice(0, body.getStart()) + by + text.slice(body.end)
}

/** The only members of the constructor in use. Other uses of the same names belong to `Math` or arrays. */
const STATIC = ['clone', 'config', 'set']
const METHODS_OF_OTHERS = ['max', 'min', 'precision']

/** Returns the text of decimal.js without code used neither by `called` nor by the rest of the library. */
export function leanDecimal(whole, called) {
  const used = UNUSED.reduce((left, part) => left.replace(part, ''), whole)
  const text = Object.entries(BODIES).reduce(withBody, used)
  const source = parse(text)
  const parts = partsOf(source)
  const excluded = new Set(parts.map(({ node }) => node))
  const { members, identifiers } = namesIn(source, excluded)
  for (const name of [...IMPLIED, ...called]) members.add(name)
  let left = parts
  const isNamed = (part) =>
    part.members.some((name) => members.has(name)) || part.identifiers.some((name) => identifiers.has(name))
  for (let named = left.filter(isNamed); named.length > 0; named = left.filter(isNamed)) {
    left = left.filter((part) => !named.includes(part))
    for (const { node } of named) {
      const inside = namesIn(node, excluded)
      for (const name of inside.members) members.add(name)
      for (const name of inside.identifiers) identifiers.add(name)
    }
  }
  const dropped = new Set(left.map(({ node }) => node))
  const outermost = left.filter(
    ({ node }) =>
      ![...dropped].some((other) => other !== node && other.pos <= node.pos && node.end <= other.end),
  )
  return outermost
    .toSorted((a, b) => b.node.pos - a.node.pos)
    .reduce((lean, { node, left = '' }) => lean.slice(0, node.getStart()) + left + lean.slice(node.end), text)
}

/** Returns the esbuild plugin for a bundle with decimal.js. */
export const withLeanDecimal = {
  name: 'lean-decimal',
  setup({ initialOptions: { entryPoints, stdin }, onLoad }) {
    const membersRead = async () => {
      const { outputFiles } = await build({
        ...(stdin ? { stdin } : { entryPoints }),
        bundle: true,
        format: 'esm',
        platform: 'neutral',
        packages: 'external',
        outdir: 'nowhere',
        write: false,
      })
      return outputFiles.flatMap(({ text }) => [...namesIn(parse(text)).members])
    }
    onLoad({ filter: /node_modules\/decimal\.js\/decimal\.mjs$/ }, async ({ path }) => ({
      contents: leanDecimal(readFileSync(path, 'utf8'), await membersRead()),
    }))
  },
}
