/** Parts of the printed invoice. */
import type { Customer, Line, Supplier } from '../../invoice/index.ts'
import { plain } from '../words/format.ts'

interface PartyBlockProps {
  readonly title: string
  readonly party: Supplier | Customer
}

export function PartyBlock({ title, party }: PartyBlockProps) {
  const address = party.company?.address ?? party.person?.address
  const town = [address?.post_code, address?.town].filter(Boolean).join(' ')
  const region = address?.country_subdivision?.name
  const country = address?.country_code ?? party.country_code
  const lines = [
    party.tax_id && `NIF ${party.tax_id}`,
    address?.address,
    address?.address_2,
    [town, region && region !== address?.town ? `(${region})` : ''].filter(Boolean).join(' '),
    country && country !== 'ES' ? country : '',
    party.electronic_mail,
  ]
  return (
    <div class="paper-party">
      <p class="paper-small">{title}</p>
      <p class="paper-name">{party.name || '—'}</p>
      {lines.map((line, index) => (line ? <p key={index}>{line}</p> : null))}
    </div>
  )
}

/** What is taxed at which rate, for the column of the lines. */
export function taxOf(line: Line, locale: 'en' | 'es'): string {
  const rate = line.consumption_tax_rate ?? line.tax_output_rate
  if (line.tax_treatment_code === 'TAXABLE_EXEMPT') return line.exemption_reason_code ?? 'E'
  if (line.tax_treatment_code === 'TAXABLE_NON_EXEMPT_RC') return locale === 'es' ? 'ISP' : 'RC'
  if (line.tax_treatment_code === 'NON_TAXABLE') return locale === 'es' ? 'NS' : 'n/s'
  return rate === undefined ? '' : `${plain(rate, locale)} %`
}
