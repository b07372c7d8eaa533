/** Sharding by company: the statements are complete, and every statement of the application names its company. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { CITUS, COMPANY_TABLES, REFERENCE_TABLES } from '../../src/server/store/citus.ts'

const SOURCES = fileURLToPath(new URL('../../src/server/', import.meta.url))

describe('the statements for Citus', () => {
  it('distribute every table of a company by it, beside each other, and copy the others', () => {
    const distributed = CITUS.flatMap(
      (statement) => /^select create_distributed_table\('(\w+)', 'company_id'/.exec(statement)?.[1] ?? [],
    )
    const copied = CITUS.flatMap(
      (statement) => /^select create_reference_table\('(\w+)'\)$/.exec(statement)?.[1] ?? [],
    )
    expect(distributed.sort()).toEqual([...COMPANY_TABLES].sort())
    expect(copied.sort()).toEqual([...REFERENCE_TABLES].sort())
    expect(
      CITUS.filter((statement) => statement.includes('create_distributed_table'))
        .slice(1)
        .every((statement) => statement.endsWith("colocate_with => 'companies')")),
    ).toBe(true)
  })

  it('are those of docs/scaling.md', () => {
    const page = readFileSync(fileURLToPath(new URL('../../docs/scaling.md', import.meta.url)), 'utf8')
    const [, block] = /```sql\n([\s\S]*?)\n```/.exec(page) ?? []
    expect(block?.split(';\n').map((statement) => statement.replace(/;$/, ''))).toEqual(CITUS)
  })
})

interface Statement {
  readonly file: string
  readonly line: number
  readonly verb: string
  /** Null where it is no text: it may be any. */
  readonly table: string | null
  /** Texts of the arguments by method: `where` of `.where('company_id', '=', id)`. */
  readonly calls: readonly { readonly method: string; readonly text: string; readonly first: string }[]
}

const VERBS = ['selectFrom', 'updateTable', 'deleteFrom', 'insertInto']
const ALL_TABLES: readonly string[] = [...COMPANY_TABLES, ...REFERENCE_TABLES]

/** The text of an argument; a name stands for what it was declared with in this file. */
function textOf(argument: ts.Expression | undefined, source: ts.SourceFile): string {
  if (!argument) return ''
  if (!ts.isIdentifier(argument)) return argument.getText()
  let declared = argument.text
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === argument.text && node.initializer)
      declared = node.initializer.getText()
    ts.forEachChild(node, visit)
  }
  visit(source)
  return declared
}

/** Every chain of calls that begins with a statement. */
function statementsIn(file: string, text: string): Statement[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Statement[] = []
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      VERBS.includes(node.expression.name.text)
    ) {
      const calls: { method: string; text: string; first: string }[] = []
      for (let at: ts.Node = node; ; ) {
        const access = at.parent
        if (!ts.isPropertyAccessExpression(access) || access.expression !== at) break
        const call = access.parent
        if (!ts.isCallExpression(call) || call.expression !== access) break
        const all = call.arguments.map((argument) => argument.getText()).join(', ')
        calls.push({ method: access.name.text, text: all, first: textOf(call.arguments[0], source) })
        at = call
      }
      const [table] = node.arguments
      found.push({
        file,
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        verb: node.expression.name.text,
        table: table && ts.isStringLiteral(table) ? (table.text.split(' ')[0] ?? '') : null,
        calls,
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** A column, or a function whose first comparison is the one of the company. */
const isOfCompany = (first: string): boolean =>
  /^'(?:\w+\.)?company_id'$/.test(first) ||
  /^[\s\S]*?\beb\('company_id', '='/.exec(first)?.[0].match(/\beb\(/g)?.length === 1

/** Both sides of a join are of one company. */
const joinsCompany = (text: string): boolean => (text.match(/'\w+\.company_id'/g) ?? []).length >= 2

/** Why a statement may reach rows of other companies; undefined where it cannot. */
function problemOf({ verb, table, calls }: Statement): string | undefined {
  if (table !== null && (REFERENCE_TABLES as readonly string[]).includes(table)) return undefined
  const apart = calls.find(({ method, text }) => /Join$/.test(method) && !joinsCompany(text))
  if (apart) return `its join is not on the company: ${apart.text.slice(0, 80)}`
  // A name that is no table is that of a common table expression, which is looked at where it is written.
  if (table !== null && !ALL_TABLES.includes(table)) return undefined
  if (verb !== 'insertInto') {
    const where = calls.find(({ method }) => method === 'where')
    return where && isOfCompany(where.first)
      ? undefined
      : `its first condition is ${where?.first.slice(0, 80) ?? 'missing'}`
  }
  // The column may not be null, so that every row has it; a conflict has to name it as well.
  const conflict = calls.find(({ method }) => method === 'onConflict')?.text
  return conflict === undefined ||
    /columns\(\[\s*'company_id'/.test(conflict) ||
    /column\('company_id'\)/.test(conflict)
    ? undefined
    : 'its conflict does not begin with company_id'
}

/** Statements that are meant for all companies, and why. One statement each. */
const FOR_ALL: Readonly<Record<string, string>> = {
  'documents/sweeper.ts selectFrom pending_files':
    'the sweeper looks after every company; it removes one by one',
  'service/idempotency.ts selectFrom idempotency_keys':
    'the sweeper looks after every company; it forgets one by one',
  'admin/key-commands.ts selectFrom companies': 'the administrator names a key by its id alone',
  'admin/session.ts selectFrom companies': 'the administrator names an invoice by its id alone',
}

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
const statements = files.flatMap((name) => statementsIn(name, readFileSync(`${SOURCES}${name}`, 'utf8')))
const nameOf = ({ file, verb, table }: Statement): string => `${file} ${verb} ${table}`

describe('the statements of the application', () => {
  it('are found', () => {
    expect(statements.length).toBeGreaterThan(60)
    expect(new Set(statements.map(({ verb }) => verb))).toEqual(new Set(VERBS))
  })

  it('begin their conditions with the company and join on it, but for those that say why not', () => {
    const wrong = statements.flatMap((statement) => {
      const problem = problemOf(statement)
      return problem && !Object.hasOwn(FOR_ALL, nameOf(statement))
        ? [`${statement.file}:${statement.line} ${statement.verb} ${statement.table}: ${problem}`]
        : []
    })
    expect(wrong).toEqual([])
  })

  it('that are excused are there, need it, and are no more than that', () => {
    const needing = statements.filter((statement) => problemOf(statement)).map(nameOf)
    const times = (name: string) => needing.filter((one) => one === name).length
    const wrong = Object.keys(FOR_ALL).filter((name) => times(name) !== 1)
    expect(wrong).toEqual([])
  })

  it('are written with the query builder: no SQL text reads or writes a table', () => {
    const wrong = files.flatMap((name) => {
      const text = readFileSync(`${SOURCES}${name}`, 'utf8')
      const texts = [...text.matchAll(/\bsql(?:<[^`]*?>)?`([^`]*)`/g)].map(([, inside = '']) => inside)
      return texts.flatMap((inside) =>
        /\b(?:from|into|update|delete|join)\b/i.test(inside) ? [`${name}: ${inside.slice(0, 80)}`] : [],
      )
    })
    expect(wrong).toEqual([])
  })
})

describe('the search for statements without a company', () => {
  const problems = (code: string) => statementsIn('x.ts', code).map(problemOf)

  it.each([
    "db.selectFrom('invoices').selectAll().execute()",
    "db.selectFrom('invoices as i').selectAll().execute()",
    "db.selectFrom('invoices').where('invoice_id', '=', id).where('company_id', '=', c)",
    "await tx.db.updateTable('series').set({ next_number: 1 }).where('series_code', '=', s).execute()",
    "db.deleteFrom('events').execute()",
    "db.insertInto('numbers').values(v).onConflict((on) => on.columns(['number']).doNothing())",
    'db.selectFrom(table).selectAll()',
    "a(db.selectFrom('invoices').select('x').where((eb) => eb('number', '=', n)))",
    "const m = ({ eb, and }) => and([eb('number', '=', n), eb('company_id', '=', c)]); db.selectFrom('invoices').where(m)",
    "db.selectFrom('invoices').innerJoin('events', 'events.invoice_id', 'invoices.invoice_id').where('invoices.company_id', '=', c)",
  ])('finds %s', (code) => {
    expect(problems(code)[0]).toBeTypeOf('string')
  })

  it.each([
    "db.selectFrom('invoices').selectAll().where('company_id', '=', c).where('number', '=', n).execute()",
    "db.selectFrom('api_keys').innerJoin('companies', 'companies.company_id', 'api_keys.company_id').where('api_keys.company_id', '=', c)",
    "const m = ({ eb, and }) => and([eb('company_id', '=', c), eb('number', '=', n)]); db.selectFrom('invoices').where(m)",
    "db.insertInto('numbers').values(v).onConflict((on) => on.columns(['company_id', 'number']).doNothing())",
    "db.insertInto('numbers').values(v).execute()",
    "db.selectFrom('exchange_rates').selectAll()",
    "db.with('few', f).selectFrom('few as invoices').selectAll()",
  ])('leaves %s', (code) => {
    expect(problems(code)).toEqual([undefined])
  })
})
