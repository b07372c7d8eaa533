/** Frequent steps in the life of an issued invoice. */

import { findInvoice, updateInvoice } from 'cuadra-server/store/invoices.ts'
import type { CompanyRow } from 'cuadra-server/store/rows.ts'
import type { CompanyTable, Status } from 'cuadra-server/store/tables.ts'
import { it } from 'vitest'
import type { Answered, TestCompany, TestServer } from './harness.ts'
import { type Document, type DraftOptions, draft, imported } from './invoices.ts'

/** `it` for tests that name a new company, or its key, id or data, as their context. */
export const itWithCompany = (server: () => TestServer) =>
  it
    .extend('company', () => server().company())
    .extend('key', ({ company }) => company.key)
    .extend('companyId', ({ company }) => company.id)
    .extend('data', ({ company }) => company.data)

/** Returns the status with the code of a refusal: `201`, or `409 invoice_update_not_allowed`. */
export const statusAndCode = ({ status, json }: Answered): string =>
  status < 400 ? String(status) : `${status} ${json?.detail?.code}`

export interface ImportOptions extends DraftOptions {
  readonly number: string
  readonly date?: string
}

export const stepsOf = (server: () => TestServer) => {
  const call = (...request: Parameters<TestServer['call']>) => server().call(...request)
  const put = (key: string, body: Document, query = '') => call('PUT', `/drafts${query}`, { key, body })
  const saved = async (key: string, body: Document = draft()): Promise<string> => {
    const answer = await put(key, body)
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.json.id
  }
  const issue = (key: string, id: string, body?: unknown) =>
    call('POST', `/issued-invoices/${id}/issue`, { key, ...(body === undefined ? {} : { body }) })
  /** Issues a new invoice and returns its summary. */
  const issued = async (key: string, body: Document = draft()) => {
    const answer = await issue(key, await saved(key, body))
    if (answer.status !== 200) throw new Error(answer.text)
    return answer.json
  }
  const importing = ({ key, data }: TestCompany, options: ImportOptions) =>
    call('POST', '/issued-invoices/import', { key, body: imported({ taxId: data.tax_id, ...options }) })
  const get = async (key: string, id: string) => (await call('GET', `/issued-invoices/${id}`, { key })).json
  const canonical = async (key: string, id: string) =>
    (await call('GET', `/issued-invoices/${id}/canonical`, { key })).json
  const eventsOf = async (key: string, id: string) =>
    (await call('GET', `/issued-invoices/${id}/events`, { key })).json
  const cancel = (key: string, id: string) => call('POST', `/issued-invoices/${id}/cancel`, { key })
  /** Sets the status directly, as the mailer or the administrator would. */
  const become = (companyId: string, id: string, status: Status) =>
    server().transaction(async (all) => {
      const tx = all.of(companyId)
      const row = await findInvoice(tx, id)
      if (!row) throw new Error(`there is no invoice ${id}`)
      await updateInvoice(tx, row, { status })
    })
  /** Changes the rows of a company that have these values, bypassing the server. */
  const change = <Table extends CompanyTable>(
    companyId: string,
    table: Table,
    changes: Partial<CompanyRow<Table>> & { readonly company_id?: never },
    where: Partial<CompanyRow<Table>> = {},
  ) => server().transaction((tx) => tx.of(companyId).change(table, changes, where))
  const seriesTemplate = (companyId: string, series_code: string, template: string, next_number = 1) =>
    server().transaction((tx) =>
      tx.of(companyId).insert('series', {
        series_code,
        template,
        next_number,
        pdf_template: null,
        created_at: '2026-01-01T00:00:00.000000',
      }),
    )
  return {
    call,
    put,
    saved,
    issue,
    issued,
    importing,
    get,
    canonical,
    eventsOf,
    cancel,
    become,
    change,
    seriesTemplate,
  }
}
