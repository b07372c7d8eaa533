/** What the letter says of an invoice: texts of its printed view, so that mail and PDF never say two things. */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { day, languageFor, viewOf } from '../../../view/index.ts'
import { mailAddress } from '../../environment/mail-address.ts'
import { type Letter, letterOf, type OwnWords } from '../../mail/letter.ts'
import type { CompanyData } from '../company/company-shape.ts'

export function letterAbout(
  document: CanonicalInvoice,
  company: CompanyData,
  withXml: boolean,
  own: OwnWords,
): Letter {
  const { issue_data, totals } = document.invoice
  const language = languageFor(document.invoice) === 'es' ? 'es' : 'en'
  const { title, number, sums, payment } = viewOf(document, {
    language,
    direction: 'issued',
    status: 'issued',
  })
  const sum = (weight: 'total' | 'pay') => sums.find((one) => one.weight === weight)?.value ?? null
  const isToPay = (totals.total_executable_amount ?? totals.invoice_total) > 0
  const instalments = isToPay ? (payment?.instalments ?? []) : []
  const due = instalments.filter((one) => one.due !== '')
  const email = company.contact_email
  return letterOf(
    {
      title: title.text,
      number,
      date: day(issue_data.issue_date),
      total: sum('total') ?? '',
      toPay: sum('pay'),
      due: due.length === 1 ? due.map((one) => one.due) : due.map((one) => `${one.due} · ${one.amount}`),
      accounts: [...new Set(instalments.map(({ account }) => account).filter(Boolean))],
      company: {
        name: company.name ?? company.legal_name,
        phone: company.contact_phone,
        // Whoever answers gets to the company: an address that is none would be no help.
        email: email !== null && mailAddress(email) !== undefined ? email : null,
      },
      withXml,
    },
    language,
    own,
  )
}
