/**
 * Refuses statements on company tables that are not restricted to one company. The first condition must be `company_id
 * = ...`, every join must use it, and inserted rows must begin with it. `Rows` builds only such statements; the guard
 * checks all others too, such as subqueries. Each SQL text is checked once.
 */
import type {
  CompiledQuery,
  Dialect,
  JoinNode,
  KyselyPlugin,
  OperationNode,
  QueryCompiler,
  RootOperationNode,
} from 'kysely'
import { BoundedCache } from '../../storage/bounded-cache.ts'
import { COMPANY_TABLES } from './tables.ts'

// biome-ignore lint/suspicious/noExplicitAny: the fields of a node depend on its kind.
type Node = OperationNode & Readonly<Record<string, any>>

const NAMES: readonly string[] = COMPANY_TABLES

/** Returns the company table that a node names, with its alias. */
function tableIn(node: Node | undefined): { readonly table: string; readonly name: string } | undefined {
  if (node?.kind === 'AliasNode') {
    const inner = tableIn(node.node)
    return inner && { table: inner.table, name: String(node.alias.name) }
  }
  const table = node?.kind === 'TableNode' ? String(node.table.identifier.name) : ''
  return NAMES.includes(table) ? { table, name: table } : undefined
}

const firstOf = (condition: Node | undefined): Node | undefined =>
  condition?.kind === 'AndNode'
    ? firstOf(condition.left)
    : condition?.kind === 'ParensNode'
      ? firstOf(condition.node)
      : condition

/** Whether an operand is the `company_id` of the named table, or of any table if no name is given. */
const isCompany = (side: Node, name?: string): boolean =>
  side.kind === 'ReferenceNode' &&
  side.column.column?.name === 'company_id' &&
  (name === undefined || !side.table || side.table.table.identifier.name === name)

function isOfCompany(condition: Node | undefined, name: string): boolean {
  const first = firstOf(condition)
  return (
    first?.kind === 'BinaryOperationNode' &&
    first.operator.operator === '=' &&
    isCompany(first.leftOperand, name) &&
    first.rightOperand.kind === 'ValueNode'
  )
}

function isJoinedByCompany({ on }: JoinNode): boolean {
  const first = firstOf(on?.on)
  return (
    first?.kind === 'BinaryOperationNode' &&
    first.operator.operator === '=' &&
    isCompany(first.leftOperand) &&
    isCompany(first.rightOperand)
  )
}

function problemOfInsert({ into, columns, onConflict }: Node): string | undefined {
  const found = tableIn(into)
  if (!found) return undefined
  if (columns?.[0]?.column.name !== 'company_id')
    return `${found.table}: its rows do not begin with company_id`
  return onConflict && onConflict.columns?.[0]?.column.name !== 'company_id'
    ? `${found.table}: its conflict does not begin with company_id`
    : undefined
}

const NAMED_IN_TEXT = new RegExp(
  `\\b(?:from|join|into|update|table)\\s+"?(${COMPANY_TABLES.join('|')})\\b`,
  'i',
)

/** Returns why a node of a statement may reach rows of other companies; undefined if it cannot. */
function problemOf(node: Node): string | undefined {
  if (node.kind === 'RawNode') {
    const table = NAMED_IN_TEXT.exec(node.sqlFragments.join('?'))?.[1]
    return table && `${table}: a table is not named in SQL text`
  }
  if (node.kind === 'InsertQueryNode') return problemOfInsert(node)
  if (!/^(?:Select|Update|Delete)QueryNode$/.test(node.kind)) return undefined
  const from: Node[] = node.kind === 'UpdateQueryNode' ? [node.table] : (node.from?.froms ?? [])
  const others: Node[] = [...from.slice(1), ...(node.using?.tables ?? [])]
  if (node.kind === 'UpdateQueryNode') others.push(...(node.from?.froms ?? []))
  const [first] = from.map(tableIn)
  if (first && !isOfCompany(node.where?.where, first.name))
    return `${first.table}: its first condition is not the company`
  const apart =
    others.find(tableIn) ??
    (node.joins ?? []).find((join: JoinNode) => tableIn(join.table) && !isJoinedByCompany(join))?.table
  return apart && `${tableIn(apart)?.table}: it is not joined on the company`
}

function requireCompany(part: unknown): void {
  if (typeof part !== 'object' || part === null) return
  const problem = 'kind' in part ? problemOf(part as Node) : undefined
  if (problem !== undefined) throw new Error(`A statement that is not of one company is refused. ${problem}.`)
  for (const member of Object.values(part)) requireCompany(member)
}

/** Statements over all companies that are allowed because they stated a reason. */
const excused = new WeakSet<object>()

/** Marks the statements of `acrossCompanies` as allowed. */
export const forAllCompanies: KyselyPlugin = {
  transformQuery({ node }) {
    excused.add(node)
    return node
  },
  transformResult: async ({ result }) => result,
}

/**
 * SQL texts that passed the check. An application has about a hundred. Texts that vary with their parameters are
 * evicted.
 */
const right = new BoundedCache<true>(1000)

function guarded(compiled: CompiledQuery): CompiledQuery {
  if (!excused.has(compiled.query))
    right.get(compiled.sql, () => {
      requireCompany(compiled.query)
      return true
    })
  return compiled
}

/** Wraps a dialect so that it refuses statements that are not restricted to one company. */
export const guardedDialect = (dialect: Dialect): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createDriver: () => dialect.createDriver(),
  createIntrospector: (kysely) => dialect.createIntrospector(kysely),
  createQueryCompiler() {
    const compiler: QueryCompiler = dialect.createQueryCompiler()
    return { compileQuery: (node: RootOperationNode, id) => guarded(compiler.compileQuery(node, id)) }
  },
})
