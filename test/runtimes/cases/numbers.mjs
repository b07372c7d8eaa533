/** Numbers read and written: an unknown op is repeated in the answer, and amounts are shown in messages. */
import { randomOf, refused, request } from './request.mjs'

const RANDOM = 400

const items = (text) => text.trim().split(/\s+/)

const EDGES = [
  ...items(`
  0 -0 0.0 -0.0 0e10 1 -1 1.0 1.50 0.1 0.2 0.30000000000000004 0.3 1.005 5e-324 4.9e-324 2.5e-324 2.4e-324
  1e-323 2.2250738585072014e-308 2.2250738585072011e-308 1.7976931348623157e308 1.7976931348623159e308
  1e308 1e309 1e400 -1e400 1e99999 1e-99999 1e20 1e21 123456789012345680000 1234567890123456789012 1e22
  1e23 9e22 1e-6 1e-7 0.000001 0.0000001 1.5e-7 123e-20 9007199254740991 9007199254740992 9007199254740993
  9007199254740995 18446744073709551615 18446744073709551616 4294967295 4294967296 2147483648 -2147483649
  1e15 999999999999.99 999999999999.995 0.005 2.675 1.115 4.35 4.345 33.33 8.5 99.995 1E2 1e+2
  123456789.123456789123456789 0.1e1 100e-2 9 179769313486231580793e289 8.41e21 9.5e-7
  5.764607523034235e39`),
  // Halfway between two doubles, and just beside.
  ...items(`
  9007199254740992.5 4503599627370496.5 4503599627370497.5
  1.00000000000000011102230246251565404236316680908203125
  1.00000000000000011102230246251565404236316680908203124
  1.00000000000000011102230246251565404236316680908203126 7.2057594037927933e16 1.448997445238699
  2.98023223876953125e-8 6929495644600919.5 0.500000000000000166533453694`),
  `1${'0'.repeat(308)}`,
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
  `0.${'3'.repeat(1000)}`,
  '9'.repeat(400),
]

/** Any double, as its shortest text and as a long one. */
function randomNumbers() {
  const random = randomOf(324)
  const bits = new DataView(new ArrayBuffer(8))
  return Array.from({ length: RANDOM }, (_, at) => {
    for (const half of [0, 4]) bits.setUint32(half, Math.floor(random() * 2 ** 32))
    const any = bits.getFloat64(0)
    const everyday = Math.round(random() * 1e8) / 10 ** Math.floor(random() * 9)
    const number = at % 2 === 0 && Number.isFinite(any) ? any : everyday
    return at % 4 < 2 ? String(number) : number.toExponential(20)
  })
}

/** An invoice of one line with amounts written as given. */
const invoice = (price, quantity) =>
  `{"schema_version":"json_1_1","meta":{"direction":"issued","source_system":"numbers","external_ref":"N"},"invoice":{"supplier":{"person_type_code":"J","tax_id":"B12345674","name":"Calderas Ficticias, S.L."},"header":{"invoice_type_code":"02","invoice_series_code":"N"},"issue_data":{},"lines":[{"item_description":"Cable","quantity":${quantity},"unit_price_without_tax":${price},"tax_output_rate":21}],"totals":{"total_gross_amount_before_taxes":0,"total_tax_outputs":0,"invoice_total":0}}}`

const asked = (op, price, quantity) => ({
  ...request(`${price.slice(0, 40)} x ${quantity.slice(0, 40)}`, op, null),
  text: `{"op":"${op}","document":${invoice(price, quantity)}}`,
})

export function numberCases() {
  const numbers = randomNumbers()
  return [
    ...EDGES.map((number) => refused(`number ${number.slice(0, 40)}`, `{"op":${number},"document":1}`)),
    ...numbers.map((number) => refused(`number ${number}`, `{"op":${number},"document":1}`)),
    ...EDGES.flatMap((number) => [asked('validate', number, '1'), asked('validate', '1', number)]),
    ...EDGES.flatMap((number) => [asked('explain', number, '1'), asked('reconcile', number, '3')]),
    ...numbers.filter((_, at) => at % 4 === 1).map((number) => asked('explain', number, '0.1')),
  ]
}
