/** Reports what the rules find in the known part of a document that the schema refuses. */
import type { Context, FindingFilter } from '#rules/index.ts'
import { type KnownPart, TOTALS } from './known-part.ts'

const ISSUE = '/invoice/issue_data'
const HEADER = '/invoice/header'
const OPERATION_DATE = [`${ISSUE}/operation_date`]
const DATES = [
  ...OPERATION_DATE,
  `${ISSUE}/issue_date`,
  `${HEADER}/invoice_type_code`,
  `${HEADER}/corrective`,
]

/** A party, the header, a line, an entry of a list. */
const BLOCK = /^\/invoice\/[a-z_]+(\/\d+)?/

/**
 * Returns the context for the rules, and the filter that reports a finding only if all fields that it depends on are
 * known.
 */
export function knownFindings(context: Context, { isKnown }: KnownPart): [Context, FindingFilter] {
  const date = context.invoice.issue_data.operation_date === undefined ? DATES : OPERATION_DATE
  const taxGroup = [`${ISSUE}/tax_group_code`]
  const company = ['/invoice/supplier']
  /** The fields that values of the context come from. */
  const sources = {
    date,
    taxGroup,
    company,
    rates: [...date, ...taxGroup],
    stated: [TOTALS],
    original: [TOTALS],
  }
  const watched = { ...context }
  /** The sources of what the rule has read. */
  const read = new Set<string>()
  let rule: Parameters<FindingFilter['begin']>[0]
  for (const [name, paths] of Object.entries(sources))
    Object.defineProperty(watched, name, {
      get() {
        for (const path of paths) read.add(path)
        return context[name as keyof Context]
      },
    })
  const begin: FindingFilter['begin'] = (next) => {
    rule = next
    read.clear()
    for (const path of next.needs?.includes('company') ? company : []) read.add(path)
    for (const path of next.needs?.includes('oneStopShop') ? taxGroup : []) read.add(path)
  }
  const isReported = (path: string): boolean => {
    const [block = ''] = BLOCK.exec(path) ?? []
    const isPerBlock = rule.scope === 'document' && rule.perBlock
    const isOfBlock = (pattern: string) => [block.split('/')[2], '*'].includes(pattern.split('/')[2])
    const reads = [...read, ...rule.reads.filter((pattern) => !isPerBlock || isOfBlock(pattern))]
    const within = isPerBlock || rule.scope === 'line' ? block : ''
    return reads.every((pattern) => isKnown(pattern, path, within))
  }
  return [watched, { begin, isReported }]
}
