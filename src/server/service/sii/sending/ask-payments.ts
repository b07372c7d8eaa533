/** What the authority has of the collections or payments of one invoice. */
import {
  paymentsQuery,
  readPaymentsResponse,
  type SiiParty,
  type SiiRecord,
  type StoredPayment,
  siiXml,
} from '../../../../sii/index.ts'
import type { Book } from '../../../store/tables.ts'
import { hearQuery, isOfARecord, stoppedBy } from './hear.ts'
import type { Asked, Asking } from './kind.ts'

export type AskedPayments =
  | { readonly ok: true; readonly payments: readonly StoredPayment[] }
  | Extract<Asked, { readonly ok: false }>

/** The invoice of the query does not exist: nothing was collected of it. */
const NO_SUCH_INVOICE = 3503
/** Pages of a query end some time, whatever an authority says. */
const MOST_PAGES = 1000

type Issuer = {
  readonly NombreRazon?: string
  readonly NIF?: string
  readonly IDOtro?: { readonly CodigoPais?: string; readonly IDType: string; readonly ID: string }
}

const partyOf = ({ NombreRazon: name = '', NIF: nif = '', IDOtro: id }: Issuer): SiiParty =>
  id
    ? {
        name,
        id: {
          type: id.IDType,
          number: id.ID,
          ...(id.CodigoPais === undefined ? {} : { country: id.CodigoPais }),
        },
      }
    : { name, nif }

const dayOf = (fecha: string): string => fecha.split('-').reverse().join('-')

export async function askForPayments(
  { wire, company, environment, certificateId, signal }: Asking,
  book: Book,
  { IDFactura: id }: SiiRecord,
): Promise<AskedPayments> {
  const caller = {
    companyId: company.id,
    environment,
    address: book === 'ISSUED' ? 'collections' : 'payments',
    certificateId,
    ...(signal ? { signal } : {}),
  } as const
  const payments: StoredPayment[] = []
  let after: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = paymentsQuery({
      book,
      holder: { name: company.data.legal_name, nif: company.data.tax_id },
      number: id.NumSerieFacturaEmisor,
      issue_date: dayOf(id.FechaExpedicionFacturaEmisor),
      ...(book === 'RECEIVED' ? { counterparty: partyOf(id.IDEmisorFactura) } : {}),
      ...(after === null ? {} : { page_after: after }),
    })
    if (!query.ok) {
      const reason = { en: query.items[0]?.message ?? '', es: query.items[0]?.message ?? '' }
      return { ok: false, stopped: { stop: 'no_message', told: { reason } } }
    }
    const heard = await hearQuery(wire, siiXml(query.message), caller, readPaymentsResponse)
    if (heard.is === 'fault' && heard.code === NO_SUCH_INVOICE) return { ok: true, payments: [] }
    if (heard.is !== 'answered') {
      const stopped = stoppedBy(heard)
      // A query has no records that could be the reason.
      return {
        ok: false,
        stopped: isOfARecord(stopped.code ?? null) ? { ...stopped, stop: 'fault_message' } : stopped,
      }
    }
    payments.push(...heard.value.payments)
    after = heard.value.page_after
    if (after === null) break
  }
  return { ok: true, payments }
}
