/** The dialog for the company and its invoicing software. Changes apply at once. */
import { useMemo } from 'preact/hooks'
import { catalog } from '#engine/index.ts'
import { LinkButton, PrimaryButton } from '../../parts/page-parts.tsx'
import { type Choice, type ChoiceContext, choicesOf } from '../messages/catalog-names.ts'
import { useMessages } from '../messages/ui.ts'
import { Dialog, SelectOptions } from '../parts/playground-parts.tsx'
import {
  type CompanyField,
  type CompanySettings,
  EXAMPLE_SYSTEM,
  NO_COMPANY,
  SYSTEM_PARTS,
} from './checked-company.ts'
import { companyMessages } from './company-form-messages.ts'

interface DialogProps {
  readonly company: CompanySettings
  readonly choices: ChoiceContext
  readonly onChange: (changed: CompanySettings) => void
  readonly onClose: () => void
}

const IDENTITY = [
  'tax_id',
  'legal_name',
  'tax_group',
  'province',
  'post_code',
  'cash_basis',
  'oss',
  'oss_date',
] as const
const PREVIOUS = ['previous_number', 'previous_date', 'previous_hash'] as const

const WIDE: readonly CompanyField[] = ['legal_name', 'verifactu', 'previous_hash', 'NombreRazon']
const DATES: readonly CompanyField[] = ['cash_basis', 'oss_date', 'previous_date']

/** Returns the choices of the fields with a selection list. */
function useOptions(choices: ChoiceContext): Partial<Record<CompanyField, readonly Choice[]>> {
  const { locale } = useMessages()
  return useMemo(() => {
    const own = companyMessages[locale]
    const flags = [
      { value: 'S', name: own.yes },
      { value: 'N', name: own.no },
    ]
    return {
      tax_group: catalog('tax-groups')
        .filter(({ available }) => available)
        .map(({ code, territory }) => ({ value: code, name: `${code} · ${territory}` })),
      province: choicesOf('code', choices, 'country_subdivision'),
      oss: [
        { value: 'registered', name: own.ossRegistered },
        { value: 'pending', name: own.ossPending },
      ],
      verifactu: [{ value: 'no', name: own.verifactuNo }],
      TipoUsoPosibleSoloVerifactu: flags,
      TipoUsoPosibleMultiOT: flags,
      IndicadorMultiplesOT: flags,
    }
  }, [choices, locale])
}

export function CompanyDialog({ company, choices, onChange, onClose }: DialogProps) {
  const { locale } = useMessages()
  const own = companyMessages[locale]
  const options = useOptions(choices)

  const field = (name: CompanyField) => {
    const id = `company-${name}`
    const put = (value: string) => onChange({ ...company, [name]: value })
    const values = options[name]
    return (
      <div class={`field ${WIDE.includes(name) ? 'field-wide' : ''}`} key={name}>
        <label for={id}>{own.labels[name]}</label>
        {values ? (
          <select id={id} value={company[name]} onChange={({ currentTarget: { value } }) => put(value)}>
            <option value="">{name === 'verifactu' ? own.verifactuYes : own.unstated}</option>
            <SelectOptions of={values} />
          </select>
        ) : (
          <input
            id={id}
            type={(DATES.includes(name) ? 'date' : 'text') as 'text'}
            value={company[name]}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget: { value } }) => put(value)}
          />
        )}
      </div>
    )
  }
  return (
    <Dialog id="company" title={own.title} class="dialog-company" onClose={onClose}>
      {(close) => (
        <>
          <p class="hint">{own.note}</p>
          <fieldset class="form-section">
            <legend>{own.identity}</legend>
            <div class="fields">{IDENTITY.map(field)}</div>
          </fieldset>
          <fieldset class="form-section">
            <legend>{own.system}</legend>
            <p class="hint">{own.systemNote}</p>
            <div class="fields">{field('verifactu')}</div>
            <div class="fields">{SYSTEM_PARTS.map(field)}</div>
            <LinkButton onClick={() => onChange({ ...company, ...EXAMPLE_SYSTEM })}>{own.example}</LinkButton>
          </fieldset>
          <fieldset class="form-section">
            <legend>{own.previous}</legend>
            <p class="hint">{own.previousNote}</p>
            <div class="fields">{PREVIOUS.map(field)}</div>
          </fieldset>
          <div class="dialog-foot">
            <LinkButton onClick={() => onChange(NO_COMPANY)}>{own.clear}</LinkButton>
            <PrimaryButton onClick={close}>{own.save}</PrimaryButton>
          </div>
        </>
      )}
    </Dialog>
  )
}
