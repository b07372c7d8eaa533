/**
 * A document that the schema refuses: the other problems are reported in the same answer, if they remain once the schema
 * errors are corrected.
 */
import { describe, expect, it } from 'vitest'
import type { Finding, Options } from '#core/invoice/index.ts'
import { SYNONYMS } from '#core/invoice/synonyms.ts'
import { examine } from '#engine/examine/index.ts'
import { validate } from '#engine/index.ts'
import { ruleOf } from '#rules/index.ts'
import example from '../../examples/02-shop-prices-with-tax.json' with { type: 'json' }
import { sized } from '../size.ts'
import { goldenInputs } from './golden-invoices.ts'

type Members = Record<string, unknown>
type Path = readonly string[]
type Mistake = (parent: Members, name: string) => void

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/** Returns the paths of all members of objects, as lists of names. */
const membersOf = (value: unknown, path: Path = []): Path[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => {
        const at = [...path, name]
        return [...(Array.isArray(value) ? [] : [at]), ...membersOf(member, at)]
      })
    : []

/** Returns a copy of the document with a mistake in one member. */
function withMistake(document: unknown, path: Path, mistake: Mistake): unknown {
  const copy = structuredClone(document)
  const parent = path.slice(0, -1).reduce((node, name) => node[name] as Members, copy as Members)
  mistake(parent, path.at(-1)!)
  return copy
}

const rename = (parent: Members, name: string, to: string): void => {
  parent[to] = parent[name]
  delete parent[name]
}

/** Returns another name that clients use for a field, if one is known. */
const synonymOf = (field: string): string | undefined =>
  Object.entries(SYNONYMS)
    .find(([fields]) => fields.split(' ').some((one) => one.replace(/^.*\./, '') === field))?.[1]
    .split(' ')[0]

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a member that is missing': (parent, name) => {
    delete parent[name]
  },
  'a member of the wrong type': (parent, name) => {
    parent[name] = [[]]
  },
  'a member that is null': (parent, name) => {
    parent[name] = null
  },
  'a blank member': (parent, name) => {
    parent[name] = ' '
  },
  'a member with an unknown name': (parent, name) => rename(parent, name, 'unheard_of'),
  'a misspelt member': (parent, name) => rename(parent, name, `${name.slice(0, -2)}${name.slice(-1)}`),
  'a member with a name of another program': (parent, name) => rename(parent, name, synonymOf(name) ?? name),
  'an unknown member': (parent) => {
    parent.unheard_of = 1
  },
}

/** Whether the finding comes from the schema, not from the calculation. */
const isOfSchema = ({ code }: Finding): boolean =>
  ruleOf(code)?.scope === 'stage' && code !== 'amount_out_of_range'

const textOf = ({ code, path, extra }: Finding): string => `${code} ${path} ${JSON.stringify(extra)}`

const CASES = goldenInputs().filter((_case, index) => index % sized(40, 3, 1) === 0)

describe.each(Object.entries(MISTAKES))('beside %s', (_name, mistake) => {
  it('reports only what remains once it is corrected, in the golden cases', { timeout: 300_000 }, () => {
    const wrong: string[] = []
    for (const { name, input, options } of CASES) {
      const corrected = examine(input, options)
      // Beside its own schema errors, the document reports its further problems.
      const remaining = new Set([...corrected.findings, ...corrected.further].map(textOf))
      for (const path of membersOf(input)) {
        const { findings, further } = examine(withMistake(input, path, mistake), options)
        // A mistake that the schema accepts changes what the rules read.
        const isSeen = findings.some((one) => isOfSchema(one) && !remaining.has(textOf(one)))
        for (const finding of isSeen ? further : [])
          if (!remaining.has(textOf(finding))) wrong.push(`${name} /${path.join('/')}: ${textOf(finding)}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('an invoice with a wrong tax id and a rate that does not exist', () => {
  /** Returns the codes and paths of an invoice with both problems and a further mistake. */
  function problemsWith(mistake: (invoice: Members) => void, options: Options = {}): readonly string[] {
    const document = structuredClone(example) as unknown as { invoice: Members }
    const { supplier, lines } = document.invoice as { supplier: Members; lines: Members[] }
    supplier.tax_id = 'B12345675'
    lines[0]!.tax_output_rate = 20
    mistake(document.invoice)
    const { data, errors } = validate(document, options)
    expect(data).toBeNull()
    return errors.map(({ code, path }) => `${code} ${path.replace('/invoice/', '')}`).sort()
  }
  const BOTH = ['tax_id_invalid supplier/tax_id', 'tax_rate_unknown lines/0/tax_output_rate']

  /** Sets a member of a block or line; undefined removes it. */
  const set = (path: string, value?: unknown) => (invoice: Members) => {
    const names = path.split('/')
    const parent = names.slice(0, -1).reduce((node, name) => node[name] as Members, invoice)
    if (value === undefined) delete parent[names.at(-1)!]
    else parent[names.at(-1)!] = value
  }

  it.each([
    ['an unknown field', 'additional_properties notes', set('notes', 'x')],
    ['no description', 'required lines/0/item_description', set('lines/0/item_description')],
    ['a quantity that is a text', 'type lines/0/quantity', set('lines/0/quantity', '2')],
    ['no totals', 'required totals', set('totals')],
    ['a line that is null', 'type lines/1', set('lines/1', null)],
  ])('reports them beside %s', (_name, schemaError, mistake) => {
    expect(problemsWith(mistake)).toEqual([`schema.${schemaError}`, ...BOTH].sort())
  })

  it('reports no rate beside a wrong issue date, which determines the rates', () => {
    const problems = problemsWith(set('issue_data/issue_date', '4/3/2026'), { operation: 'issue' })
    expect(problems).toEqual(['schema.format issue_data/issue_date', 'tax_id_invalid supplier/tax_id'])
  })

  it('does not ask for a customer that may have been sent under another name', () => {
    const renamed = (invoice: Members) => {
      const { header, customer } = invoice as { header: Members; customer?: Members }
      header.invoice_type_code = '01'
      invoice.client = customer ?? { person_type_code: 'F', name: 'Eva Ejemplo' }
      delete invoice.customer
    }
    expect(problemsWith(renamed)).toEqual(['schema.additional_properties client', ...BOTH].sort())
  })

  it('compares no amounts, although totals and lines disagree', () => {
    const disagreeing = (invoice: Members) => {
      set('notes', 'x')(invoice)
      set('totals/invoice_total', 1)(invoice)
      set('lines/0/total_cost_with_tax', 1)(invoice)
    }
    expect(problemsWith(disagreeing, { totals: 'check' })).toEqual(
      ['schema.additional_properties notes', ...BOTH].sort(),
    )
  })

  it('compares the supplier with the company only if the supplier is known', () => {
    const company = { tax_id: 'B12345674' }
    const mismatch = 'issuer_tax_id_mismatch supplier/tax_id'
    expect(problemsWith(set('notes', 'x'), { company })).toContain(mismatch)
    expect(problemsWith(set('supplier/name'), { company })).not.toContain(mismatch)
  })
})
