/** Header and issue data: corrective invoices, tax group, customs document, dates. */
import { correctionReasonCodes, isCorrectionReason, lastDayOfCurrency } from '#core/catalogs/index.ts'
import { type Context, type DocumentRule, documentRule, linePathsOf, stageRule } from './rule.ts'

const CORRECTIVE = '/invoice/header/corrective'
const TYPE_CODE = '/invoice/header/invoice_type_code'

/** For volume discounts, the law requires only the period covered; the API also requires the corrected invoice. */
const CORRECTED_LAW = 'API specification, "header"; art. 15.4 RD 1619/2012'

/** Returns the block `corrective` of a corrective invoice, `{}` if it is missing; null for other invoices. */
const requiredBlock = ({ invoice: { header } }: Context) =>
  header.is_corrective ? (header.corrective ?? {}) : null

const requiredMember = (
  code: string,
  member: 'reason_code' | 'invoice_number' | 'invoice_issue_date' | 'correction_type',
  en: readonly [string, string],
  es: readonly [string, string],
  { law = 'art. 15.5 RD 1619/2012', allowed }: { law?: string; allowed?: () => readonly string[] } = {},
) =>
  documentRule({
    code,
    law,
    reads: [`${CORRECTIVE}/${member}`, TYPE_CODE],
    en,
    es,
    needs: ['issued', 'corrective'],
    check(context, fail) {
      const block = requiredBlock(context)
      if (block && block[member] === undefined)
        fail(`${CORRECTIVE}/${member}`, { missing: member, ...(allowed ? { allowed: allowed() } : {}) })
    },
  })

/**
 * Regime keys of certified works (14) and continuous supplies (15). Their tax becomes due after the invoice is issued.
 */
const DUE_LATER = ['14', '15']

/** Returns a check that fails if a date of the invoice is after today. */
const notAfterToday =
  (name: 'issue_date' | 'operation_date' | 'receipt_date'): DocumentRule['check'] =>
  ({ settings: { today }, invoice }, fail) => {
    const received = invoice.issue_data[name]
    if (today !== null && received !== undefined && received > today)
      fail(`/invoice/issue_data/${name}`, { received, today })
  }

export const HEADER_RULES = [
  requiredMember(
    'corrective_reason_required',
    'reason_code',
    ['A corrective invoice must state its reason.', 'Send corrective.reason_code (01 to 25).'],
    ['Una factura rectificativa debe indicar su causa.', 'Envíe corrective.reason_code (de 01 a 25).'],
    { allowed: correctionReasonCodes },
  ),
  documentRule({
    code: 'corrective_reason_unknown',
    law: 'arts. 13-15 RD 1619/2012; art. 80 Ley 37/1992',
    reads: [`${CORRECTIVE}/reason_code`],
    en: [
      'Correction reason {received} is not in the catalog.',
      'Send a code from 01 to 25 (catalog correction-reasons).',
    ],
    es: [
      'La causa de rectificación {received} no está en el catálogo.',
      'Envíe un código de 01 a 25 (catálogo correction-reasons).',
    ],
    needs: ['corrective'],
    check({ invoice }, fail) {
      const received = invoice.header.corrective?.reason_code
      if (received !== undefined && !isCorrectionReason(received))
        fail(`${CORRECTIVE}/reason_code`, { received, allowed: correctionReasonCodes() })
    },
  }),
  requiredMember(
    'corrective_invoice_number_required',
    'invoice_number',
    [
      'The number of the corrected invoice is missing.',
      'Send corrective.invoice_number, including the series; for a volume discount, that of the last invoice of the period.',
    ],
    [
      'Falta el número de la factura rectificada.',
      'Envíe corrective.invoice_number, con la serie incluida; si es un rappel, el de la última factura del periodo.',
    ],
    { law: CORRECTED_LAW },
  ),
  requiredMember(
    'corrective_invoice_issue_date_required',
    'invoice_issue_date',
    ['The date of the corrected invoice is missing.', 'Send corrective.invoice_issue_date.'],
    ['Falta la fecha de la factura rectificada.', 'Envíe corrective.invoice_issue_date.'],
    { law: CORRECTED_LAW },
  ),
  requiredMember(
    'corrective_correction_type_required',
    'correction_type',
    [
      'A corrective invoice must state its correction type.',
      'Send corrective.correction_type: S (substitution) or D (differences).',
    ],
    [
      'Una factura rectificativa debe indicar el tipo de rectificación.',
      'Envíe corrective.correction_type: S (sustitución) o D (diferencias).',
    ],
    { allowed: () => ['S', 'D'] },
  ),
  documentRule({
    code: 'corrective_substitution_amounts_required',
    law: 'art. 15.5 RD 1619/2012; VeriFactu error 1118',
    reads: [
      `${CORRECTIVE}/corrected_taxable_base`,
      `${CORRECTIVE}/corrected_tax_amount`,
      `${CORRECTIVE}/correction_type`,
      TYPE_CODE,
    ],
    en: [
      'A correction by substitution must state the taxable amount and the tax amount of the original invoice: {field} is missing.',
      'Send {field}; 0 is allowed.',
    ],
    es: [
      'Una rectificación por sustitución debe indicar la base imponible y la cuota de la factura original: falta {field}.',
      'Envíe {field}; se admite 0.',
    ],
    needs: ['issued', 'corrective'],
    check(context, fail) {
      const block = requiredBlock(context)
      if (block?.correction_type !== 'S') return
      for (const member of ['corrected_taxable_base', 'corrected_tax_amount'] as const)
        if (block[member] === undefined) fail(`${CORRECTIVE}/${member}`, { missing: member })
    },
  }),
  documentRule({
    code: 'corrected_invoice_not_earlier',
    origin: 'cuadra',
    law: 'art. 15 RD 1619/2012',
    reads: [
      TYPE_CODE,
      `${CORRECTIVE}/invoice_number`,
      `${CORRECTIVE}/invoice_series_code`,
      `${CORRECTIVE}/invoice_issue_date`,
      '/invoice/header/invoice_number',
      '/invoice/header/invoice_series_code',
      '/invoice/issue_data/issue_date',
    ],
    en: [
      'The corrected invoice, dated {received}, is this invoice or is later than {issue_date}.',
      'Correct the number or the date of the corrected invoice.',
    ],
    es: [
      'La factura rectificada, del {received}, es esta misma o es posterior al {issue_date}.',
      'Corrija el número o la fecha de la factura rectificada.',
    ],
    needs: ['corrective'],
    check({ settings: { today }, invoice: { header, issue_data } }, fail) {
      const { invoice_number: number, invoice_series_code: series } = header
      const {
        invoice_number,
        invoice_series_code = series,
        invoice_issue_date: received,
      } = header.corrective ?? {}
      const issue_date = issue_data.issue_date ?? today
      if (!header.is_corrective || !received || !issue_date) return
      const isItself =
        received === issue_date &&
        number &&
        number === invoice_number &&
        (!series || series === invoice_series_code)
      if (isItself || received > issue_date)
        fail(`${CORRECTIVE}/invoice_issue_date`, { received, issue_date })
    },
  }),
  documentRule({
    code: 'tax_group_not_available',
    law: 'API specification, "What the service does"',
    reads: ['/invoice/issue_data/tax_group_code'],
    en: ['Tax group {received} is not available.', 'Use {allowed}.'],
    es: ['El impuesto {received} no está disponible.', 'Use {allowed}.'],
    check({ taxGroup }, fail) {
      if (taxGroup === 'IGIC')
        fail('/invoice/issue_data/tax_group_code', { received: taxGroup, allowed: ['IVA', 'IPSI'] })
    },
  }),
  documentRule({
    code: 'is_dua_only_for_received',
    law: 'art. 167.Dos Ley 37/1992',
    reads: ['/invoice/issue_data/is_dua'],
    en: ['Only a received invoice can be a customs document (DUA).', 'Remove is_dua.'],
    es: ['Solo una factura recibida puede ser un DUA.', 'Quite is_dua.'],
    needs: ['issued'],
    check({ invoice }, fail) {
      if (invoice.issue_data.is_dua === true) fail('/invoice/issue_data/is_dua', { received: true })
    },
  }),
  documentRule({
    code: 'future_issue_date',
    law: 'art. 11 RD 1619/2012; API specification, "Errors"',
    reads: ['/invoice/issue_data/issue_date'],
    en: [
      'The issue date {received} is after today ({today}).',
      'Send the date on which the invoice was issued.',
    ],
    es: [
      'La fecha de expedición {received} es posterior a la de hoy ({today}).',
      'Envíe la fecha en que se expidió la factura.',
    ],
    needs: ['today'],
    check: notAfterToday('issue_date'),
  }),
  documentRule({
    code: 'future_receipt_date',
    origin: 'cuadra',
    law: 'art. 99.Cuatro Ley 37/1992',
    reads: ['/invoice/issue_data/receipt_date'],
    en: [
      'The receipt date {received} is after today ({today}).',
      'Send the date on which the invoice was received.',
    ],
    es: [
      'La fecha de recepción {received} es posterior a la de hoy ({today}).',
      'Envíe la fecha en que se recibió la factura.',
    ],
    needs: ['received', 'today'],
    check: notAfterToday('receipt_date'),
  }),
  documentRule({
    code: 'future_operation_date',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 11 RD 1619/2012; VeriFactu error 1173',
    reads: ['/invoice/issue_data/operation_date', '/invoice/lines/*/tax_regime_key'],
    en: [
      'The operation date {received} is after today ({today}).',
      'Send the date of the operation or of its advance payment.',
    ],
    es: [
      'La fecha de operación {received} es posterior a la de hoy ({today}).',
      'Envíe la fecha de la operación o de su anticipo.',
    ],
    needs: ['issued', 'today'],
    check(context, fail) {
      if (!context.invoice.lines.some(({ tax_regime_key: key = '' }) => DUE_LATER.includes(key)))
        notAfterToday('operation_date')(context, fail)
    },
  }),
  documentRule({
    code: 'currency_not_in_use',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 12.1 RD 1619/2012; ISO 4217',
    reads: ['/invoice/issue_data/invoice_currency', '/invoice/issue_data/tax_currency_code'],
    en: [
      '{received} is not a currency in use on the date of the invoice.',
      'Correct the currency or the date.',
    ],
    es: ['{received} no es una moneda en uso en la fecha de la factura.', 'Corrija la moneda o la fecha.'],
    perBlock: true,
    check({ date, invoice: { issue_data: data } }, fail) {
      const check = (received: string | undefined, path: string) => {
        const last = received && lastDayOfCurrency(received)
        if (last !== undefined && (date === undefined || date > last))
          fail(`/invoice/issue_data/${path}`, { received })
      }
      check(data.tax_currency_code, 'tax_currency_code')
      check(data.invoice_currency?.invoice_currency_code, 'invoice_currency/invoice_currency_code')
    },
  }),
  documentRule({
    code: 'tax_currency_not_euro',
    origin: 'cuadra',
    law: 'art. 12.1 RD 1619/2012; art. 79.Once Ley 37/1992',
    reads: ['/invoice/issue_data/tax_currency_code', '/invoice/issue_data/tax_country_code'],
    en: [
      'Spanish tax is stated in euros, not in {received}: fiscal records would take these amounts as euros.',
      'Send the amounts in euros and omit tax_currency_code. State the original currency in issue_data.invoice_currency and the invoice_currency blocks.',
    ],
    es: [
      'El impuesto español se expresa en euros, no en {received}: los registros fiscales tomarían estos importes como euros.',
      'Envíe los importes en euros y omita tax_currency_code. Indique la moneda original en issue_data.invoice_currency y los bloques invoice_currency.',
    ],
    check({ invoice }, fail) {
      const { tax_country_code: country, tax_currency_code: received } = invoice.issue_data
      if (country === 'ES' && received !== 'EUR')
        fail('/invoice/issue_data/tax_currency_code', { expected: 'EUR', received })
    },
  }),
  documentRule({
    code: 'period_reversed',
    severity: 'warning',
    origin: 'cuadra',
    law: 'arts. 6.1.i and 15.5 RD 1619/2012',
    reads: [
      '/invoice/issue_data/invoicing_period_start_date',
      '/invoice/issue_data/invoicing_period_end_date',
      `${CORRECTIVE}/tax_period`,
      ...linePathsOf('line_item_period_start_date', 'line_item_period_end_date'),
    ],
    en: [
      'The period ends on {received}, before it starts on {start_date}.',
      'Correct one of the dates; a one-day period starts and ends on the same date.',
    ],
    es: [
      'El periodo termina el {received}, antes de empezar el {start_date}.',
      'Corrija una de las fechas; un periodo de un solo día empieza y termina en la misma fecha.',
    ],
    perBlock: true,
    check({ invoice, uses }, fail) {
      const checkPeriod = (start: string | undefined, end: string | undefined, path: string) => {
        if (start !== undefined && end !== undefined && end < start)
          fail(path, { start_date: start, received: end })
      }
      const { issue_data: issue, header } = invoice
      const period = header.corrective?.tax_period
      checkPeriod(period?.start_date, period?.end_date, `${CORRECTIVE}/tax_period/end_date`)
      checkPeriod(
        issue.invoicing_period_start_date,
        issue.invoicing_period_end_date,
        '/invoice/issue_data/invoicing_period_end_date',
      )
      if (uses.periods)
        invoice.lines.forEach((line, index) => {
          const { line_item_period_start_date: start, line_item_period_end_date: end } = line
          checkPeriod(start, end, `/invoice/lines/${index}/line_item_period_end_date`)
        })
    },
  }),
  documentRule({
    code: 'received_only_field',
    severity: 'warning',
    origin: 'cuadra',
    law: 'API specification, "issue_data", "lines[]"',
    reads: [
      '/invoice/issue_data/receipt_date',
      '/invoice/lines/*/deduction_rate',
      '/invoice/lines/*/non_deductible_reason',
    ],
    en: ['{field} applies to received invoices; on an issued invoice it has no effect.', 'Remove it.'],
    es: ['{field} es propio de las facturas recibidas; en una expedida no tiene efecto.', 'Quítelo.'],
    needs: ['issued'],
    perBlock: true,
    check({ invoice, uses }, fail) {
      const { receipt_date: received } = invoice.issue_data
      if (received !== undefined) fail('/invoice/issue_data/receipt_date', { received })
      if (uses.deduction)
        invoice.lines.forEach((line, index) => {
          for (const name of ['deduction_rate', 'non_deductible_reason'] as const)
            if (line[name] !== undefined) fail(`/invoice/lines/${index}/${name}`, { received: line[name] })
        })
    },
  }),
  stageRule({
    code: 'exchange_rate_not_available',
    origin: 'cuadra',
    law: 'art. 79.Once Ley 37/1992',
    reads: ['/invoice/issue_data/invoice_currency'],
    en: [
      'Amounts in {currency} cannot be converted without an exchange rate.',
      'Send exchange_rate (euros per unit of {currency}) and exchange_rate_date.',
    ],
    es: [
      'No se pueden convertir importes en {currency} sin un tipo de cambio.',
      'Envíe exchange_rate (euros por unidad de {currency}) y exchange_rate_date.',
    ],
    cases: {
      dated: {
        en: [
          'There is no exchange rate for {currency} on {date}.',
          'Send invoice_currency with exchange_rate, or ask the administrator to load the reference rates.',
        ],
        es: [
          'No hay tipo de cambio de {currency} para el {date}.',
          'Envíe invoice_currency con exchange_rate, o pida al administrador que cargue los tipos de referencia.',
        ],
      },
    },
    caseOf: ({ date }) => (date === undefined ? undefined : 'dated'),
  }),
]
