/** Supplier or customer. */
import { memo } from 'preact/compat'
import { valueAt } from '#core/invoice/pointer.ts'
import { catalog } from '#engine/index.ts'
import { labelOf } from '../messages/field-labels.ts'
import { useMessages } from '../messages/ui.ts'
import { SectionProblems } from './field.tsx'
import { Fields, type FormContext, type ProblemMap, problemsAt } from './form-inputs.tsx'

interface PartyProps extends FormContext {
  readonly side: 'supplier' | 'customer'
  readonly party: unknown
  readonly problems: ProblemMap
}

/** Returns the code of a province, which the document may state by code, INE number or name. */
function provinceCode(subdivision: unknown): unknown {
  const code = valueAt(subdivision, '/code')
  const name = valueAt(subdivision, '/name')
  const ine = typeof code === 'string' && /^\d{1,2}$/.test(code) ? Number(code) : code
  const found = catalog('subdivisions').find(
    (row) => row.code === code || row.ine === ine || (code === undefined && row.name === name),
  )
  return found?.code ?? code ?? name
}

export const PartyFields = memo(function PartyFields({ side, party, problems, ...context }: PartyProps) {
  const { locale, messages } = useMessages()
  const base = `/invoice/${side}`
  // The block in the document (`company` or `person`) determines the fields; without a block, the person type does.
  const isPerson = valueAt(party, '/person') !== undefined || valueAt(party, '/person_type_code') === 'F'
  const block = isPerson && valueAt(party, '/company') === undefined ? 'person' : 'company'
  const address = `${block}/address`
  const province = `${base}/${address}/country_subdivision`
  const personTypes = [
    { value: 'J', name: messages.legal },
    { value: 'F', name: messages.natural },
  ]
  return (
    <fieldset class={`form-section party party-${side}`}>
      <legend>
        {labelOf(side, locale)}
        <span class="party-role">
          {' '}
          · {side === 'supplier' ? messages.supplierRole : messages.customerRole}
        </span>
      </legend>
      <SectionProblems problems={problemsAt(problems, [base])} />
      <Fields
        base={base}
        node={party}
        problems={problems}
        {...context}
        of={[
          { name: 'name', size: 'wide', required: true },
          { name: 'tax_id' },
          { name: 'person_type_code', kind: 'choice', choices: personTypes, required: side === 'supplier' },
          { name: `${address}/address`, size: 'wide' },
          { name: `${address}/post_code`, size: 'small' },
          { name: `${address}/town` },
          {
            name: `${address}/country_subdivision/code`,
            kind: 'choice',
            label: labelOf('country_subdivision', locale),
            value: provinceCode(valueAt(party, `/${address}/country_subdivision`)),
            problems: problemsAt(problems, [province, `${province}/code`, `${province}/name`]),
            also: (code) => [[code === undefined ? province : `${province}/name`, undefined]],
          },
          { name: `${address}/country_code`, kind: 'choice' },
          { name: 'electronic_mail', kind: 'email', size: 'wide' },
        ]}
      />
    </fieldset>
  )
})
