/** The chain of a company: a record is made, linked and stored in the transaction that needs it. */
import { createHash, randomUUID } from 'node:crypto'
import { spanishMoment } from '../../fiscal/moment.ts'
import type { CanonicalInvoice, ValidationItem } from '../../invoice/index.ts'
import {
  cancellationRecord,
  type FiscalRecord,
  qrUrlOf,
  type RegistroAlta,
  recordXml,
  registrationRecord,
} from '../../verifactu/index.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { Call } from './call.ts'
import { hasCompanies } from './company.ts'
import { correctedSurcharge } from './corrected-surcharge.ts'
import { type Finisher, finisherOf, NotSigned, signingProblem } from './signing.ts'

export interface VerifactuPeriod {
  readonly period_id: string
  readonly mode: 'verifactu' | 'no_verifactu'
  readonly sandbox: boolean
  readonly certificate_id: number | null
  readonly start_date: string
  readonly updated_at: string
}

export type Environment = 'production' | 'test'

export const environmentOf = ({ sandbox }: Pick<VerifactuPeriod, 'sandbox'>): Environment =>
  sandbox ? 'test' : 'production'

export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase()

/** The period that is open; null where VeriFactu is not active. */
export async function openPeriodOf(
  db: Reader | Tx['db'],
  companyId: string,
): Promise<VerifactuPeriod | null> {
  const row = await db
    .selectFrom('verifactu_periods')
    .select(['period_id', 'mode', 'sandbox', 'certificate_id', 'start_date', 'updated_at'])
    .where('company_id', '=', companyId)
    .where('end_date', 'is', null)
    .executeTakeFirst()
  return row ? { ...row, mode: row.mode as VerifactuPeriod['mode'], sandbox: row.sandbox === 1 } : null
}

interface ChainHead {
  readonly sequence: number
  readonly last: FiscalRecord | null
}

/** The end of a chain, locked until the end of the transaction. */
export async function lockChain(
  { db, locks }: Tx,
  companyId: string,
  environment: Environment,
  chain: 'records' | 'events',
): Promise<ChainHead> {
  const find = () => {
    const query = db
      .selectFrom('verifactu_chains')
      .select(['sequence', 'last_record'])
      .where('company_id', '=', companyId)
      .where('environment', '=', environment)
      .where('chain', '=', chain)
    return (locks ? query.forUpdate() : query).executeTakeFirst()
  }
  let row = await find()
  if (!row) {
    await db
      .insertInto('verifactu_chains')
      .values({ company_id: companyId, environment, chain, sequence: 0, last_record: null })
      .onConflict((on) => on.columns(['company_id', 'environment', 'chain']).doNothing())
      .execute()
    row = await find()
  }
  return {
    sequence: Number(row?.sequence ?? 0),
    last: row?.last_record ? (JSON.parse(row.last_record) as FiscalRecord) : null,
  }
}

export async function advanceChain(
  { db }: Tx,
  companyId: string,
  environment: Environment,
  chain: 'records' | 'events',
  sequence: number,
  record: FiscalRecord,
): Promise<void> {
  await db
    .updateTable('verifactu_chains')
    .set({ sequence, last_record: JSON.stringify(record) })
    .where('company_id', '=', companyId)
    .where('environment', '=', environment)
    .where('chain', '=', chain)
    .execute()
}

const momentIn = (record: FiscalRecord | null): string => {
  const body =
    record &&
    (Object.values(record)[0] as {
      FechaHoraHusoGenRegistro?: string
      Evento?: { FechaHoraHusoGenEvento?: string }
    })
  return body?.FechaHoraHusoGenRegistro ?? body?.Evento?.FechaHoraHusoGenEvento ?? ''
}

/** Now, and never before the record that this one follows: clocks of several machines differ. */
export function momentAfter(call: Pick<Call, 'app'>, last: FiscalRecord | null): string {
  const now = call.app.clock.moment()
  const before = momentIn(last)
  return before !== '' && Date.parse(before) > Date.parse(now) ? before : now
}

/** A moment, or the first of the day of an invoice whose date was kept though the clock is not there yet. */
function momentOn(date: string | undefined | null, moment: string): string {
  if (!date || date <= moment.slice(0, 10)) return moment
  // Midnight in Madrid is one or two hours before that of UTC.
  const hours = [2, 1].map((hour) => spanishMoment(Date.parse(date) - hour * 3_600_000))
  return hours.find((one) => one.startsWith(date)) ?? moment
}

interface Made {
  readonly tipo: 'alta' | 'anulacion'
  readonly record:
    | { readonly RegistroAlta: RegistroAlta }
    | Extract<FiscalRecord, { RegistroAnulacion: unknown }>
  readonly hash: string
  readonly num_serie: string
  readonly fecha_expedicion: string
  readonly qr_url: string | null
}

async function store(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  { sequence, last }: ChainHead,
  made: Made,
  finish: Finisher,
): Promise<void> {
  const environment = environmentOf(period)
  // First the hash, then the signature, then the store.
  const { xml, estado } = await finish(recordXml(made.record), momentIn(made.record))
  const stamp = call.app.clock.stamp()
  const previous = last && (Object.values(last)[0] as { Huella: string }).Huella
  await tx.db
    .insertInto('verifactu_records')
    .values({
      company_id: call.company.id,
      environment,
      sequence: sequence + 1,
      record_id: randomUUID(),
      invoice_id: invoiceId,
      num_serie: made.num_serie,
      fecha_expedicion: made.fecha_expedicion,
      tipo: made.tipo,
      mode: period.mode,
      estado,
      huella: made.hash,
      huella_anterior: previous ?? '',
      qr_url: made.qr_url,
      record: JSON.stringify(made.record),
      xml_sent: xml,
      xml_response: null,
      aeat_csv: null,
      ts_gen: momentIn(made.record),
      submitted_at: null,
      created_at: stamp,
      updated_at: stamp,
    })
    .execute()
  await advanceChain(tx, call.company.id, environment, 'records', sequence + 1, made.record)
}

/** Stores that were found to hold several taxpayers: nobody deletes a company, so that stays as it is. */
const ofSeveral = new WeakSet<object>()

/** The system as it is now: whether it serves several taxpayers is a fact of the moment, not a setting. */
export async function systemNow(db: Reader | Tx['db'], { system, store }: Call['app']) {
  if (!ofSeveral.has(store) && (await hasCompanies(db, 2))) ofSeveral.add(store)
  return system.block(ofSeveral.has(store))
}

const optionsFor = async (
  db: Reader | Tx['db'],
  call: Call,
  last: FiscalRecord | null,
  data?: CanonicalInvoice,
) => ({
  system: await systemNow(db, call.app),
  previous: last as never,
  moment: momentOn(data?.invoice.issue_data.issue_date, momentAfter(call, last)),
  hash: sha256,
  locale: call.locale,
})

/** Why something was not made, where that is because it could not be signed. */
function itemsOf(error: unknown): readonly ValidationItem[] {
  if (error instanceof NotSigned) return error.items
  throw error
}

/** Makes and stores the registration record of an invoice that is being issued. Answers why there is none. */
export const register = (
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  data: CanonicalInvoice,
): Promise<readonly ValidationItem[]> => registration(tx, call, period, invoiceId, data).catch(itemsOf)

async function registration(
  tx: Tx,
  call: Call,
  period: VerifactuPeriod,
  invoiceId: string,
  data: CanonicalInvoice,
): Promise<readonly ValidationItem[]> {
  const environment = environmentOf(period)
  const finish = await finisherOf(tx.db, call, period)
  const head = await lockChain(tx, call.company.id, environment, 'records')
  const made = registrationRecord(data, {
    ...(await optionsFor(tx.db, call, head.last, data)),
    ...(await correctedSurcharge(tx.db, call.company.id, data)),
  })
  if (!made.ok) return made.items
  const { RegistroAlta } = made.record
  const alta: Made = {
    tipo: 'alta',
    record: made.record,
    hash: made.hash,
    num_serie: RegistroAlta.IDFactura.NumSerieFactura,
    fecha_expedicion: RegistroAlta.IDFactura.FechaExpedicionFactura,
    qr_url: qrUrlOf(RegistroAlta, { environment, verifiable: period.mode === 'verifactu' }),
  }
  await store(tx, call, period, invoiceId, head, alta, finish)
  return []
}

/**
 * Makes and stores the cancellation record of an invoice that was registered. Answers whether there is one: an
 * invoice without registration has nothing to cancel, and the cancellation of the invoice does not wait for it.
 */
export async function registerCancellation(tx: Tx, call: Call, invoiceId: string): Promise<boolean> {
  const items = await cancellation(tx, call, invoiceId).catch(itemsOf)
  if (items === null) return false
  const codes = items.map(({ code }) => code)
  if (codes.length > 0) call.app.log.warn({ request_id: call.requestId, codes }, 'no cancellation record')
  return codes.length === 0
}

/** Why there is no cancellation record; null where there is nothing to cancel. */
async function cancellation(
  tx: Tx,
  call: Call,
  invoiceId: string,
): Promise<readonly ValidationItem[] | null> {
  const period = await openPeriodOf(tx.db, call.company.id)
  if (!period) return null
  const environment = environmentOf(period)
  const registered = await tx.db
    .selectFrom('verifactu_records')
    .select('record')
    .where('company_id', '=', call.company.id)
    .where('invoice_id', '=', invoiceId)
    .where('tipo', '=', 'alta')
    // What was registered with the test service is unknown to the other one.
    .where('environment', '=', environment)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!registered) return null
  const finish = await finisherOf(tx.db, call, period)
  const head = await lockChain(tx, call.company.id, environment, 'records')
  const target = JSON.parse(registered.record) as { RegistroAlta: RegistroAlta }
  const made = cancellationRecord(target, await optionsFor(tx.db, call, head.last))
  if (!made.ok) return made.items
  const { IDFactura } = made.record.RegistroAnulacion
  const anulacion: Made = {
    tipo: 'anulacion',
    record: made.record,
    hash: made.hash,
    num_serie: IDFactura.NumSerieFacturaAnulada,
    fecha_expedicion: IDFactura.FechaExpedicionFacturaAnulada,
    qr_url: null,
  }
  await store(tx, call, period, invoiceId, head, anulacion, finish)
  return []
}

/** Paths of the record that a client mends in the series of its document. */
const OF_NUMBER = /\/IDFactura\/NumSerieFactura$/

/**
 * What would make the fiscal record of a draft impossible, as warnings: it can be mended before the day of issue
 * (http-contract, "Not shown in the specification"). A record is made on trial, with the number that would be next,
 * and thrown away.
 */
export async function recordProblems(
  db: Reader | Tx['db'],
  call: Call,
  data: CanonicalInvoice,
  nextNumber: string,
): Promise<readonly ValidationItem[]> {
  const period = await openPeriodOf(db, call.company.id)
  if (!period) return []
  const header = { ...data.invoice.header, invoice_number: nextNumber }
  const issue_data = { ...data.invoice.issue_data, issue_date: call.app.clock.today() }
  const trial = { ...data, invoice: { ...data.invoice, header, issue_data } }
  const made = registrationRecord(trial, {
    ...(await optionsFor(db, call, null)),
    ...(await correctedSurcharge(db, call.company.id, trial)),
  })
  const unsigned = await signingProblem(db, call, period)
  return [...made.items, ...(unsigned ? [unsigned] : [])].map((item) => ({
    ...item,
    severity: 'warning',
    path: OF_NUMBER.test(item.path) ? '/invoice/header/invoice_series_code' : item.path,
  }))
}
