/** What companies, their administrators and the world do, one entry for each kind of step. */

import { createHash } from 'node:crypto'
import { required } from '#core/errors/index.ts'
import { CUSTOMER } from '../conformance/invoices.ts'
import { tokens } from '../tokens.ts'
import { type Action, find, inForce } from './action.ts'
import { did } from './acts.ts'
import { ADMINISTRATOR, obstacle } from './administrator.ts'
import { count, MAILS, NETWORK } from './faults.ts'
import { type Company, type Invoice, isEnrolled, type Mail, must, type Shown, taxOf } from './model.ts'
import type { Outcome, Run } from './simulate.ts'
import { time } from './virtual.ts'

const DAY_MS = 86_400_000
const SUPPLIER = { person_type_code: 'J', name: 'Empresa de Pruebas, S.L.', country_code: 'ES' }

const killAfter = (after: number, isPowerFailure = false) => ({ at: 'any', after, isPowerFailure }) as const
const euros = (cents: number) => cents / 100

/** Lines and totals of an invoice of one line. */
function amounts({ sii }: Company, [price = 0, quantity = 0]: readonly number[]) {
  const [unit, pieces] = [1 + price * 7, 1 + (quantity % 5)]
  const base = unit * pieces
  const tax = taxOf(base)
  return {
    total: base + tax,
    base,
    tax,
    blocks: {
      lines: [
        {
          item_description: 'Servicio',
          quantity: pieces,
          unit_price_without_tax: euros(unit),
          tax_output_rate: 21,
          // The SII is notified of collections and payments of the cash basis.
          ...(sii ? { tax_regime_key: '07' } : {}),
        },
      ],
      totals: {
        total_gross_amount_before_taxes: euros(base),
        total_tax_outputs: euros(tax),
        invoice_total: euros(base + tax),
      },
    },
  }
}

/** What the documents of a company state once it has another tax group or territory than at first. */
const ofTerritory = ({ taxGroup, province }: Company) => ({
  ...(taxGroup === 'IVA' ? {} : { tax_group_code: 'IVA' }),
  ...(province === '28' ? {} : { is_tai: true }),
})

const draftOf = (company: Company, ref: string, series: string, blocks: object) => ({
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'simulation', external_ref: ref },
  invoice: {
    supplier: SUPPLIER,
    customer: CUSTOMER,
    header: { invoice_type_code: '01', invoice_series_code: series },
    issue_data: { invoice_description: 'Servicios', ...ofTerritory(company) },
    ...blocks,
  },
})

const SERIES = ['F', 'G', 'H-']

/** Whether a request carries a key: mostly. */
const keyOf = (run: Run, die = 0) => (die % 10 < 7 ? `key-${run.step.seed}-${++run.keys}` : undefined)

const outcomeText = (outcome: Outcome) =>
  outcome.is === 'refused' ? `refused (${outcome.code})` : outcome.is

/** Refusals of an issue that the state of the world explains. */
function mayRefuse(run: Run, company: Company): string[] {
  const may = ['bulk_issue_series_active']
  if (run.wasSkewed) may.push('clock_behind')
  if (run.isOtherProducer(company)) may.push('verifactu_other_producer')
  if (!run.canSign(company)) may.push('validation_failed')
  return may
}

async function draft(run: Run, company: Company, dice: readonly number[]): Promise<Invoice> {
  const ref = `R${++run.refs}-${run.step.seed}`
  const series = required(SERIES[(dice[2] ?? 0) % 3])
  const { total, blocks } = amounts(company, dice)
  // The reference makes it repeatable.
  for (let tries = 0; ; tries++) {
    const outcome = await run.once(
      company,
      'PUT',
      '/drafts',
      { body: draftOf(company, ref, series, blocks) },
      dice[5],
    )
    if (outcome.is === 'done') {
      const errors = outcome.json.errors.filter(({ severity }: { severity: string }) => severity === 'error')
      must('a valid draft is saved without errors', outcome.json.success && errors.length === 0, () =>
        JSON.stringify(errors),
      )
      const invoice: Invoice = {
        ...{ id: outcome.json.id, ref, series, total, status: 'draft', number: null, date: null },
        ...{ isImported: false, isCorrective: false, records: [], files: 0 },
        ...{ isInBook: false, payments: [] },
      }
      company.invoices.set(invoice.id, invoice)
      return invoice
    }
    must('a draft is saved in the end', tries < 12, () => outcomeText(outcome))
    await time.pass(2000)
  }
}

/** Issues a draft, and adopts what comes of it. */
async function issue(
  run: Run,
  company: Company,
  invoice: Invoice,
  once: string | undefined,
): Promise<Outcome> {
  const path = `/issued-invoices/${invoice.id}/issue`
  const outcome = await run.request(company, 'POST', path, { body: {}, once, may: mayRefuse(run, company) })
  if (outcome.is === 'done') run.adopt(company, invoice, outcome.json)
  else if (outcome.is === 'unknown') await run.learn(company, invoice, ['draft', 'issued'])
  return outcome
}

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const actions: Readonly<Record<string, Action>> = {
  ...ADMINISTRATOR,
  draft: {
    weight: 6,
    async run(run, company, dice) {
      const { ref, total } = await draft(run, company, dice)
      run.note(`saves the draft ${ref} of ${Number(total) / 100}`)
    },
  },
  'change a draft': {
    weight: 3,
    async run(run, company, dice) {
      const invoice = find(
        company,
        ({ status, isCorrective }) => status === 'draft' && !isCorrective,
        dice[3],
      )
      if (!invoice) return
      const { total, blocks } = amounts(company, dice)
      const body = draftOf(company, invoice.ref, invoice.series, blocks)
      const outcome = await run.once(company, 'PUT', '/drafts', { body }, dice[5])
      run.note(`changes the draft ${invoice.ref}: ${outcomeText(outcome)}`)
      if (outcome.is === 'done') invoice.total = total
      else if (outcome.is === 'unknown') {
        const shown = await run.read<Shown>(company, `/drafts/${invoice.id}`)
        const now = Math.round(shown.total * 100)
        must(
          'a change is done or not',
          [invoice.total, total].includes(now),
          () => `${invoice.ref}: ${shown.total}`,
        )
        invoice.total = now
      }
    },
  },
  'delete a draft': {
    weight: 1,
    async run(run, company, dice) {
      const invoice = find(company, ({ status }) => status === 'draft', dice[3])
      if (!invoice) return
      const outcome = await run.once(company, 'DELETE', `/drafts/${invoice.id}`, {}, dice[5])
      run.note(`deletes the draft ${invoice.ref}: ${outcomeText(outcome)}`)
      if (outcome.is === 'done') company.invoices.delete(invoice.id)
      if (outcome.is === 'unknown') {
        const list = await run.read<{ items: Shown[] }>(company, '/drafts?limit=500')
        if (!list.items.some(({ id }) => id === invoice.id)) company.invoices.delete(invoice.id)
      }
    },
  },
  issue: {
    weight: 14,
    async run(run, company, dice) {
      const invoice = dice[4] < 600 ? find(company, ({ status }) => status === 'draft', dice[3]) : undefined
      const one = invoice ?? (await draft(run, company, dice))
      const once = keyOf(run, dice[4])
      if (once !== undefined && dice[0] % 4 === 0) {
        await run.server()
        const path = `/issued-invoices/${one.id}/issue`
        const twice = [0, 1].map((which) =>
          run.once(company, 'POST', path, { body: {}, once, may: mayRefuse(run, company) }, which),
        )
        const numbers = (await Promise.all(twice)).flatMap((own) =>
          own.is === 'done' ? [own.json.number] : [],
        )
        must('two requests with one key have one response', new Set(numbers).size <= 1, () => numbers.join())
      }
      const outcome = await issue(run, company, one, once)
      run.note(
        `issues ${one.ref} ${once ? 'with a key' : 'without a key'}: ${outcomeText(outcome)}, ${one.status} ${one.number ?? ''}`,
      )
      if (outcome.is !== 'done' || once === undefined) return
      const path = `/issued-invoices/${one.id}/issue`
      run.issues.push({ company: company.id, path, once, number: String(one.number), at: run.world.now })
      const again = await run.request(company, 'POST', `/issued-invoices/${one.id}/issue`, {
        body: {},
        once,
      })
      must(
        'a repeated request has the same response',
        again.is !== 'done' || again.json.number === one.number,
        () => `${again.is === 'done' ? again.json.number : ''} instead of ${one.number}`,
      )
    },
  },
  'repeat an earlier request': {
    weight: 3,
    async run(run, company, dice) {
      const own = run.issues.filter((one) => one.company === company.id)
      const one = own[own.length - 1 - (dice[0] % Math.max(1, Math.min(4, own.length)))]
      if (!one || run.wasSkewed) return
      const hours = (run.world.now - one.at) / 3_600_000
      const may = hours > 23.9 ? ['invalid_status_transition'] : []
      const outcome = await run.request(company, 'POST', one.path, { body: {}, once: one.once, may })
      run.note(`repeats the issue of ${one.number} after ${Math.round(hours)} hours: ${outcomeText(outcome)}`)
      must(
        'a repeated request has the same response for a day, and none afterwards',
        outcome.is === 'done' ? hours < 24.1 && outcome.json.number === one.number : hours > 23.9,
        () => `${outcomeText(outcome)} after ${hours} hours`,
      )
    },
  },
  'query the authority': {
    weight: 2,
    async run(run, company) {
      if (company.mode !== 'verifactu') return
      const period = run.today.slice(0, 7)
      const outcome = await run.once(company, 'GET', `/verifactu/aeat-records?period=${period}`, {
        may: ['verifactu_aeat_query_error'],
      })
      run.note(`queries the records of ${period}: ${outcomeText(outcome)}`)
      if (outcome.is !== 'done') return
      const [year, month] = period.split('-')
      const wanted = [...run.world.authority.of(company.taxId).values()]
        .filter(({ filed }) => filed.endsWith(`-${month}-${year}`))
        .map(({ number }) => number)
      const shown = outcome.json.records.map((one: { num_serie: string }) => one.num_serie)
      must(
        'a query shows what the authority has',
        shown.sort().join() === wanted.sort().join(),
        () => `${shown} instead of ${wanted}`,
      )
    },
  },
  'issue several at once': {
    weight: 4,
    async run(run, company, dice) {
      const drafts = [await draft(run, company, dice), await draft(run, company, dice.toReversed())] as const
      const may = [...mayRefuse(run, company), 'invalid_status_transition']
      // The first one twice: only one of the requests can win.
      const targets = [drafts[0], drafts[1], drafts[0]]
      await run.server()
      const outcomes = await Promise.all(
        targets.map((one, at) =>
          run.once(company, 'POST', `/issued-invoices/${one.id}/issue`, { body: {}, may }, at + dice[5]),
        ),
      )
      run.note(
        `issues ${drafts.map(({ ref }) => ref).join(' and ')} at once: ${outcomes.map(outcomeText).join(', ')}`,
      )
      const won = outcomes.filter((one, at) => one.is === 'done' && at !== 1).length
      must('one of two issues wins', won <= 1, () => `${won} of two requests issued ${drafts[0].ref}`)
      for (const one of drafts) await run.learn(company, one, ['draft', 'issued'])
    },
  },
  'issue while the mode changes': {
    weight: 7,
    async run(run, company, dice) {
      const before = company.mode
      if (before === 'none' || company.planned || obstacle(run, company, before) !== null) return
      if (!run.canRecord(company)) return
      const after = before === 'verifactu' ? 'no_verifactu' : 'verifactu'
      const one = await draft(run, company, dice)
      await run.server()
      const path = `/issued-invoices/${one.id}/issue`
      const may = mayRefuse(run, company)
      const [changed, outcome] = await Promise.all([
        run.world.changeMode(company, before, after),
        run.once(company, 'POST', path, { body: {}, may }, dice[5]),
      ])
      run.note(
        `changes to ${after} (${changed.refusal || 'done'}) and issues ${one.ref}: ${outcomeText(outcome)}`,
      )
      must('a mode can change while invoices are issued', changed.done !== null, () => changed.refusal)
      const own = (await run.records(company)).filter(({ invoice_id }) => invoice_id === one.id)
      // The invoice belongs to one of both periods.
      company.mode = own[0]?.mode ?? after
      await run.learn(company, one, ['draft', 'issued'])
      company.mode = after
      did('mode: changed while issuing')
    },
  },
  cancel: {
    weight: 4,
    async run(run, company, dice) {
      const invoice = find(company, (one) => inForce(one), dice[3])
      if (!invoice) return
      const before = invoice.status
      const once = keyOf(run, dice[4])
      const outcome = await run.request(company, 'POST', `/issued-invoices/${invoice.id}/cancel`, { once })
      run.note(`cancels ${invoice.number}: ${outcomeText(outcome)}`)
      if (outcome.is === 'done') run.adopt(company, invoice, outcome.json)
      else if (outcome.is === 'unknown') await run.learn(company, invoice, [before, 'cancelled'])
    },
  },
  'correct an invoice': {
    weight: 3,
    async run(run, company, dice) {
      const original = find(company, (one) => inForce(one) && !one.isCorrective, dice[3])
      if (!original) return
      const ref = `C${++run.refs}-${run.step.seed}`
      const isBySubstitution = dice[0] % 2 === 0
      const body = {
        reason_code: '16',
        series_code: 'R',
        external_ref: ref,
        ...(isBySubstitution
          ? { correction_type: 'S' }
          : {
              correction_type: 'D',
              lines: [{ description: 'Abono', quantity: -1, unit_price_without_tax: 10 }],
            }),
      }
      const once = keyOf(run, 0)
      const path = `/issued-invoices/${original.id}/corrective`
      const outcome = await run.request(company, 'POST', path, {
        body,
        once,
        may: ['corrective_draft_invalid'],
      })
      run.note(`corrects ${original.number}: ${outcomeText(outcome)}`)
      if (outcome.is !== 'done') {
        must('a request with a key is done in the end', outcome.is !== 'unknown', () => path)
        return
      }
      const { total } = await run.read<Shown>(company, `/drafts/${outcome.json.id}`)
      const wanted = isBySubstitution ? original.total : -1210
      must(
        'a corrective amounts to what it corrects',
        wanted === null || Math.round(total * 100) === wanted,
        () => `${total} instead of ${Number(wanted) / 100}`,
      )
      const invoice: Invoice = {
        ...{
          id: outcome.json.id,
          ref,
          series: 'R',
          total: wanted,
          status: 'draft',
          number: null,
          date: null,
        },
        ...{ isImported: false, isCorrective: true, records: [], files: 0 },
        ...{ isInBook: false, payments: [] },
      }
      company.invoices.set(invoice.id, invoice)
      const issued = await issue(run, company, invoice, keyOf(run, dice[4]))
      run.say(`and issues the corrective: ${outcomeText(issued)}, ${invoice.number}`)
    },
  },
  import: {
    weight: 3,
    async run(run, company, dice) {
      const number = `OLD-${++run.refs}-${run.step.seed}`
      const { total, blocks } = amounts(company, dice)
      const date = isoDay(run.world.now - DAY_MS * (2 + (dice[3] % 30)))
      const document = draftOf(company, number, 'OLD', blocks)
      const body = {
        ...document,
        invoice: {
          ...document.invoice,
          supplier: { ...SUPPLIER, tax_id: company.taxId },
          header: { ...document.invoice.header, invoice_number: number },
          issue_data: { ...document.invoice.issue_data, issue_date: date },
        },
      }
      const outcome = await run.request(company, 'POST', '/issued-invoices/import', {
        body,
        once: `import-${number}`,
      })
      run.note(`imports ${number}: ${outcomeText(outcome)}`)
      if (outcome.is === 'refused') return
      if (outcome.is === 'unknown') {
        must('a request with a key is done in the end', false, () => number)
        return
      }
      const invoice: Invoice = {
        ...{ id: outcome.json.id, ref: number, series: 'OLD', total, status: 'issued', number, date },
        ...{ isImported: true, isCorrective: false, records: [], files: 0 },
        ...{ isInBook: false, payments: [] },
      }
      company.invoices.set(invoice.id, invoice)
    },
  },
  receive: {
    weight: 4,
    async run(run, company, dice) {
      // A total below what was paid is refused by the SII.
      const known = [...company.received.values()].filter(({ payments }) => payments.length === 0)
      const isAgain = dice[4] < 250 && known.length > 0
      const number = isAgain
        ? required(known[dice[3] % known.length]?.number)
        : `S-${++run.refs}-${run.step.seed}`
      const { total, blocks } = amounts(company, dice)
      const body = {
        schema_version: 'json_1_1',
        meta: { direction: 'received', source_system: 'simulation' },
        invoice: {
          supplier: { ...CUSTOMER, tax_id: 'B87345120', name: 'Proveedor de Pruebas, S.L.' },
          customer: { ...CUSTOMER, tax_id: company.taxId, name: 'Empresa de Pruebas, S.L.' },
          header: { invoice_type_code: '01', invoice_number: number },
          issue_data: {
            issue_date: '2026-01-05',
            invoice_description: 'Compra',
            // What was deduced when it was stored stays.
            ...(isAgain ? {} : ofTerritory(company)),
          },
          ...blocks,
        },
      }
      // The same supplier, number and year are the same invoice, so it can be repeated.
      let outcome: Outcome = { is: 'unknown' }
      for (let tries = 0; tries < 8 && outcome.is === 'unknown'; tries++)
        outcome = await run.once(company, 'PUT', '/received-invoices', { body }, dice[5])
      run.note(`registers ${number} of a supplier: ${outcomeText(outcome)}`)
      if (outcome.is !== 'done') return
      const { id } = outcome.json
      const before = company.received.get(id)
      must('one received invoice for each number', isAgain === Boolean(before), () => number)
      const day = before?.day ?? run.today
      const isInBook = isEnrolled(company, day)
      if (!before) company.received.set(id, { number, total, document: body, day, isInBook, payments: [] })
      else
        Object.assign(before, {
          total,
          document: body,
          ...(isInBook && !before.isInBook ? { isInBook: null } : {}),
        })
      const shown = await run.read<Shown>(company, `/received-invoices/${id}`)
      must(
        'an amount is what was sent',
        Math.round(shown.total * 100) === total,
        () => `${number}: ${shown.total}`,
      )
    },
  },
  'delete a received invoice': {
    weight: 1,
    async run(run, company, dice) {
      const ids = [...company.received.keys()]
      const id = ids[dice[3] % Math.max(1, ids.length)]
      if (id === undefined) return
      const may = company.sii ? ['invoice_delete_not_allowed'] : []
      const outcome = await run.once(company, 'DELETE', `/received-invoices/${id}`, { may }, dice[5])
      run.note(`deletes ${company.received.get(id)?.number}: ${outcomeText(outcome)}`)
      if (outcome.is === 'done') company.received.delete(id)
      if (outcome.is === 'unknown') {
        const list = await run.read<{ items: Shown[] }>(company, '/received-invoices?limit=500')
        if (!list.items.some((one) => one.id === id)) company.received.delete(id)
      }
    },
  },
  mail: {
    weight: 6,
    async run(run, company, dice) {
      const invoice = find(company, (one) => inForce(one), dice[3])
      if (!invoice) return
      const subject = `Mail ${++run.refs} ${run.step.seed}`
      const once = keyOf(run, dice[4])
      const body = { to: ['uno@cliente.example', 'dos@cliente.example'], subject }
      const mail: Mail = { subject, invoice: invoice.id, least: 0, most: 2 }
      company.mails.push(mail)
      const before = invoice.status
      const outcome = await run.request(company, 'POST', `/issued-invoices/${invoice.id}/send`, {
        body,
        once,
        may: ['email_not_sent'],
      })
      run.note(`mails ${invoice.number}${once ? ' with a key' : ''}: ${outcomeText(outcome)}`)
      // After a crash a worker sends the mail until the mail server says that it has it.
      const most = run.step.kill === null ? 1 : run.world.mailServer === 'response lost' ? 12 : 2
      if (outcome.is === 'done') Object.assign(mail, { least: 1, most })
      if (outcome.is === 'refused')
        mail.most =
          outcome.code !== 'email_not_sent' ? 0 : most === 1 && !outcome.json.detail.uncertain ? 0 : most
      if (outcome.is === 'unknown') mail.most = 12
      if (outcome.is === 'done') await run.learn(company, invoice, ['sent'])
      else await run.learn(company, invoice, [before, 'sent'])
      if (outcome.is === 'unknown') run.mailed.add(invoice.id)
    },
  },
  recognise: {
    weight: 2,
    async run(run, company, dice) {
      const kind = ['broken', 'busy', 'plain', 'plain', 'plain'][dice[0] % 5]
      const content = `%PDF-1.7 ${kind}\nFactura ${++run.refs}-${run.step.seed}\nTotal 121,00`
      const once = `read-${run.refs}-${run.step.seed}`
      const post = () =>
        run.request(company, 'POST', '/received-invoices/recognize', {
          ...multipart(content, 'application/pdf', 'factura.pdf'),
          once,
          may: tokens`
              recognition_file_invalid recognition_disabled recognition_in_progress
              recognition_already_done quota_exceeded`,
        })
      const outcome = await post()
      run.note(`has a file read (${kind}): ${outcomeText(outcome)}`)
      if (outcome.is !== 'done') return
      must('only a readable file is read', kind === 'plain', () => String(kind))
      const again = await post()
      must(
        'a repeated request has the same response',
        again.is === 'done' && again.json.job_id === outcome.json.job_id,
        () => outcomeText(again),
      )
    },
  },
  'attach a file': {
    weight: 3,
    async run(run, company, dice) {
      const invoice = find(company, () => true, dice[3])
      if (!invoice) return
      const content = `file ${++run.refs} ${run.step.seed} ${'x'.repeat(dice[0] * 20)}`
      const once = `file-${run.refs}-${run.step.seed}`
      const prefix = invoice.status === 'draft' ? 'drafts' : 'issued-invoices'
      const path = `/${prefix}/${invoice.id}/documents`
      const form = multipart(content, 'application/octet-stream', 'albaran.bin')
      const outcome = await run.request(company, 'POST', path, { ...form, once })
      run.note(`attaches a file to ${invoice.ref}: ${outcomeText(outcome)}`)
      if (outcome.is !== 'done') return
      invoice.files++
      const documents = await run.read<readonly unknown[]>(company, path)
      must(
        'each file is attached once',
        documents.length === invoice.files,
        () => `${documents.length} instead of ${invoice.files} files`,
      )
      const shown = await run.bytes(company, `${path}/${outcome.json.public_id}`)
      must('a file is what was sent', shown === sha256(content), () => path)
    },
  },
  'change the network': {
    weight: 9,
    async run(run, _, dice) {
      const isWell = dice[0] < 450
      run.world.network = isWell ? 'well' : (NETWORK[dice[1] % NETWORK.length] ?? 'well')
      run.world.authority.wait = required([60, 60, 2, 300][dice[2] % 4])
      run.say(
        `the network to the authority: ${run.world.network}, waiting time ${run.world.authority.wait} s`,
      )
      await time.pass(60_000)
    },
  },
  'let the authority reject': {
    weight: 2,
    async run(run, _, dice) {
      const code = required([1110, 2001, 1237, 2004][dice[0] % 4])
      run.world.authority.codes.push(code)
      if (dice[1] % 2 === 0) run.world.authority.books.codes.push(required([1104, 2011][dice[2] % 2]))
      count('authority wrong')
      run.say(`the authority will answer a record with ${code}`)
    },
  },
  'let the authority forget': {
    weight: 1,
    async run(run, company, dice) {
      const lost = run.world.authority.forget(company.taxId, 1 + (dice[0] % 3))
      if (lost > 0) count('authority forgetful')
      run.say(`the authority loses ${lost} records of company ${run.step.company}`)
    },
  },
  'change the mail server': {
    weight: 4,
    async run(run, _, dice) {
      run.world.mailServer = dice[0] < 400 ? 'well' : (MAILS[dice[1] % MAILS.length] ?? 'well')
      run.say(`the mail server: ${run.world.mailServer}`)
    },
  },
  wait: {
    weight: 4,
    async run(run, _, dice) {
      const minutes = 1 + (dice[0] % 15)
      await time.pass(minutes * 60_000)
      run.say(`${minutes} minutes pass`)
    },
  },
  'send now': {
    weight: 1,
    async run(run, company) {
      await run.world.sendNow(company)
      await time.pass(5000)
      run.say(`the administrator sends the records of company ${run.step.company} now`)
    },
  },
  'correct a rejected record': {
    weight: 2,
    async run(run, company) {
      const rows = await run.records(company)
      const last = new Map(rows.map((row) => [row.invoice_id, row]))
      const rejected = [...last.values()].find(
        ({ estado, mode }) => estado === 'rejected' && mode === 'verifactu',
      )
      const invoice = rejected && company.invoices.get(rejected.invoice_id)
      if (!invoice || company.mode !== 'verifactu') return
      const { text } = await run.correct(company, invoice)
      run.say(text)
    },
  },
  kill: {
    weight: 3,
    async run(run, _, dice) {
      if (dice[0] < 300) {
        count('power failure between requests')
        run.world.cutPower()
        return run.say('the power fails')
      }
      const [process] = run.world.processes
      if (process) {
        count('kill between requests')
        run.world.kill(process)
      }
      run.say('the server is killed')
    },
  },
  restart: {
    weight: 2,
    async run(run, _, dice) {
      for (const process of [...run.world.processes]) await run.world.stop(process)
      const killIn = dice[0] < 300 ? killAfter(dice[1] % 60) : null
      const started = await run.world.start({ killIn })
      if (started) started.killIn = null
      count('restart')
      run.say(
        killIn === null
          ? 'the server is restarted'
          : `the server is restarted, and killed after ${dice[1] % 60} operations`,
      )
    },
  },
  'another process': {
    weight: 2,
    async run(run) {
      if (run.world.processes.length > 1) {
        const second = run.world.processes[1]
        if (second) await run.world.stop(second)
        run.say('the second process ends')
        return
      }
      await run.server()
      await run.world.start()
      count('second process')
      run.say('a second process starts')
    },
  },
  'set the clock': {
    weight: 2,
    async run(run, _, dice) {
      const skews = [
        0,
        0,
        0,
        -120_000,
        300_000,
        -3_600_000,
        7_200_000,
        DAY_MS,
        -DAY_MS,
        3 * DAY_MS,
        -3 * DAY_MS,
      ]
      run.world.skew = required(skews[dice[0] % skews.length])
      if (run.world.skew !== 0) {
        run.wasSkewed = true
        count('clock wrong')
      }
      run.say(`the clock of the machine is ${run.world.skew / 1000} s ahead`)
      await time.pass(20_000)
    },
  },
  'let the database fail': {
    weight: 3,
    async run(run, _, dice) {
      const process = await run.server()
      const kinds = ['full', 'broken', 'locked', 'read-only', 'damaged'] as const
      const kind = required(kinds[dice[0] % 5])
      process.database = {
        kind,
        from: dice[1] % (kind === 'locked' ? 3 : 9),
        left: 1 + (dice[2] % 4),
      }
      run.say(
        `the database of the server is ${kind} after ${process.database.from} writes, ${process.database.left} times;`,
      )
      const company = required(run.companies[dice[3] % 3])
      const invoice = find(company, ({ status }) => status === 'draft', dice[4])
      if (invoice && company.isActive) {
        const outcome = await issue(run, company, invoice, `fault-${run.step.seed}`)
        run.say(`meanwhile ${invoice.ref} is issued: ${outcomeText(outcome)}`)
        if (outcome.is === 'refused') await run.learn(company, invoice, ['draft'])
      }
      await time.pass(5000)
      process.database = null
      // A server that has met damage writes nothing until it is started again.
      if (kind === 'damaged' && run.world.processes.includes(process)) {
        await run.world.stop(process)
        await run.server()
      }
    },
  },
  'fill the disk': {
    weight: 1,
    async run(run, company, dice) {
      const invoice = find(company, () => true, dice[3])
      if (!invoice) return
      run.world.disk.isFull = true
      const prefix = invoice.status === 'draft' ? 'drafts' : 'issued-invoices'
      const path = `/${prefix}/${invoice.id}/documents`
      const form = multipart(`lost ${run.step.seed}`, 'application/octet-stream', 'lost.bin')
      const outcome = await run.request(company, 'POST', path, { ...form, once: `full-${run.step.seed}` })
      run.world.disk.isFull = false
      run.say(`the disk is full while a file is attached: ${outcomeText(outcome)}`)
      if (outcome.is === 'done') invoice.files++
    },
  },
  'back up': {
    weight: 2,
    async run(run, _, dice) {
      await run.server()
      const isMade = await run.world.backup(
        run.step.kill && killAfter(dice[0] % 200, run.step.kill.isPowerFailure),
      )
      if (isMade) run.save()
      count(isMade ? 'backup' : 'backup killed')
      run.say(isMade ? 'a backup is made' : 'a backup is killed')
    },
  },
  restore: {
    weight: 1,
    async run(run, _, dice) {
      if (run.world.backups.length === 0) return
      const from = run.world.backups.length - 1
      for (const process of [...run.world.processes]) {
        if (dice[0] < 500) run.world.kill(process)
        else await run.world.stop(process)
      }
      run.world.network = 'well'
      const series = new Map([...run.given.series].map(([id, codes]) => [id, [...codes]]))
      run.restoring(from)
      const skip = run.world.nextSkip()
      await run.world.restore(from, skip, series)
      count('restore')
      run.say(`backup ${from} is restored, and each series skips ${skip} numbers`)
    },
  },
}

export const ACTIONS: ReadonlyMap<string, Action> = new Map(Object.entries(actions))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function multipart(content: string, type: string, name: string) {
  const boundary = 'simulation-boundary'
  return {
    body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--${boundary}--\r\n`,
    type: `multipart/form-data; boundary=${boundary}`,
  }
}
