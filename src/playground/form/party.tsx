/** Supplier or customer. */
import { memo } from 'preact/compat'
import { catalog } from '../../api/index.ts'
import { valueAt } from '../../invoice/index.ts'
import { joinPath } from '../document/edit.ts'
import { choicesOf } from '../words/catalog-names.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'
import { SectionProblems } from './field.tsx'
import { type FormContext, type ProblemMap, problemsAt } from './form-context.ts'
import { SelectInput, TextInput } from './inputs.tsx'

interface PartyProps extends FormContext {
  readonly side: 'supplier' | 'customer'
  readonly party: unknown
  readonly problems: ProblemMap
}

/** Code of a province that was sent by its code, its INE number or its name. */
function provinceCode(subdivision: unknown): unknown {
  const code = valueAt(subdivision, '/code')
  const name = valueAt(subdivision, '/name')
  const ine = typeof code === 'string' && /^\d{1,2}$/.test(code) ? Number(code) : code
  const found = catalog('subdivisions').find(
    (row) => row.code === code || row.ine === ine || (code === undefined && row.name === name),
  )
  return found?.code ?? code ?? name
}

export const PartyFields = memo(function PartyFields({ side, party, problems, change, choices }: PartyProps) {
  const { locale, words } = useWords()
  const base = `/invoice/${side}`
  const isPerson = valueAt(party, '/person_type_code') === 'F'
  // Whichever block the document has; where it has none, the one of its kind of person.
  const kind =
    valueAt(party, '/company') !== undefined
      ? 'company'
      : valueAt(party, '/person') !== undefined
        ? 'person'
        : isPerson
          ? 'person'
          : 'company'
  const address = joinPath(base, kind, 'address')
  const province = joinPath(address, 'country_subdivision')
  const at = (path: string) => ({
    path,
    value: valueAt(party, path.slice(base.length)),
    problems: problemsAt(problems, [path]),
    change,
  })
  const member = (name: string) => ({ ...at(joinPath(base, name)), label: labelOf(name, locale) })
  const place = (name: string) => ({ ...at(joinPath(address, name)), label: labelOf(name, locale) })
  const people = [
    { value: 'J', name: words.legal },
    { value: 'F', name: words.natural },
  ]
  return (
    <fieldset class={`form-section party party-${side}`}>
      <legend>
        {labelOf(side, locale)}
        <span class="party-role"> · {side === 'supplier' ? words.supplierRole : words.customerRole}</span>
      </legend>
      <SectionProblems problems={problemsAt(problems, [base])} />
      <div class="fields">
        <TextInput {...member('name')} size="wide" keep />
        <TextInput {...member('tax_id')} />
        <SelectInput {...member('person_type_code')} choices={people} required={side === 'supplier'} />
        <TextInput {...place('address')} size="wide" />
        <TextInput {...place('post_code')} size="small" />
        <TextInput {...place('town')} />
        <SelectInput
          {...at(joinPath(province, 'code'))}
          problems={problemsAt(problems, [province, joinPath(province, 'code'), joinPath(province, 'name')])}
          value={provinceCode(valueAt(party, province.slice(base.length)))}
          label={labelOf('country_subdivision', locale)}
          choices={choicesOf('code', choices, 'country_subdivision')}
          also={(code) =>
            code === undefined ? [[province, undefined]] : [[joinPath(province, 'name'), undefined]]
          }
        />
        <SelectInput {...place('country_code')} choices={choicesOf('country_code', choices)} />
        <TextInput {...member('electronic_mail')} kind="email" size="wide" />
      </div>
    </fieldset>
  )
})
