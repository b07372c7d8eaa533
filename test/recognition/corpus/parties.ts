/** Fictitious companies and people, with valid ids and accounts. */
import type { Party } from './truth.ts'

/** Returns a NIF with its control digit (Orden EHA/451/2008). */
export function companyId(letter: string, digits: string): string {
  const sum = [...digits].reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return `${letter}${digits}${(10 - (sum % 10)) % 10}`
}

export const personId = (digits: string): string =>
  `${digits}${'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23]}`

/** Returns a Spanish IBAN with its check digits. */
export function ibanOf(bank: string, branch: string, account: string): string {
  const control = (digits: string) => {
    const sum = [...digits].reduce(
      (all, digit, at) => all + Number(digit) * (2 ** (at + 10 - digits.length) % 11),
      0,
    )
    const rest = 11 - (sum % 11)
    return rest === 11 ? 0 : rest === 10 ? 1 : rest
  }
  const local = `${bank}${branch}${control(bank + branch)}${control(account)}${account}`
  // The check digits replace the letter E by 14 and the letter S by 28.
  const check = 98n - (BigInt(`${local}142800`) % 97n)
  return `ES${String(check).padStart(2, '0')}${local}`
}

export const party = (tax_id: string, name: string, street: string, town: string): Party => ({
  tax_id,
  name,
  street,
  town,
})

/** The company that receives the documents: the customer of nearly all of them. */
export const OURS = party(
  companyId('B', '6512347'),
  'Talleres Quintana Ruiz, S.L.',
  'Calle de la Fragua, 14',
  '28038 Madrid',
)

export const SUPPLIERS = {
  paper: party(
    companyId('B', '8734512'),
    'Papelería Muñoz e Hijos, S.L.',
    'Avenida de América, 108',
    '28028 Madrid',
  ),
  design: party(personId('51482937'), 'Lucía Fernández Ortega', 'Calle Sagunto, 7, 2.º B', '46009 Valencia'),
  food: party(
    companyId('A', '4190236'),
    'Distribuciones Aljarafe, S.A.',
    'Polígono PISA, nave 23',
    '41927 Mairena del Aljarafe',
  ),
  power: party(
    companyId('A', '9512084'),
    'Energía Levante Comercializadora, S.A.',
    'Paseo de la Alameda, 35',
    '46023 Valencia',
  ),
  school: party(
    companyId('G', '1578346'),
    'Fundación Aula Abierta',
    'Rúa do Vilar, 41',
    '15705 Santiago de Compostela',
  ),
  hosting: party(
    companyId('B', '2034918'),
    'Nimbus Hosting Iberia, S.L.',
    'Carrer de Pallars, 193',
    '08005 Barcelona',
  ),
  timber: party(
    companyId('B', '3348712'),
    'Maderas y Tableros del Norte, S.L.',
    'Carretera de Burgos, km 12',
    '39478 Boo de Piélagos',
  ),
  bar: party(personId('72093415'), 'Bar Casa Íñigo', 'Plaza Mayor, 3', '37002 Salamanca'),
  lawyer: party(
    personId('08346127'),
    'Íñigo Etxeberria Peña, abogado',
    'Gran Vía, 22, 4.º dcha.',
    '48001 Bilbao',
  ),
} as const
