/** Totals, payment and precision. */
import { checkIban } from '#core/identifiers/index.ts'
import { COMPUTED_TOTALS, LINE_AMOUNTS } from '#core/invoice/terms.ts'
import { fromEuros, multiply, toMinor, toNumber } from '#core/money/index.ts'
import { MISMATCH_CASES, mistakeOf, toleranceTest } from './likely-mistakes.ts'
import { type DisplayNames, documentRule, stageRule, WITHHOLDING_LAW } from './rule.ts'

/** Returns the source that requires a total, if it is not art. 6 RD 1619/2012, which omits withholding and payment. */
const lawOfTotal = (name: string): string | undefined =>
  name === 'total_taxes_withheld'
    ? WITHHOLDING_LAW
    : /payments_on_account|reimbursable|executable/.test(name)
      ? 'API specification, "totals"'
      : undefined

/** Declares a rule that requires a field in each instalment if there are several instalments. */
const instalment = (member: 'installment_due_date' | 'installment_amount', en: string, es: string) =>
  documentRule({
    code: `${member}_required`,
    law: 'API specification, "payment_details[]"',
    reads: [`/invoice/payment_details/*/${member}`],
    en: [`With several instalments, each one needs its ${en}; this one has none.`, `Send ${member}.`],
    es: [`Si hay varios vencimientos, cada uno debe indicar ${es}; en este falta.`, `Envíe ${member}.`],
    needs: ['payments'],
    perBlock: true,
    check({ sent }, fail) {
      const details = sent.payment_details
      if (details && details.length > 1)
        details.forEach((detail, index) => {
          if (detail[member] === undefined)
            fail(`/invoice/payment_details/${index}/${member}`, { missing: member })
        })
    },
  })

/** Texts of the reasons that `checkIban` returns, worded as clauses to insert into messages. */
const IBAN_REASONS: DisplayNames = {
  type: { en: 'it is not a string', es: 'no es un texto' },
  empty: { en: 'it is empty', es: 'está vacío' },
  length: { en: 'it is too long or too short', es: 'es demasiado largo o demasiado corto' },
  format: { en: 'it does not have the format of its country', es: 'no tiene el formato de su país' },
  control: { en: 'its check digits are wrong', es: 'sus dígitos de control no son correctos' },
  national_control: {
    en: 'the check digits of the account number are wrong',
    es: 'los dígitos de control del número de cuenta no son correctos',
  },
  unknown_country: { en: 'its country does not use IBANs', es: 'su país no usa IBAN' },
}

export const TOTAL_RULES = [
  documentRule({
    code: 'totals_mismatch',
    origin: 'cuadra',
    law: 'art. 6.1.f-h RD 1619/2012',
    lawOf: (_extra, path) => lawOfTotal(path.slice(path.lastIndexOf('/') + 1)),
    reads: COMPUTED_TOTALS.map((name) => `/invoice/totals/${name}`),
    en: [
      '{field} is {received}, but the lines give {expected}.',
      'Check the lines; if they are right, send {expected}.',
    ],
    es: [
      '{field} es {received}, pero de las líneas resulta {expected}.',
      'Revise las líneas; si son correctas, envíe {expected}.',
    ],
    cases: {
      ...MISMATCH_CASES,
      after_withholding: {
        en: 'invoice_total is {received}, after withholding; it must be {expected}, before it.',
        es: 'invoice_total es {received}, tras la retención; debe ser {expected}, antes de ella.',
      },
    },
    check(context, fail) {
      const { settings, sent, stated } = context
      if (!settings.check) return
      const { invoice, calculation } = stated
      const { decimals, totals } = calculation
      const near = toleranceTest(calculation)
      for (const name of COMPUTED_TOTALS) {
        const received = sent.totals[name]
        if (received === undefined) continue
        const amount = toMinor(received, decimals)
        if (near(amount, totals[name])) continue
        const expected = invoice.totals[name] as number
        const withheld = totals.total_taxes_withheld
        fail(
          `/invoice/totals/${name}`,
          name === 'invoice_total' && withheld !== 0 && near(amount, totals.invoice_total - withheld)
            ? { expected, received, case: 'after_withholding' }
            : { expected, received, ...mistakeOf(context) },
        )
      }
    },
  }),
  documentRule({
    code: 'excess_precision',
    severity: 'warning',
    origin: 'cuadra',
    law: 'docs/calculation.md, "Numbers and rounding"',
    reads: ['*'],
    en: [
      '{received} has too many decimals; {used} is used.',
      'Round to 8 decimals, and amounts to those of their currency.',
    ],
    es: [
      '{received} tiene demasiados decimales; se usa {used}.',
      'Redondee a 8 decimales, y los importes a los de su moneda.',
    ],
    needs: ['excess'],
    check({ facts, uses, sent, stated }, fail) {
      for (const { path, received, used } of facts.excess) fail(path, { received, used })
      if (!uses.lineAmounts) return
      const { decimals } = stated.calculation
      sent.lines.forEach((line, index) => {
        for (const name of LINE_AMOUNTS) {
          const received = line[name]
          if (received === undefined) continue
          const used = toNumber(toMinor(received, decimals), decimals)
          if (used !== received) fail(`/invoice/lines/${index}/${name}`, { received, used })
        }
      })
    },
  }),
  instalment('installment_due_date', 'due date', 'su fecha'),
  instalment('installment_amount', 'amount', 'su importe'),
  documentRule({
    code: 'iban_invalid',
    severity: 'warning',
    origin: 'cuadra',
    law: 'ISO 13616; art. 5.1.a Regulation (EU) 260/2012',
    reads: [
      '/invoice/payment_details/*/iban_account_to_be_credited',
      '/invoice/payment_details/*/iban_account_to_be_debited',
    ],
    terms: { reason: IBAN_REASONS },
    en: ['{received} is not a valid IBAN: {reason}.', 'Copy it again.'],
    es: ['{received} no es un IBAN válido: {reason}.', 'Cópielo de nuevo.'],
    needs: ['payments'],
    perBlock: true,
    check({ sent }, fail) {
      sent.payment_details?.forEach((detail, index) => {
        for (const name of ['iban_account_to_be_credited', 'iban_account_to_be_debited'] as const) {
          const received = detail[name]
          if (received === undefined) continue
          const { valid, reason } = checkIban(received)
          if (!valid) fail(`/invoice/payment_details/${index}/${name}`, { received, reason })
        }
      })
    },
  }),
  documentRule({
    code: 'invoice_currency_mismatch',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 79.Once Ley 37/1992; art. 12 RD 1619/2012',
    reads: [
      '/invoice/issue_data/invoice_currency',
      '/invoice/totals',
      '/invoice/lines/*',
      '/invoice/taxes_outputs/*',
    ],
    en: [
      '{received} at {exchange_rate} is {converted} euros, not {expected}.',
      'Check both amounts and the rate (euros per unit).',
    ],
    es: [
      '{received} a {exchange_rate} son {converted} euros, no {expected}.',
      'Revise ambos importes y el cambio (euros por unidad).',
    ],
    needs: ['exchangeRate'],
    check({ sent, invoice, stated: { calculation } }, fail) {
      const rate = invoice.issue_data.invoice_currency?.exchange_rate
      if (rate === undefined) return
      const { totals, lines, taxes_outputs } = sent
      const { adjustment, discounts, surcharges } = calculation
      // Possible rounding differences, in cents: one per document discount or surcharge, one per currency, and the
      // rounding of the original amount, converted to euros.
      const roundings = [...discounts, ...surcharges].filter(Boolean).length + 2 + Math.ceil(rate)
      // Document discounts are spread over the lines in proportion to their amounts. If some amounts are negative, the
      // sum is small, and a rounding difference of one cent changes a share by more than a cent.
      const gross = Math.abs(calculation.totals.total_gross_amount)
      const ratio = calculation.lines.reduce((total, line) => total + Math.abs(line.gross / gross), 0)
      const spread = adjustment ? ratio * Math.max(1, ratio * Math.abs(adjustment / gross)) : 1
      const compare = (
        { invoice_currency }: { readonly invoice_currency?: object },
        euros: object,
        count: number,
        path: string,
      ): void => {
        for (const name in invoice_currency) {
          const received = invoice_currency[name as never] as unknown
          const expected = euros[name as never] as unknown
          if (name.startsWith('unit_price') || typeof received !== 'number' || typeof expected !== 'number')
            continue
          const converted = multiply(received, rate)
          if (Math.abs(toMinor(expected) - converted) > (count + roundings) * spread)
            fail(`${path}/invoice_currency/${name}`, {
              expected,
              received,
              converted: toNumber(converted),
              exchange_rate: rate,
            })
        }
      }
      compare(totals, invoice.totals, lines.length, '/invoice/totals')
      invoice.lines.forEach((line, index) => {
        compare(lines[index] ?? {}, line, 1, `/invoice/lines/${index}`)
      })
      taxes_outputs?.forEach((entry, index) => {
        compare(entry, entry, lines.length, `/invoice/taxes_outputs/${index}`)
      })
    },
  }),
  documentRule({
    code: 'issued_amounts_in_euros',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 79.Once Ley 37/1992; art. 12 RD 1619/2012',
    reads: ['/invoice/issue_data/invoice_currency', '/invoice/totals/invoice_total'],
    en: [
      'Issued amounts are euros: the total is {received} EUR, {converted} {currency} at {exchange_rate} EUR per {currency}.',
      'If correct, send that total in totals.invoice_currency; if not, correct the rate or convert the amounts.',
    ],
    es: [
      'Los importes emitidos son euros: el total es {received} EUR, {converted} {currency} a {exchange_rate} EUR por {currency}.',
      'Si es correcto, envíe ese total en totals.invoice_currency; si no, corrija el cambio o convierta los importes.',
    ],
    needs: ['issued', 'exchangeRate'],
    check({ invoice, original, facts }, fail) {
      const { invoice_currency_code: currency, exchange_rate } = invoice.issue_data.invoice_currency!
      if (facts.converted || currency === 'EUR' || exchange_rate === undefined) return
      const received = invoice.totals.invoice_total
      const converted = original?.invoice.totals.invoice_total ?? fromEuros(received, exchange_rate, 2)
      fail('/invoice/issue_data/invoice_currency', { received, converted, exchange_rate, currency })
    },
  }),
  stageRule({
    code: 'amount_out_of_range',
    source: 'schema',
    origin: 'cuadra',
    law: 'AEAT, diseño de registro 1.0, hoja 2',
    reads: ['/invoice/lines/*', '/invoice/totals'],
    en: [
      'A computed amount has more than 12 integer digits.',
      'Check quantity, price and rates: fiscal records allow 12 digits.',
    ],
    es: [
      'Un importe calculado tiene más de 12 cifras enteras.',
      'Revise cantidad, precio y tipos: los registros fiscales admiten 12 cifras.',
    ],
  }),
]
