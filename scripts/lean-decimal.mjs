/**
 * decimal.js without the methods that nobody calls (trigonometry, powers, other bases): more than half of it, which no
 * bundler leaves out, since they are assigned to a prototype. What stays is found by name: a method whose name is read
 * anywhere in the bundle, or in what stays of the library itself.
 */
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import ts from 'typescript'

const parse = (text) => ts.createSourceFile('module.mjs', text, ts.ScriptTarget.Latest, true)

/** Members and identifiers that code names, without the nodes of `apart`. Those of `Math` are no methods. */
function namesIn(root, apart = new Set()) {
  const members = new Set()
  const identifiers = new Set()
  const visit = (node) => {
    if (apart.has(node) && node !== root) return
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

/** `P.plus = P.add = function ...`: the targets, and what they are given. */
function assignmentOf(node) {
  const targets = []
  let value = ts.isExpressionStatement(node) ? node.expression : node
  for (; ts.isBinaryExpression(value); value = value.right) targets.push(value.left)
  return { targets, value }
}

/**
 * What may be left out where nobody names it: functions, methods, and constants, of which two hold a thousand digits.
 * `left` is what stays in its place.
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

/** Called without being named. */
const IMPLIED = ['constructor', 'toString', 'valueOf', 'toJSON']

/** `src/money` makes decimals of numbers alone, never of texts in other bases, and every argument and setting is right. */
const BODIES = {
  parseOther: '{ throw Error(arguments[1]) }',
  checkInt32: '{}',
  config: '{ return Object.assign(this, obj) }',
}

/** In the function that makes the class: modes of rounding that are not used, and integers that are no numbers. */
const UNUSED = [
  /\n\s*Decimal\.(?:ROUND_(?!DOWN |HALF_UP )\w+|EUCLID) = \d;/g,
  /\n {4}if \(t === 'bigint'\) \{[\s\S]*?\n {4}\}(?=\r?\n)/,
]

const withBody = (text, [name, by]) => {
  const { body } = parse(text).statements.find((node) => node.name?.text === name)
  return text.slice(0, body.getStart()) + by + text.slice(body.end)
}

/** Nor does it call anything of the class but these: what else has such a name is of `Math` or of lists. */
const STATIC = ['clone', 'config', 'set']
const METHODS_OF_OTHERS = ['max', 'min', 'precision']

/** A text of decimal.js without what neither `called` nor its own remaining code names. */
export function leanDecimal(whole, called) {
  const used = UNUSED.reduce((left, part) => left.replace(part, ''), whole)
  const text = Object.entries(BODIES).reduce(withBody, used)
  const source = parse(text)
  const parts = partsOf(source)
  const apart = new Set(parts.map(({ node }) => node))
  const { members, identifiers } = namesIn(source, apart)
  for (const name of [...IMPLIED, ...called]) members.add(name)
  let left = parts
  const isNamed = (part) =>
    part.members.some((name) => members.has(name)) || part.identifiers.some((name) => identifiers.has(name))
  for (let named = left.filter(isNamed); named.length > 0; named = left.filter(isNamed)) {
    left = left.filter((part) => !named.includes(part))
    for (const { node } of named) {
      const inside = namesIn(node, apart)
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

/** For a bundle that carries decimal.js along. */
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
