/** The rare acts of an administrator, one entry for each kind of step. */
import { required } from '#core/errors/index.ts'
import { type Action, find, inForce } from './action.ts'
import { did } from './acts.ts'
import type { Authority } from './authority.ts'
import {
  type Company,
  dayOfRecord,
  type Invoice,
  isEnrolled,
  must,
  type PaymentOf,
  type RequestOfAuthority,
  recordsOf,
  type Shown,
  siiOf,
} from './model.ts'
import type { Run } from './simulate.ts'
import { time } from './virtual.ts'
import { CERTIFICATES, LAST_CERTIFICATE, type Mode, PRODUCERS } from './world.ts'

const DAY_MS = 86_400_000
/** A day in Madrid begins at most this long before that of UTC. */
const MIDNIGHT_MS = 7_200_000
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export const MADRID = { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' }

const NAMES: Readonly<Record<Mode, string>> = {
  verifactu: 'VERI*FACTU',
  no_verifactu: 'NO VERI*FACTU',
  none: 'no period',
}

/** Why a period cannot be opened; null if it can. */
export const obstacle = (run: Run, company: Company, to: Mode, at = run.world.now): string | null =>
  to === 'none'
    ? null
    : company.province === '48'
      ? 'a regional territory'
      : company.certifiedUntil !== null && at < Date.parse(company.certifiedUntil)
        ? null
        : 'no certificate'

/** What a company cancels without. */
const WITHOUT = {
  period: 'a period',
  producer: 'the producer of its chain',
  key: 'the key of its certificate',
  certificate: 'a valid certificate',
} as const
type Lack = keyof typeof WITHOUT
const LACKS: readonly Lack[] = [
  ...(['period', 'period', 'producer', 'key', 'key'] as const),
  ...(['certificate', 'certificate', 'certificate'] as const),
]

/** Changes the mode, or opens a period if none is open and no mode is stated. Returns whether it could. */
async function setMode(run: Run, company: Company, wanted: Mode | null): Promise<boolean> {
  const mode = wanted ?? (company.mode === 'none' ? 'verifactu' : company.mode)
  if (company.mode === mode) return true
  if (obstacle(run, company, mode) !== null) return false
  const { refusal } = await run.world.changeMode(company, company.mode, mode)
  must('a mode can be changed', refusal === '', () => refusal)
  company.mode = mode
  did(`mode: ${NAMES[mode]}`)
  return true
}

/** The certificate that is added next: the last one, or one that ends soon, sometimes before the present one ends. */
function nextCertificate(run: Run, { certifiedUntil }: Company, die = 0): string {
  if (die % 8 === 0) return LAST_CERTIFICATE
  const later = die % 3 === 0 ? (certifiedUntil ?? '') : ''
  const next = CERTIFICATES.find((until) => Date.parse(until) > run.world.now + 5 * DAY_MS && until > later)
  return next ?? LAST_CERTIFICATE
}

/** Whether an invoice has a registration and, though cancelled, no cancellation record. */
const isWithoutCancellation = ({ status, records }: Invoice) =>
  status === 'cancelled' && records.length > 0 && records.at(-1)?.type === 'alta'

/** Whether the authority has an invoice as valid that was cancelled while nothing was sent. */
export const isCancelledHereOnly = (
  authority: Authority,
  company: Company,
  { status, records, number, date }: Invoice,
) => {
  const day = String(date).split('-').reverse().join('-')
  const state = authority.of(company.taxId).get(`${number} ${day}`)?.state
  return (
    status === 'cancelled' &&
    records.at(-1)?.mode === 'no_verifactu' &&
    state !== undefined &&
    state !== 'Anulado'
  )
}

/** The days of the records that the authority can request. */
const daysWithoutVerifactu = async (run: Run, company: Company): Promise<readonly string[]> =>
  (await run.records(company)).flatMap((row) => (row.mode === 'no_verifactu' ? [dayOfRecord(row)] : []))

/** Replies to a request of the authority about some days, and checks that the reply is complete. */
export async function answer(
  run: Run,
  company: Company,
  reference: string,
  request: RequestOfAuthority,
  { from, to }: RequestOfAuthority['periods'][number],
) {
  const wanted = recordsOf(await run.records(company), { periods: [{ from, to }], uncertain: 0 })
  let result: Awaited<ReturnType<Run['world']['answerRequest']>> | undefined
  const isEnded = await run.command(async (killIn) => {
    result = await run.world.answerRequest(company, { reference, from, to }, killIn)
  })
  const name = `the request ${reference} of ${from} to ${to} to company ${run.companies.indexOf(company)}`
  if (!isEnded || !result) {
    request.uncertain++
    return run.say(`${name}: the command is killed`)
  }
  if (!result.done) {
    // A message without a response may have arrived.
    request.uncertain++
    run.say(`${name} is refused: ${result.refusal.slice(0, 100)}`)
    if (wanted.length === 0) did('request without records')
    return
  }
  const { done } = result
  must('a request that sends nothing fails', wanted.length > 0 || done.blocked !== null, () => name)
  if (done.blocked) {
    request.uncertain++
    return run.say(`${name} is blocked: ${done.blocked.reason}`)
  }
  run.say(`${name} is answered with ${done.records} records`)
  did('request answered')
  if (run.hasRestored) return
  const own = run.world.authority.requested.filter(
    (one) => one.company === company.taxId && one.reference === reference,
  )
  const arrived = new Set(own.flatMap(({ hashes }) => hashes))
  const missing = wanted.filter(({ huella }) => !arrived.has(huella))
  must('a request is answered with every record', missing.length === 0, () =>
    missing.map(({ num_serie, tipo }) => `${num_serie} (${tipo})`).join(', '),
  )
  must('the last message ends the request', own.at(-1)?.isEnd === true, () => name)
}

async function withdraw(run: Run, company: Company): Promise<void> {
  const { done } = await run.world.withdrawPlan(company)
  must('a planned change can be withdrawn', done !== null, () => `company ${run.step.company}`)
  company.planned = null
  did('mode: plan withdrawn')
  run.note(`withdraws its planned change`)
}

export const ADMINISTRATOR: Readonly<Record<string, Action>> = {
  'change the mode': {
    weight: 12,
    async run(run, company, dice) {
      const modes: readonly Mode[] = ['none', 'verifactu', 'no_verifactu', 'verifactu', 'no_verifactu']
      if (company.planned) return withdraw(run, company)
      const before = company.mode
      const to = required(modes[dice[0] % modes.length])
      if (to === before) return
      const name = `company ${run.step.company} changes from ${NAMES[before]} to ${NAMES[to]}`
      const why = obstacle(run, company, to)
      let refusal = ''
      const isEnded = await run.command(async (killIn) => {
        refusal = (await run.world.changeMode(company, before, to, killIn)).refusal
      })
      const after = await run.world.modeOf(company)
      must(
        'a change of mode is done, or leaves the mode as it was',
        after === (isEnded && why === null ? to : before) || (!isEnded && after === to && why === null),
        () => `${name}, but the mode is ${NAMES[after]} (${refusal})`,
      )
      company.mode = after
      if (after === to) did(`mode: ${NAMES[to]}`)
      run.say(`${name}: ${isEnded ? (why ?? 'done') : `the command is killed, ${NAMES[after]}`}`)
    },
  },
  'plan a change of mode': {
    weight: 14,
    async run(run, company, dice) {
      const mode = company.mode === 'verifactu' ? 'no_verifactu' : 'verifactu'
      const from = isoDay(Date.parse(run.today) + (1 + (dice[0] % 20)) * DAY_MS)
      const { done, refusal } = await run.world.planMode(company, mode, from)
      const isPossible =
        company.mode !== 'none' &&
        company.planned === null &&
        obstacle(run, company, mode, Date.parse(from) - MIDNIGHT_MS) === null
      must('a change is planned if it is possible', (done !== null) === isPossible, () => refusal || mode)
      run.note(`plans ${NAMES[mode]} from ${from}: ${refusal || 'done'}`)
      if (!done) return
      company.planned = { mode, from }
      if (dice[2] % 2 === 0) await withdraw(run, company)
    },
  },
  'restart as another system': {
    weight: 4,
    async run(run, _, dice) {
      const { producer, installation } = run.world.system
      const isOther = dice[0] % 2 === 0
      const system = isOther
        ? { producer: PRODUCERS[producer === PRODUCERS[0] ? 1 : 0], installation }
        : { producer, installation: String(1 + (dice[1] % 4)) }
      if (JSON.stringify(system) === JSON.stringify(run.world.system)) return
      await run.restart({ system })
      did(isOther ? 'system: other producer' : 'system: other number')
      run.say(`the server is number ${system.installation} of the producer ${system.producer}`)
    },
  },
  'begin a new chain': {
    weight: 6,
    async run(run, company) {
      const { producer, installation } = run.world.system
      const own = JSON.stringify({ producer, installation: `${installation}-${company.id}` })
      const isPossible = company.system !== null && !company.systems.has(own)
      const { done, refusal } = await run.world.beginNewChain(company)
      run.note(`begins a new chain: ${refusal.slice(0, 120) || 'done'}`)
      must('a new chain begins with a new system', (done !== null) === isPossible, () => refusal || own)
      if (!done) return
      company.chainStarts.push((await run.records(company)).length + 1)
      company.system = JSON.parse(own)
      company.systems.add(own)
      did('system: new chain')
    },
  },
  'cancel where no record can be made': {
    weight: 16,
    async run(run, company, dice) {
      const [lack, hasChosen] = [required(LACKS[dice[0] % LACKS.length]), company.planned === null]
      const isSigned = lack === 'key' || lack === 'certificate'
      if (!hasChosen || !(await setMode(run, company, isSigned ? 'no_verifactu' : null))) return
      const isFit = ({ status, records, id }: Invoice) =>
        status === 'issued' && records.length > 0 && !run.mailed.has(id)
      if (!find(company, isFit)) await run.act('issue', company, dice)
      const invoice = find(company, isFit, dice[3])
      if (!invoice) return
      await run.noteSystem(company)
      const { system } = run.world
      if (lack === 'period') await setMode(run, company, 'none')
      if (lack === 'key') await run.restart({ hasKey: false })
      if (lack === 'producer')
        await run.restart({
          system: {
            ...system,
            producer: required(PRODUCERS.find((one) => one !== company.system?.producer)),
          },
        })
      if (lack === 'certificate') {
        const left = Date.parse(company.certifiedUntil ?? '') - run.world.now
        if (left > 100 * DAY_MS) return
        time.leap(Math.max(0, left) + DAY_MS)
      }
      const outcome = await run.request(company, 'POST', `/issued-invoices/${invoice.id}/cancel`, {})
      if (outcome.is === 'done') run.adopt(company, invoice, outcome.json)
      else await run.learn(company, invoice, ['issued', 'cancelled'])
      run.note(`cancels ${invoice.number} without ${WITHOUT[lack]}: ${outcome.is}`)
      if (lack === 'key' || lack === 'producer') await run.restart({ hasKey: true, system })
    },
  },
  'make a missing record': {
    weight: 12,
    async run(run, company, dice) {
      const invoice =
        find(company, ({ isMissing }) => isMissing === true, dice[3]) ??
        find(company, (one) => isCancelledHereOnly(run.world.authority, company, one), dice[3]) ??
        find(company, isWithoutCancellation, dice[3])
      if (!invoice || invoice.isMissing === null) return
      if (company.mode === 'none') await setMode(run, company, null)
      const rows = await run.records(company)
      const last = rows.filter(({ invoice_id }) => invoice_id === invoice.id).at(-1)
      const canBeMade = company.mode !== 'none' && run.canRecord(company)
      const { made, text } = await run.correct(company, invoice)
      run.say(text)
      must('a record is made only in a period', made === null || canBeMade, () => text)
      if (made) did(invoice.isMissing === false ? 'missing record made' : 'further record made')
      // The authority has nothing of what it rejected.
      must(
        'a missing record can be made',
        made !== null ||
          !canBeMade ||
          last?.estado === 'rejected' ||
          // A cancellation record that is not sent is enough without VERI*FACTU.
          (last?.tipo === 'anulacion' && company.mode === 'no_verifactu'),
        () => `${invoice.number}: ${text}`,
      )
    },
  },
  'renew the certificate': {
    weight: 12,
    async run(run, company, dice) {
      const until = nextCertificate(run, company, dice[0])
      if (company.certifiedUntil !== null && until <= company.certifiedUntil) return
      did(
        company.certifiedUntil === null
          ? 'certificate: first'
          : run.hasCertificate(company)
            ? 'certificate: renewed'
            : 'certificate: renewed after its end',
      )
      await run.world.addCertificate(company, until)
      company.certifiedUntil = until
      run.note(`gets a certificate until ${until}`)
    },
  },
  'change whose certificate it is': {
    weight: 3,
    async run(run, company) {
      const isOfAnother = company.receivedAtMost === null && company.taxId !== 'B12345674'
      await run.world.updateCompany(company, { operated_by_partner: !isOfAnother })
      // What is under way arrives.
      await time.pass(200_000)
      const { received } = run.world.authority
      company.receivedAtMost = isOfAnother
        ? received.filter((one) => one.company === company.taxId).length
        : null
      if (isOfAnother) did('certificate: of another')
      run.say(`the certificate of company ${run.step.company} is ${isOfAnother ? 'of another' : 'right'}`)
    },
  },
  'answer a request of the authority': {
    weight: 9,
    async run(run, own, dice) {
      const [die, at, length] = dice
      // Mostly to a company that has such records.
      let company = own
      for (const other of die % 5 > 0 ? run.companies : [])
        if (other.isActive && (await daysWithoutVerifactu(run, company)).length === 0) company = other
      const reference = `REQ${die % 2}`
      const request = company.requests.get(reference) ?? { periods: [], uncertain: 0 }
      const days = await daysWithoutVerifactu(run, company)
      // Mostly about days with records; sometimes the request is mistaken.
      const about = die % 5 > 0 ? days[at % Math.max(1, days.length)] : undefined
      const day = Date.parse(about ?? run.today) - (at % 20) * DAY_MS
      const period = { from: isoDay(day), to: isoDay(day + (length % 60) * DAY_MS) }
      request.periods.push(period)
      if (request.periods.length > 1) did('request with another period')
      company.requests.set(reference, request)
      await answer(run, company, reference, request, period)
    },
  },
  'change the company': {
    weight: 8,
    async run(run, company, dice) {
      const provinces = ['28', '35', '51', '48', '28'] as const
      const towns: Readonly<Record<string, readonly [string, string]>> = {
        '28': ['28013', 'Madrid'],
        '35': ['35001', 'Las Palmas'],
        '48': ['48001', 'Bilbao'],
        '51': ['51001', 'Ceuta'],
      }
      const name = `company ${run.step.company}`
      if (dice[0] % 2 === 0) {
        const province = required(provinces[dice[1] % provinces.length])
        if (province === company.province) return
        const [post_code, town] = towns[province] ?? ['', '']
        const address = {
          line: `Calle Nueva, ${run.step.seed % 100}`,
          post_code,
          town,
          province_code: province,
        }
        await run.world.updateCompany(company, { address })
        company.province = province
        did('company: moved')
        run.say(`${name} moves to ${town}`)
      } else {
        company.taxGroup = company.taxGroup === 'IVA' ? 'IPSI' : 'IVA'
        await run.world.updateCompany(company, { default_tax_group: company.taxGroup })
        did('company: other tax group')
        run.say(`${name} has the tax group ${company.taxGroup}`)
      }
    },
  },
  'leave or join the SII': {
    weight: 9,
    async run(run, _, dice) {
      const company = required(run.companies.find(({ sii }) => sii))
      const { sii } = company
      if (!sii) return
      const name = `company ${run.companies.indexOf(company)}`
      if (!isEnrolled(company, run.today)) {
        await run.join(company)
        did('SII: joined again')
        return run.say(`${name} joins the SII again`)
      }
      const isPending = dice[1] % 4 > 0 && company.isActive
      if (isPending) {
        if (!run.hasCertificate(company)) await run.act('renew the certificate', company, dice)
        run.world.network = 'down'
        await run.act('issue', company, dice)
      }
      if (dice[0] % 3 === 0) {
        sii.isInPlan = false
        did('SII: left by the plan')
      } else {
        Object.assign(required(sii.periods.at(-1)), { end_date: run.today })
        did('SII: left by the end of the period')
      }
      await run.world.updateCompany(company, siiOf(company))
      run.say(`${name} leaves the SII ${sii.isInPlan ? 'at the end of the day' : 'at once'}`)
      if (isPending) {
        time.leap(DAY_MS)
        run.world.network = 'well'
        if (sii.isInPlan) await run.checkLeftPending(company)
      }
    },
  },
  'collect or pay': {
    weight: 8,
    async run(run, _, dice) {
      const company = required(run.companies.find(({ sii }) => sii))
      if (company.isActive && company.received.size === 0) await run.act('receive', company, dice)
      const paid = (payments: readonly PaymentOf[]) =>
        payments.reduce((sum, { cents, isCancelled }) => sum + (isCancelled ? 0 : cents), 0)
      const isReceived = dice[0] % 2 === 0
      const received = [...company.received].at(-1 - (dice[3] % 3))
      const issued = find(
        company,
        (one) => inForce(one) && !one.isCorrective && !one.isImported && one.date !== null,
        dice[3],
      )
      const [id, one] = isReceived ? (received ?? []) : issued ? [issued.id, issued] : []
      if (id === undefined || !one || one.total === null || !company.isActive) return
      const left = one.total - paid(one.payments)
      if (left <= 0) return
      const cents = dice[1] % 3 === 0 ? left : Math.ceil(left / 2)
      const book = isReceived ? 'RECEIVED' : 'ISSUED'
      const { done, refusal } = await run.world.addPayment(company, book, id, cents)
      run.say(`${cents / 100} of ${one.number} is ${isReceived ? 'paid' : 'collected'}: ${refusal || 'done'}`)
      if (!done) return
      // What is unpaid at the end of the next year accrues on that day, whatever is paid later.
      const date = isReceived ? received?.[1].document.invoice.issue_data.issue_date : issued?.date
      if (run.today > `${Number(date.slice(0, 4)) + 1}-12-31`) return
      one.payments.push({ id: done.id, cents, isCancelled: false })
      did(isReceived ? 'SII: paid' : 'SII: collected')
    },
  },
  'cancel a collection or payment': {
    weight: 6,
    async run(run, _, dice) {
      const company = required(run.companies.find(({ sii }) => sii))
      const all = [
        ...[...company.invoices.values()].map((one) => ['ISSUED', one] as const),
        ...[...company.received.values()].map((one) => ['RECEIVED', one] as const),
      ].flatMap(([book, one]) =>
        one.payments.flatMap((payment) => (payment.isCancelled ? [] : [{ book, one, payment }])),
      )
      const chosen = all[dice[0] % Math.max(1, all.length)]
      if (!chosen) return
      const { book, one, payment } = chosen
      const { done, refusal } = await run.world.cancelPayment(company, book, payment.id)
      run.say(`${payment.cents / 100} of ${one.number} is cancelled: ${refusal || 'done'}`)
      if (!done) return
      payment.isCancelled = true
      did('SII: payment cancelled')
    },
  },
  'renumber a received invoice': {
    weight: 6,
    async run(run, _, dice) {
      const company = required(run.companies.find(({ sii }) => sii))
      if (company.isActive && company.received.size === 0) await run.act('receive', company, dice)
      const [id, one] = [...company.received].at(-1 - (dice[3] % 3)) ?? []
      if (id === undefined || !one || !company.isActive) return
      const number = `${one.number.slice(0, 40)}-${++run.refs}`
      const body = structuredClone(one.document)
      body.invoice.header.invoice_number = number
      const outcome = await run.once(company, 'PUT', `/received-invoices?invoice_id=${id}`, { body })
      run.say(`company 2 renumbers ${one.number} to ${number}: ${outcome.is}`)
      if (outcome.is === 'unknown') {
        const now = await run.read<Shown>(company, `/received-invoices/${id}`)
        if (now.number !== number) return
      } else if (outcome.is === 'refused') return
      Object.assign(one, { number, document: body })
      if (one.isInBook === false && isEnrolled(company, one.day)) one.isInBook = null
      did('SII: received invoice renumbered')
    },
  },
  'make the company inactive': {
    weight: 2,
    async run(run, company) {
      await run.world.updateCompany(company, { is_active: false })
      company.isActive = false
      did('company: inactive')
      run.note(`is inactive`)
    },
  },
}
