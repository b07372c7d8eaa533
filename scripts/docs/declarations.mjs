/** Reads the exports of an entry point from the sources: signature, docstring, examples. */
import ts from 'typescript'
import { path, readText } from './text.mjs'

const parsed = new Map()

function sourceOf(file) {
  if (!parsed.has(file))
    parsed.set(
      file,
      ts.createSourceFile(file, readText(file), ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS),
    )
  return parsed.get(file)
}

const resolve = (from, to) => new URL(to, `file://${path(from)}`).pathname.slice(path('').length)

/** Returns `[{ name, file }]` of all re-exports of a file, in order. */
function passedOn(file) {
  return sourceOf(file).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier || !statement.exportClause) return []
    const target = resolve(file, statement.moduleSpecifier.text)
    return statement.exportClause.elements.map((element) => ({
      name: element.name.text,
      original: element.propertyName?.text ?? element.name.text,
      file: target,
    }))
  })
}

const namesOf = (statement) =>
  ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.map((declaration) => declaration.name.getText())
    : statement.name
      ? [statement.name.text]
      : []

/** Returns the statement that declares a name, through any index files. */
function find(file, name) {
  const source = sourceOf(file)
  const statement = source.statements.find((candidate) => namesOf(candidate).includes(name))
  if (statement) return { file, statement }
  const next = passedOn(file).find((passed) => passed.name === name)
  if (!next) throw new Error(`docs: ${file} does not export ${name}`)
  return find(next.file, next.original)
}

/** Long declarations of generated types are omitted, as the schema has the same content. */
const isGenerated = (file) => file.includes('/generated/')

const initializerOf = (statement) =>
  ts.isVariableStatement(statement) ? statement.declarationList.declarations[0].initializer : undefined

/** Longer constants are omitted, as their docstring describes them. */
const MAX_VALUE = 500

/** Returns a class without method bodies and private members. */
function classSignature(statement, text) {
  const heritage = (statement.heritageClauses ?? []).map(text).join(' ')
  const members = statement.members
    .filter((member) => !member.name || !ts.isPrivateIdentifier(member.name))
    .map((member) => {
      const end = member.body ? member.body.pos : member.initializer ? member.initializer.pos - 1 : member.end
      return `  ${member
        .getSourceFile()
        .text.slice(member.getStart(), end)
        .replace(/\s*=?\s*$/, '')}`
    })
  return [`class ${statement.name.text}${heritage ? ` ${heritage}` : ''} {`, ...members, '}'].join('\n')
}

function signature(statement, source) {
  const text = (node) => node.getText(source)
  const parameters = (node) =>
    `(${node.parameters.map(text).join(', ')})${node.type ? `: ${text(node.type)}` : ''}`
  if (ts.isFunctionDeclaration(statement)) return `function ${statement.name.text}${parameters(statement)}`
  const initializer = initializerOf(statement)
  if (initializer && ts.isArrowFunction(initializer))
    return `function ${namesOf(statement)[0]}${parameters(initializer)}`
  if (ts.isVariableStatement(statement)) {
    const [declaration] = statement.declarationList.declarations
    const value = initializer && text(initializer)
    return `const ${declaration.name.getText()}${declaration.type ? `: ${text(declaration.type)}` : value.length > MAX_VALUE ? ': object' : ` = ${value}`}`
  }
  if (ts.isClassDeclaration(statement)) return classSignature(statement, text)
  return text(statement).replace(/^export /, '')
}

const kindOf = (statement) => {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return 'type'
  const initializer = initializerOf(statement)
  return ts.isFunctionDeclaration(statement) || (initializer && ts.isArrowFunction(initializer))
    ? 'function'
    : 'value'
}

const commentText = (comment) =>
  (typeof comment === 'string' ? comment : ts.getTextOfJSDocComment(comment)) ?? ''

/** Returns `{ text, parameters, returns, examples }` of a docstring. */
function docstring(statement) {
  const last = ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc).at(-1)
  // A comment followed by a blank line describes the file.
  const between = last && statement.getSourceFile().text.slice(last.end, statement.getStart())
  const doc = between && /\n\s*\n/.test(between) ? undefined : last
  const tags = doc?.tags ?? []
  return {
    text: commentText(doc?.comment),
    parameters: tags
      .filter(ts.isJSDocParameterTag)
      .map((tag) => ({ name: tag.name.getText(), text: commentText(tag.comment).replace(/\s+/g, ' ') })),
    returns: commentText(tags.find(ts.isJSDocReturnTag)?.comment).replace(/\s+/g, ' '),
    examples: tags.filter((tag) => tag.tagName.text === 'example').map((tag) => commentText(tag.comment)),
  }
}

/** Returns one declaration. */
export function declared(file, name) {
  const found = find(file, name)
  return {
    name,
    file: found.file,
    kind: kindOf(found.statement),
    generated: isGenerated(found.file),
    signature: signature(found.statement, sourceOf(found.file)),
    ...docstring(found.statement),
  }
}

/** Returns all exports of an entry point, in order, under their exported names. */
export const publicDeclarations = (entry = 'src/api/index.ts') =>
  passedOn(entry).map(({ name, original, file }) => {
    const found = declared(file, original)
    return { ...found, name, signature: found.signature.replace(original, name) }
  })
