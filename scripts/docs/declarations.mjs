/** Reads the exports of an entry point from the sources: signature, docstring, examples. */
import ts from 'typescript'
import { path, readJson } from './text.mjs'

const entries = readJson('scripts/docs/api.json').entries
const files = entries.flatMap(({ file, behind }) => [file, ...Object.keys(behind)])
// The program only resolves names, so it reads no libraries and no types.
const program = ts.createProgram(files.map(path), {
  noLib: true,
  types: [],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
})
const checker = program.getTypeChecker()

/** Returns the statement that declares a symbol, also if index files re-export it. */
function statementOf(symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const [declaration] = target.declarations
  return ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
}

const initializerOf = (statement) =>
  ts.isVariableStatement(statement) ? statement.declarationList.declarations[0].initializer : undefined

/** Returns the function that a statement declares, as a function or as a constant. */
const callableOf = (statement) =>
  [statement, initializerOf(statement)].find(
    (node) => node && (ts.isFunctionDeclaration(node) || ts.isArrowFunction(node)),
  )

/** Maximum number of characters of a constant whose value is shown. The docstring describes longer constants. */
const MAX_VALUE = 500

/** Returns a class without method bodies and private members. */
function classSignature(statement, text) {
  const heritage = (statement.heritageClauses ?? []).map(text).join(' ')
  const members = statement.members
    .filter((member) => !member.name || !ts.isPrivateIdentifier(member.name))
    .map((member) => {
      const end = member.body ? member.body.pos : member.initializer ? member.initializer.pos - 1 : member.end
      const shown = member.getSourceFile().text.slice(member.getStart(), end)
      return `  ${shown.replace(/\s*=?\s*$/, '')}`
    })
  return [`class ${statement.name.text}${heritage ? ` ${heritage}` : ''} {`, ...members, '}'].join('\n')
}

/** Returns the declaration under its exported name, without bodies. */
function signature(name, statement) {
  const text = (node) => node.getText()
  const callable = callableOf(statement)
  if (callable) {
    const result = callable.type ? `: ${text(callable.type)}` : ''
    return `function ${name}(${callable.parameters.map(text).join(', ')})${result}`
  }
  if (ts.isVariableStatement(statement)) {
    const { type } = statement.declarationList.declarations[0]
    const value = text(initializerOf(statement))
    return `const ${name}${type ? `: ${text(type)}` : value.length > MAX_VALUE ? ': object' : ` = ${value}`}`
  }
  const shown = ts.isClassDeclaration(statement) ? classSignature(statement, text) : text(statement)
  return shown.replace(/^export /, '').replace(statement.name.text, name)
}

function kindOf(statement) {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return 'type'
  return callableOf(statement) ? 'function' : 'value'
}

/** Returns `{ text, parameters, returns, examples }` of a docstring. */
function docstring(statement) {
  const last = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc).at(-1)
  // A comment followed by a blank line describes the file.
  const between = last && statement.getSourceFile().text.slice(last.end, statement.getStart())
  const doc = between && /\n\s*\n/.test(between) ? undefined : last
  const tags = doc?.tags ?? []
  const commentOf = (node) => ts.getTextOfJSDocComment(node?.comment) ?? ''
  const inOneLine = (node) => commentOf(node).replace(/\s+/g, ' ')
  return {
    text: commentOf(doc),
    parameters: tags
      .filter(ts.isJSDocParameterTag)
      .map((tag) => ({ name: tag.name.getText(), text: inOneLine(tag) })),
    returns: inOneLine(tags.find(ts.isJSDocReturnTag)),
    examples: tags.filter((tag) => tag.tagName.text === 'example').map(commentOf),
  }
}

/** Returns the declarations that a file exports, in order, under their exported names. */
export function publicDeclarations(file) {
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(path(file)))
  return checker.getExportsOfModule(symbol).map((exported) => {
    const { name } = exported
    const statement = statementOf(exported)
    const declaredIn = statement.getSourceFile().fileName.slice(path('').length)
    return {
      name,
      file: declaredIn,
      kind: kindOf(statement),
      // The page omits long declarations of generated types, because the schema has the same content.
      generated: declaredIn.includes('/generated/'),
      signature: signature(name, statement),
      ...docstring(statement),
    }
  })
}
