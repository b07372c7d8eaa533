/**
 * Every TypeScript example compiles strictly, as in a user's project, against the declarations that the package
 * publishes. All examples are one program, so that the declarations are read once.
 */
import { existsSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { folderOf, hasSet, howToHave } from '../../scripts/dev-packages.mjs'
import { ALL } from '../size.ts'
import { documentedExamples } from './docstrings.ts'
import { GUIDES } from './guides.ts'
import { blocksOf, PAGES, ROOT } from './markdown.ts'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  // Nest's controllers use legacy decorators.
  experimentalDecorators: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
}

/** Examples by file name, in the root, where `cuadra` resolves to the package itself. */
const examples = new Map<string, string>()

/** Number of leading lines of an example that belong to the blocks it continues, which report their own problems. */
const known = new Map<string, number>()

/** The previous block of a page, which a continued block includes. */
let before = { page: '', text: '' }
/** Distinct examples of the guides; most Spanish ones equal the English ones. */
const guides: string[] = []
const distinct = new Set<string>()
for (const { page, line, language, text } of [...PAGES, ...GUIDES].flatMap(blocksOf)) {
  const continued = language === 'ts continued'
  if (language !== 'ts' && !continued) continue
  const whole = continued ? `${before.text}\n${text}` : text
  const name = `${ROOT}${page.replaceAll(/[/.]/g, '-')}-${line}.ts`
  known.set(name, whole.split('\n').length - text.split('\n').length)
  before = { page, text: whole }
  if (page.startsWith('site/')) {
    if (!distinct.has(whole)) guides.push(name)
    distinct.add(whole)
  }
  examples.set(name, whole)
}

/** Examples with Express, whose declarations are a separate package; without it everything would be `any`. */
const untyped = existsSync(`${folderOf('guides')}/node_modules/@types/express`)
  ? []
  : guides.filter((name) => required(examples.get(name)).includes("from 'express'"))

/** Returns the names that a module exports. */
function offeredBy(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    required(ts.sys.readFile(`${ROOT}${file}`)),
    ts.ScriptTarget.ES2022,
    true,
  )
  const names: string[] = []
  for (const statement of source.statements) {
    const exported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause &&
      ts.isNamedExports(statement.exportClause)
    )
      names.push(...statement.exportClause.elements.map(({ name }) => name.getText(source)))
    if (!exported) continue
    if (ts.isVariableStatement(statement))
      names.push(...statement.declarationList.declarations.map(({ name }) => name.getText(source)))
    else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      names.push(required(statement.name).text)
  }
  return names
}

// An example in a docstring imports from its own module.
for (const { file, examples: texts } of documentedExamples()) {
  const offered = offeredBy(file)
  const own = `./${file.slice(file.lastIndexOf('/') + 1)}`
  for (const [index, text] of texts.entries()) {
    const used = [...new Set(offered)].filter((name) => new RegExp(`\\b${name}\\b`).test(text))
    const code = `import { ${used.join(', ')} } from '${own}'\n${text}`
    examples.set(`${ROOT}${file.replace(/\.ts$/, '')}--example-${index + 1}.ts`, code)
  }
}

/** Resolves frameworks of guides from where they are installed, and everything else from the importing file. */
const whoseModules = (from: string, name: string): string =>
  guides.includes(from) && !/^(?:node:|cuadra\b|\.)/.test(name) ? `${folderOf('guides')}/guide.ts` : from

/** A program of these files, which are nowhere but here. */
function programOf(files: ReadonlyMap<string, string>): ts.Program {
  const host = ts.createCompilerHost(OPTIONS)
  const { getSourceFile, fileExists, readFile } = host
  host.resolveModuleNameLiterals = (names, from, redirected, options) =>
    names.map(({ text }) =>
      ts.resolveModuleName(text, whoseModules(from, text), options, host, undefined, redirected),
    )
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name) ?? readFile(name)
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name)
    return text === undefined
      ? getSourceFile(name, ...rest)
      : ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true)
  }
  return ts.createProgram([...files.keys()], OPTIONS, host)
}

/** What the compiler says of a file, each with its line. */
const problemsOf = (program: ts.Program, name: string): string[] => {
  const source = required(program.getSourceFile(name))
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].flatMap(
    ({ code, start = 0, messageText }) => {
      const line = source.getLineAndCharacterOfPosition(start).line + 1 - (known.get(name) ?? 0)
      const what = ts.flattenDiagnosticMessageText(messageText, '\n')
      return line > 0 ? [`${name.slice(ROOT.length)}:${line} TS${code} ${what}`] : []
    },
  )
}

/** Code that must compile without casts. */
const WRITTEN = `import { type CompletedInvoice, validate } from 'cuadra'
import { registrationRecord } from 'cuadra/verifactu'
import { issuedRecord } from 'cuadra/sii'
import { readInvoice, writeInvoice } from 'cuadra/formats'
import { checkIban, checkTaxId } from 'cuadra'
const r = validate({})
if (r.is_valid) {
  const total: number = r.data.invoice.totals.total_executable_amount
  const line = r.data.invoice.lines[0]!
  const computed: [number, string, boolean] = [line.sequence_number, line.tax_category_code, line.taxable]
  const country: string = r.data.invoice.supplier.country_code
  const entry = r.data.invoice.taxes_outputs[0]?.tax_type_code
}
r.errors.some((e) => e.code === 'customer_required')
const kept: CompletedInvoice | null = r.data
const made = registrationRecord(r, { system: {} as never, previous: null, timestamp: '' })
if (made.ok) made.record.RegistroAlta.Huella.length + made.hash.length
made.items.some((item) => item.code === 'record.system' || item.code === 'aeat.1100')
const book = issuedRecord(r)
if (book.ok) book.record
const read = readInvoice('')
if (read.document) read.document.invoice.lines.length + read.format.length
read.errors.some((item) => item.code === 'format.unknown')
const { xml } = writeInvoice(read.document!, 'ubl_2_1')
if (xml !== null) xml.length
const id = checkTaxId('')
if (id.valid) id.kind.length
const iban = checkIban('')
if (!iban.valid) iban.reason.length
`

/** Code that must be rejected, with its error number. */
const REFUSED: readonly (readonly [code: number, text: string])[] = [
  [2531, 'validate({}).data.invoice'],
  [2367, "validate({}).errors.some((e) => e.code === 'customer_requierd')"],
  [2367, "registrationRecord({} as never, {} as never).items.some((e) => e.code === 'aeat.9999')"],
  [2367, "issuedRecord({} as never).items.some((e) => e.code === 'sii.nmber')"],
  [2367, "readInvoice('').errors.some((e) => e.code === 'format.unknwon')"],
  [2339, 'issuedRecord({} as never).record'],
  [2531, 'registrationRecord({} as never, {} as never).record.RegistroAlta'],
  [2531, "readInvoice('').document.invoice"],
]

const IMPORTS = `import { validate } from 'cuadra'
import { registrationRecord } from 'cuadra/verifactu'
import { issuedRecord } from 'cuadra/sii'
import { readInvoice } from 'cuadra/formats'
`

const refusedFile = (index: number): string => `${ROOT}refused-${index}.ts`

const files = new Map([...examples, [`${ROOT}written.ts`, WRITTEN]])
for (const [index, [, text]] of REFUSED.entries()) files.set(refusedFile(index), IMPORTS + text)

// `npm test` builds no declarations.
describe.skipIf(!ALL || !existsSync(`${ROOT}dist/index.d.ts`))(
  'with tsc --strict, against dist/ (npm run build -- declarations)',
  () => {
    let made: ts.Program | undefined
    const program = (): ts.Program => (made ??= programOf(files))

    const documented = [...examples.keys()].filter((name) => !name.startsWith(`${ROOT}site-`))
    it(`all ${documented.length} examples of README, docs and docstrings compile`, () => {
      expect(documented.flatMap((name) => problemsOf(program(), name))).toEqual([])
    })

    const installed = hasSet('guides')
    const typed = guides.filter((name) => !untyped.includes(name))
    it.skipIf(!installed)(
      `all ${typed.length} examples of the guides compile${installed ? '' : ` (${howToHave('guides')})`}`,
      () => {
        expect(typed.length).toBeGreaterThan(30)
        expect(typed.flatMap((name) => problemsOf(program(), name))).toEqual([])
      },
    )
    for (const name of installed ? untyped : [])
      it.skip(`${name.slice(ROOT.length)} (needs @types/express in dev-packages/guides)`, () => {})

    it('results narrow by their flags, computed fields are required, and codes are literals', () => {
      expect(problemsOf(program(), `${ROOT}written.ts`)).toEqual([])
    })

    it.each(REFUSED.map((row, index) => [...row, index] as const))('TS%i %s', (code, _text, index) => {
      const problems = problemsOf(program(), refusedFile(index))
      expect(problems).toHaveLength(1)
      expect(problems[0]).toContain(`TS${code} `)
    })
  },
)
