/**
 * Refuses statements on company tables that are not restricted to one company. The guard inspects the syntax tree of a
 * statement, not its text. It finds every table in the tree, and requires that every company table is bound to the
 * company: the first condition of `where` is `company_id = ...`, the first condition of a join is the same company, and
 * inserted rows begin with the company. All nodes must be of known kinds, and raw SQL text may only be an expression
 * over columns. `Rows` builds only such statements. The guard also checks all other statements, such as subqueries.
 * Each SQL text is checked once.
 */

import { BoundedCache } from 'cuadra-storage/bounded-cache.ts'
import type {
  CompiledQuery,
  Dialect,
  KyselyPlugin,
  OperationNode,
  QueryCompiler,
  RootOperationNode,
} from 'kysely'
import { COMPANY_TABLES, columnNamesOf, TABLE_NAMES } from './tables.ts'

// biome-ignore lint/suspicious/noExplicitAny: the fields of a node depend on its kind.
type Node = OperationNode & Readonly<Record<string, any>>

type Nodes = readonly { readonly node: Node; readonly parent: string }[]

const setOf = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

const OF_COMPANY: ReadonlySet<string> = new Set(COMPANY_TABLES)
const TABLES: ReadonlySet<string> = new Set(TABLE_NAMES)
const QUERIES = setOf('SelectQueryNode InsertQueryNode UpdateQueryNode DeleteQueryNode')

/** Kinds of nodes that a statement may contain, besides queries and the kinds in `RULES`. */
const KINDS = setOf(`
  AliasNode AndNode CaseNode ColumnNode CommonTableExpressionNameNode CommonTableExpressionNode
  DefaultInsertValueNode FromNode GroupByItemNode GroupByNode HavingNode JoinNode LimitNode OffsetNode OnConflictNode
  OnNode OperatorNode OrderByItemNode OrderByNode ParensNode PrimitiveValueListNode ReferenceNode ReturningNode
  SelectAllNode SelectModifierNode SelectionNode SetOperationNode TupleNode UnaryOperationNode UsingNode ValueListNode
  ValueNode ValuesNode WhenNode WhereNode WithNode`)

const FUNCTIONS = setOf(
  'coalesce count hashtext length max min pg_advisory_xact_lock set_config substr sum to_json',
)
/** Names that raw SQL text may contain. `counted` and `present` are columns of subqueries. */
const NAMES: ReadonlySet<string> = new Set([
  ...FUNCTIONS,
  ...setOf('and asc case desc else end exists in is like not null or then true when counted present'),
  ...TABLE_NAMES.flatMap(columnNamesOf),
])
/** Matches the elements that raw SQL text may consist of. Comments and quoted names do not match. */
const ELEMENTS = /\s+|'[^']*'|\d+|[a-z_][a-z_0-9]*\.?|\|\||<>|[<>]=?|[-+](?!-)|[=*,()]/g

const isKnown = (element: string): boolean =>
  !/^[a-z_]/.test(element) || (element.endsWith('.') ? TABLES.has(element.slice(0, -1)) : NAMES.has(element))

/** Whether SQL fragments together form one expression over columns, in which every `or` is in parentheses. */
function isExpression(texts: readonly string[]): boolean {
  let depth = 0
  const isRight = (element: string): boolean => {
    if (element === '(') depth++
    if (element === ')') depth--
    return depth >= 0 && (element === 'or' ? depth > 0 : isKnown(element))
  }
  const isWhole = (text: string): boolean => {
    const elements = text.match(ELEMENTS) ?? []
    return elements.join('') === text && elements.every(isRight) && !/\bin\b(?!\s*\()/.test(text)
  }
  return texts.every(isWhole) && depth === 0
}

/** Whether a changed column is named and is not `company_id`. */
const isOtherColumn = (changed: Node): boolean =>
  changed.kind === 'ReferenceNode'
    ? isOtherColumn(changed.column)
    : changed.kind === 'ColumnNode' && changed.column.name !== 'company_id'

/** Conditions for nodes of a kind and their parents, wherever they occur. */
const RULES: Readonly<
  Record<string, readonly [why: string, isRight: (node: Node, parent: string) => boolean]>
> = {
  RawNode: ['SQL text must be an expression over columns', ({ sqlFragments }) => isExpression(sqlFragments)],
  FunctionNode: ['a function must be listed', ({ func }) => FUNCTIONS.has(func)],
  AggregateFunctionNode: ['a function must be listed', ({ func }) => FUNCTIONS.has(func)],
  OrNode: ['a choice needs parentheses', (_, parent) => /^(?:Parens|Or|Where|On|Having)Node$/.test(parent)],
  SchemableIdentifierNode: ['a table is named without a schema', ({ schema }) => schema === undefined],
  IdentifierNode: ['a name must be in lower case', ({ name }) => /^[a-z_][a-z_0-9]*$/.test(name)],
  // The embedded database would read the whole table in `x in "invoices"`.
  BinaryOperationNode: [
    '`in` needs a list or a subquery',
    ({ operator, rightOperand }) =>
      !/\bin$/.test(operator.operator) || /(?:ValueList|SelectQuery)Node$/.test(rightOperand.kind),
  ],
  TableNode: [
    'a table is only a source',
    (_, parent) => QUERIES.has(parent) || /^(?:Alias|From|Join|Using|Reference|Common\w+)Node$/.test(parent),
  ],
  ColumnUpdateNode: ['a row never changes its company', ({ column }) => isOtherColumn(column)],
}

/** Yields a node and all nodes in it, with the kinds of their parents. */
function* nodesIn(part: unknown, parent = ''): Generator<Nodes[number]> {
  if (typeof part !== 'object' || part === null) return
  const kind = 'kind' in part ? String(part.kind) : parent
  if ('kind' in part) yield { node: part as Node, parent }
  if (kind !== 'ValueNode' && kind !== 'PrimitiveValueListNode')
    for (const member of Object.values(part)) yield* nodesIn(member, kind)
}

const nameOf = (table: Node): string => String(table.table.identifier.name)

/** Returns the table of a source with its alias; undefined for a subquery, and null for anything else. */
function sourceIn(node: Node): { readonly table: string; readonly name: string } | undefined | null {
  if (node.kind === 'TableNode') return { table: nameOf(node), name: nameOf(node) }
  if (node.kind !== 'AliasNode') return null
  if (node.node.kind === 'SelectQueryNode') return undefined
  return node.node.kind === 'TableNode' ? { table: nameOf(node.node), name: String(node.alias.name) } : null
}

/** Returns both sides of a condition if it is an equality. Of conditions joined by `and`, inspects the first one. */
function equalityIn(condition: Node | undefined): readonly [Node, Node] | undefined {
  if (condition?.kind === 'AndNode') return equalityIn(condition.left)
  if (condition?.kind === 'ParensNode') return equalityIn(condition.node)
  return condition?.kind === 'BinaryOperationNode' && condition.operator.operator === '='
    ? [condition.leftOperand, condition.rightOperand]
    : undefined
}

/** Whether a value is the `company_id` of one of the named sources. A single source need not be named. */
const isCompanyOf = (value: Node | undefined, names: ReadonlySet<string>, isSingle = false): boolean =>
  value?.kind === 'ReferenceNode' &&
  value.column.column?.name === 'company_id' &&
  (value.table ? names.has(nameOf(value.table)) : isSingle)

/** Checks one statement. Throws if it may reach rows of other companies. */
class Check {
  /** Names of common table expressions. */
  readonly #parts = new Set<string>()
  readonly #companies = new Set<unknown>()

  constructor(root: Node) {
    const nodes: Nodes = [...nodesIn(root)]
    if (!QUERIES.has(root.kind)) this.#refuse(`${root.kind}: a statement must not be SQL text`)
    for (const { node } of nodes)
      if (node.kind === 'CommonTableExpressionNameNode') this.#parts.add(nameOf(node.table))
    for (const { node, parent } of nodes) this.#check(node, parent)
    if (this.#companies.size > 1) this.#refuse('It names two companies')
  }

  #refuse(why: string): never {
    throw new Error(`A statement that is not of one company is refused. ${why}.`)
  }

  #check(node: Node, parent: string): void {
    const [why, isRight] = RULES[node.kind] ?? ['unknown', ({ kind }) => KINDS.has(kind) || QUERIES.has(kind)]
    if (!isRight(node, parent))
      this.#refuse(`${node.sqlFragments?.join('?') ?? node.func ?? node.name ?? node.kind}: ${why}`)
    if (node.kind === 'InsertQueryNode') this.#checkInsert(node)
    else if (QUERIES.has(node.kind)) this.#boundIn(node)
  }

  /** Checks the sources of a query. Returns the names of the sources that are bound to the company. */
  #boundIn({ table, from, using, where, joins = [] }: Node): ReadonlySet<string> {
    const bound = new Set<string>()
    const bind = (node: Node, isBound: (name: string) => boolean, why: string): void => {
      const source = sourceIn(node)
      if (source === undefined) return
      if (source === null || !(TABLES.has(source.table) || this.#parts.has(source.table)))
        this.#refuse(`${source?.table ?? node.kind}: a source must be a table or a subquery`)
      if (!OF_COMPANY.has(source.table)) return
      if (bound.has(source.name) || !isBound(source.name)) this.#refuse(`${source.table}: ${why}`)
      bound.add(source.name)
    }
    const sources = [table ?? [], from?.froms ?? [], using?.tables ?? []].flat()
    const isSingle = sources.length + joins.length === 1
    for (const source of sources)
      bind(
        source,
        (name) => {
          const [left, right] = equalityIn(where?.where) ?? []
          return isCompanyOf(left, new Set([name]), isSingle) && this.#isCompany(right)
        },
        'its first condition is not the company',
      )
    for (const { table, joinType, on } of joins)
      bind(
        table,
        (name) => {
          const [left, right] = equalityIn(on?.on) ?? []
          const keeps = joinType === 'InnerJoin' || joinType === 'LeftJoin'
          return keeps && isCompanyOf(left, new Set([name])) && isCompanyOf(right, bound)
        },
        'it is not joined on the company',
      )
    return bound
  }

  /** Records the company id that a node contains. Returns whether the node is a value. */
  #isCompany(value: Node | undefined): boolean {
    if (value?.kind === 'ValueNode') this.#companies.add(value.value)
    return value?.kind === 'ValueNode'
  }

  #checkInsert({ into, columns, values, onConflict, replace }: Node): void {
    const table = into && nameOf(into)
    if (!TABLES.has(table)) this.#refuse(`${table}: there is no such table`)
    if (!OF_COMPANY.has(table)) return
    if (replace || columns?.[0]?.column.name !== 'company_id' || !this.#beginWithCompany(values))
      this.#refuse(`${table}: its rows do not begin with company_id`)
    if (onConflict && onConflict.columns?.[0]?.column.name !== 'company_id')
      this.#refuse(`${table}: its conflict does not begin with company_id`)
  }

  #beginWithCompany(rows: Node): boolean {
    if (rows.kind === 'SelectQueryNode')
      return !rows.setOperations && isCompanyOf(rows.selections?.[0]?.selection, this.#boundIn(rows))
    if (rows.kind !== 'ValuesNode') return false
    return rows.values.every(({ kind, values: [first] }: Node) =>
      this.#isCompany(kind === 'ValueListNode' ? first : { kind: 'ValueNode', value: first }),
    )
  }
}

/** Statements over all companies, which are allowed because their caller stated a reason. */
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
 * SQL texts that passed the check. An application has about a hundred. The limit evicts texts that vary with the number
 * of their parameters.
 */
const right = new BoundedCache<true>(1000)

function guarded(compiled: CompiledQuery): CompiledQuery {
  if (!excused.has(compiled.query))
    right.get(compiled.sql, () => {
      new Check(compiled.query)
      return true
    })
  return compiled
}

/** Wraps a dialect so that it refuses statements that are not restricted to one company. */
export const guardedDialect = (dialect: Dialect): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createDriver: () => dialect.createDriver(),
  createIntrospector: (kysely) => dialect.createIntrospector(kysely.withPlugin(forAllCompanies)),
  createQueryCompiler() {
    const compiler: QueryCompiler = dialect.createQueryCompiler()
    return { compileQuery: (node: RootOperationNode, id) => guarded(compiler.compileQuery(node, id)) }
  },
})
