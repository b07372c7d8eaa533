/** The invoice that the features change, and the parties that they name. */

/** Documents, records and rows whose members the matrix knows. */
export type Loose = any

const address = (parts: object = {}) => ({
  address: 'Calle de la Prueba, 8',
  post_code: '28013',
  town: 'Madrid',
  country_code: 'ES',
  ...parts,
})
const company = (tax_id: string | undefined, name: string, parts: Loose = {}) => ({
  person_type_code: 'J',
  ...(tax_id === undefined ? {} : { tax_id }),
  name,
  country_code: parts.country_code ?? 'ES',
  company: { legal_name: name, address: address(parts) },
})
const person = (tax_id: string | undefined, first: string, surname: string, parts: Loose = {}) => ({
  person_type_code: 'F',
  ...(tax_id === undefined ? {} : { tax_id }),
  name: `${first} ${surname}`,
  country_code: parts.country_code ?? 'ES',
  person: { first_name: first, first_surname: surname, address: address(parts) },
})

export const OWN_COMPANY = company('B12345674', 'Ensayos del Norte, S.L.')
export const OWN_PERSON = person('12345678Z', 'Elvira', 'Montalbán')

/** The other party of an invoice. */
export const PARTIES = {
  company: company('A28015865', 'Manufacturas Robledal, S.A.', { post_code: '08001', town: 'Barcelona' }),
  person: person('23456789D', 'Andrés', 'Villalba', { post_code: '08201', town: 'Sabadell' }),
  german: company('DE136695976', 'Fliesen Beispiel GmbH', {
    address: 'Lindenallee 4',
    post_code: '10115',
    town: 'Berlin',
    country_code: 'DE',
  }),
  french: person(undefined, 'Camille', 'Lefèvre', {
    address: 'Rue des Essais 2',
    post_code: '75001',
    town: 'Paris',
    country_code: 'FR',
  }),
  american: company('98-7654321', 'Olive Imports, Inc.', {
    address: 'Main Street 1',
    post_code: '97201',
    town: 'Portland',
    country_code: 'US',
  }),
  canarian: company('B56789019', 'Suministros Teide, S.L.', { post_code: '35001', town: 'Las Palmas' }),
  ceuta: company('B98765431', 'Almacenes del Estrecho, S.L.', { post_code: '51001', town: 'Ceuta' }),
  authority: {
    ...company('Q2826000H', 'Organismo de Pruebas'),
    administrative_centres: ['01', '02', '03'].map((role_type_code) => ({
      role_type_code,
      centre_code: 'EA0042817',
    })),
  },
} as const

/** An issued invoice of three lines whose taxes, rounded by line, are a cent more than those rounded by rate. */
export const plainInvoice = (): Loose => ({
  schema_version: 'json_1_1',
  meta: { direction: 'issued', source_system: 'matrix' },
  invoice: {
    supplier: structuredClone(OWN_COMPANY),
    customer: structuredClone(PARTIES.company),
    header: { invoice_type_code: '01', invoice_series_code: 'A', invoice_number: 'A-101' },
    issue_data: { issue_date: '2026-05-10', invoice_description: 'Material y montaje' },
    lines: [
      {
        item_description: 'Tubería',
        item_type: 'goods',
        quantity: 3,
        unit_price_without_tax: 33.37,
        tax_output_rate: 21,
      },
      {
        item_description: 'Montaje',
        item_type: 'service',
        quantity: 2,
        unit_price_without_tax: 50.05,
        tax_output_rate: 10,
      },
      {
        item_description: 'Válvula',
        item_type: 'goods',
        quantity: 1,
        unit_price_without_tax: 17.83,
        tax_output_rate: 21,
      },
    ],
    totals: { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 },
  },
})
