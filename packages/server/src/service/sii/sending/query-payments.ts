/** Queries the collections or payments of an invoice that the authority has. */
import {
  paymentsQuery,
  readPaymentsResponse,
  type SiiParty,
  type SiiRecord,
  type StoredPayment,
} from '#records/sii/index.ts'
import type { Book } from '../../../store/tables.ts'
import type { Connection, QueryResult } from '../../transmission/channel.ts'
import { dayOfFecha } from './query-invoices.ts'
import type { Sii } from './sii-queue-types.ts'
import { readAllPages } from './sii-response.ts'

type PaymentsQueryResult =
  | { readonly ok: true; readonly payments: readonly StoredPayment[] }
  | Extract<QueryResult<Sii>, { readonly ok: false }>

/** Error code: the authority does not have the invoice, and therefore no payments of it. */
const NO_SUCH_INVOICE = 3503

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

export async function queryPayments(
  connection: Connection<Sii>,
  book: Book,
  { IDFactura: id }: SiiRecord,
): Promise<PaymentsQueryResult> {
  const { legal_name: name, tax_id: nif } = connection.company.data
  const payments: StoredPayment[] = []
  const blocked = await readAllPages(connection, {
    address: book === 'ISSUED' ? 'collections' : 'payments',
    queryAfter: (after: string | null) =>
      paymentsQuery({
        book,
        holder: { name, nif },
        number: id.NumSerieFacturaEmisor,
        issue_date: dayOfFecha(id.FechaExpedicionFacturaEmisor),
        ...(book === 'RECEIVED' ? { counterparty: partyOf(id.IDEmisorFactura) } : {}),
        ...(after === null ? {} : { page_after: after }),
      }),
    read: readPaymentsResponse,
    take: (page) => payments.push(...page.payments),
  })
  if (blocked?.code === NO_SUCH_INVOICE) return { ok: true, payments: [] }
  return blocked ? { ok: false, blocked } : { ok: true, payments }
}
