/** Supplier, customer and the company of the invoice. */
import { checkTaxId, type TaxIdCheck } from '#core/identifiers/index.ts'
import type { Customer, Supplier } from '#core/invoice/index.ts'
import { addressOf, provinceOf } from '#engine/normalise/index.ts'
import { type DisplayNames, type DocumentRule, documentRule, type ReportFailure } from './rule.ts'

/** Texts of the reasons that `checkTaxId` returns, worded as clauses to insert into messages. */
const ID_REASONS: DisplayNames = {
  type: { en: 'it is not a string', es: 'no es un texto' },
  empty: { en: 'it is empty', es: 'está vacío' },
  length: { en: 'it is too long or too short', es: 'es demasiado largo o demasiado corto' },
  format: { en: 'its format is wrong', es: 'su formato no es correcto' },
  control: { en: 'its check character is wrong', es: 'su carácter de control no es correcto' },
  control_form: {
    en: 'its check character is a digit and must be a letter, or vice versa',
    es: 'su carácter de control es una cifra y debe ser una letra, o al revés',
  },
  placeholder: { en: 'it is a placeholder number', es: 'es un número de relleno' },
  prefix: { en: 'it has the prefix of another country', es: 'lleva el prefijo de otro país' },
  unknown_country: { en: 'its country is unknown', es: 'no se conoce su país' },
}

const SPANISH_ID_LAW = 'arts. 18-22 RD 1065/2007'
const FOREIGN_ID_LAW = 'arts. 214-215 Directive 2006/112/EC'

/**
 * Whether a foreign id that is not a valid VAT number may be another identifier, such as the tax id of a private
 * person. It is not empty, not a placeholder and not a Spanish id, and has neither a wrong check digit nor a country
 * prefix.
 */
const isOtherId = ({ normalized, reason }: TaxIdCheck, sent: string): boolean =>
  reason !== 'control' &&
  reason !== 'placeholder' &&
  normalized !== '' &&
  !/^\W*[a-z]{2}\W*u?\d/i.test(sent) &&
  !checkTaxId(sent, 'ES').valid

function reportInvalidTaxId(
  check: TaxIdCheck | null,
  party: Supplier | Customer | undefined,
  other: string | undefined,
  path: string,
  fail: ReportFailure,
): void {
  if (!check || check.valid || !party) return
  const { tax_id: sent, country_code: country } = party
  const spanish = country === undefined || country === 'ES'
  fail(
    path,
    {
      received: sent ?? null,
      country_code: country ?? 'ES',
      reason: check.reason,
      ...(!spanish && sent && isOtherId(check, sent) ? { case: 'other_id' } : {}),
      ...(other === undefined ? {} : { other, case: 'other_country' }),
    },
    spanish ? 'error' : 'warning',
  )
}

/** Returns a check that fails if the party is not the company itself. Tax ids are compared in normalised form. */
const mustBeCompany =
  (party: 'supplier' | 'customer'): DocumentRule['check'] =>
  ({ company, invoice }, fail) => {
    const expected: unknown = company?.tax_id
    const received = invoice[party]?.tax_id
    if (typeof expected !== 'string' || expected === '' || received === undefined) return
    if (checkTaxId(received, 'ES').normalized !== checkTaxId(expected, 'ES').normalized)
      fail(`/invoice/${party}/tax_id`, { expected, received })
  }

export const PARTY_RULES = [
  documentRule({
    code: 'customer_required',
    law: 'art. 6.1.c-d RD 1619/2012',
    reads: ['/invoice/customer', '/invoice/header/invoice_type_code'],
    en: [
      'A full invoice requires a customer.',
      'Send invoice.customer, or use a simplified invoice type (02, 04).',
    ],
    es: [
      'Una factura completa exige un destinatario.',
      'Envíe invoice.customer o use un tipo de factura simplificada (02, 04).',
    ],
    needs: ['issued'],
    check(context, fail) {
      if (!context.invoice.header.is_simplified && !context.invoice.customer)
        fail('/invoice/customer', { invoice_type_code: context.invoice.header.invoice_type_code })
    },
  }),
  documentRule({
    code: 'customer_domicile_required',
    law: 'art. 6.1.e RD 1619/2012',
    reads: ['/invoice/customer', '/invoice/header/invoice_type_code'],
    en: [
      'The customer is a Spanish legal entity, but its address does not show the province.',
      'Send country_subdivision or a five-digit post_code in the customer’s address.',
    ],
    es: [
      'El destinatario es una entidad española, pero su domicilio no indica la provincia.',
      'Envíe country_subdivision o un post_code de cinco cifras en el domicilio del destinatario.',
    ],
    needs: ['issued'],
    check({ invoice, facts }, fail) {
      const { customer, header } = invoice
      if (header.is_simplified || !customer || facts.otherCountries.customer) return
      if (customer.person_type_code !== 'J' || customer.country_code !== 'ES') return
      const address = addressOf(customer)
      if ((address?.country_code ?? 'ES') !== 'ES' || provinceOf(address)) return
      const block = customer.company?.address || !customer.person?.address ? 'company' : 'person'
      fail(`/invoice/customer/${block}/address/country_subdivision`, {
        post_code: address?.post_code ?? null,
      })
    },
  }),
  documentRule({
    code: 'tax_id_invalid',
    origin: 'cuadra',
    law: `${SPANISH_ID_LAW}; ${FOREIGN_ID_LAW}`,
    lawOf: ({ country_code }) => (country_code === 'ES' ? SPANISH_ID_LAW : FOREIGN_ID_LAW),
    reads: [
      '/invoice/supplier/tax_id',
      '/invoice/supplier/country_code',
      '/invoice/customer/tax_id',
      '/invoice/customer/country_code',
    ],
    terms: { reason: ID_REASONS },
    en: [
      '{received} is not a valid tax id for country {country_code}: {reason}.',
      'Correct the number or country_code.',
    ],
    es: [
      '{received} no es un identificador fiscal válido del país {country_code}: {reason}.',
      'Corrija el número o country_code.',
    ],
    cases: {
      other_country: {
        en: [
          '{received} is a tax id of {other}, not of {country_code}.',
          'Send country_code {other} beside tax_id.',
        ],
        es: [
          '{received} es un identificador fiscal de {other}, no de {country_code}.',
          'Envíe country_code {other} junto a tax_id.',
        ],
      },
      other_id: {
        en: [
          '{received} is not a VAT number of {country_code}: {reason}.',
          'Correct it, unless it is the id of a private customer.',
        ],
        es: [
          '{received} no es un NIF-IVA de {country_code}: {reason}.',
          'Corríjalo, salvo que sea el identificador de un particular.',
        ],
      },
    },
    needs: ['wrongTaxId'],
    perBlock: true,
    check({ facts, invoice }, fail) {
      const { supplierId, customerId, otherCountries } = facts
      const { supplier, customer } = otherCountries
      reportInvalidTaxId(supplierId, invoice.supplier, supplier, '/invoice/supplier/tax_id', fail)
      reportInvalidTaxId(customerId, invoice.customer, customer, '/invoice/customer/tax_id', fail)
    },
  }),
  documentRule({
    code: 'issuer_tax_id_required',
    law: 'art. 6.1.d RD 1619/2012; API specification, "Errors"',
    reads: ['/invoice/supplier/tax_id'],
    en: ['An imported invoice must identify its issuer.', 'Send supplier.tax_id.'],
    es: ['Una factura importada debe identificar a su emisor.', 'Envíe supplier.tax_id.'],
    needs: ['import'],
    check({ invoice }, fail) {
      if (invoice.supplier.tax_id === undefined) fail('/invoice/supplier/tax_id')
    },
  }),
  documentRule({
    code: 'issuer_tax_id_mismatch',
    law: 'API specification, "invoice blocks"',
    reads: ['/invoice/supplier/tax_id'],
    en: [
      'The issuer {received} is not the company {expected}.',
      'Send the company’s own tax id, or omit it on a draft.',
    ],
    es: [
      'El emisor {received} no es la empresa {expected}.',
      'Envíe el NIF de la empresa, u omítalo en un borrador.',
    ],
    needs: ['issued', 'company'],
    check: mustBeCompany('supplier'),
  }),
  documentRule({
    code: 'recipient_tax_id_required',
    law: 'art. 6.1.d RD 1619/2012; API specification, "Errors"',
    reads: ['/invoice/customer/tax_id', '/invoice/header/invoice_type_code'],
    en: [
      'A received invoice must identify its recipient.',
      'Send the company’s own tax id in customer.tax_id.',
    ],
    es: [
      'Una factura recibida debe identificar a su destinatario.',
      'Envíe el NIF de la propia empresa en customer.tax_id.',
    ],
    needs: ['received'],
    check({ invoice }, fail) {
      if (!invoice.header.is_simplified && invoice.customer?.tax_id === undefined)
        fail('/invoice/customer/tax_id')
    },
  }),
  documentRule({
    code: 'recipient_tax_id_mismatch',
    law: 'API specification, "invoice blocks"',
    reads: ['/invoice/customer/tax_id'],
    en: [
      'The recipient {received} is not the company {expected}.',
      'Register the invoice in the company it was issued to.',
    ],
    es: [
      'El destinatario {received} no es la empresa {expected}.',
      'Registre la factura en la empresa a la que se expidió.',
    ],
    needs: ['received', 'company'],
    check: mustBeCompany('customer'),
  }),
  documentRule({
    code: 'post_code_province_mismatch',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 6.1.e RD 1619/2012',
    reads: ['/invoice/*/company/address', '/invoice/*/person/address'],
    en: [
      'Post code {post_code} is in {post_code_province}, not in {province}.',
      'Correct the post code or the province.',
    ],
    es: [
      'El código postal {post_code} es de {post_code_province}, no de {province}.',
      'Corrija el código postal o la provincia.',
    ],
    needs: ['wrongProvince'],
    perBlock: true,
    check({ facts }, fail) {
      for (const { path, ...extra } of facts.provinceConflicts) fail(path, extra)
    },
  }),
  documentRule({
    code: 'country_subdivision_unknown',
    severity: 'warning',
    origin: 'cuadra',
    law: 'art. 6.1.e RD 1619/2012; ISO 3166-2',
    reads: ['/invoice/*/company/address', '/invoice/*/person/address'],
    en: [
      'Spain has no province {received}; {used}, from the rest of the address, is used.',
      'Send the ISO 3166-2 or INE code of the province (ES-M or 28), or its name.',
    ],
    es: [
      'No existe en España la provincia {received}; se usa {used}, según el resto del domicilio.',
      'Envíe el código ISO 3166-2 o INE de la provincia (ES-M o 28), o su nombre.',
    ],
    cases: {
      none: {
        en: 'Spain has no province {received}.',
        es: 'No existe en España la provincia {received}.',
      },
      other_name: {
        en: ['This province code stands for {used}, not {received}.', 'Correct the code or the name.'],
        es: [
          'Este código de provincia corresponde a {used}, no a {received}.',
          'Corrija el código o el nombre.',
        ],
      },
    },
    caseOf: ({ used }) => (used === null ? 'none' : undefined),
    needs: ['wrongProvince'],
    perBlock: true,
    check({ facts }, fail) {
      for (const { path, ...extra } of facts.unknownProvinces) fail(path, extra)
    },
  }),
]
