/** Labels of invoices in the languages of suppliers in Spain, and notations of amounts and dates. */

export type Language = 'es' | 'ca' | 'gl' | 'eu' | 'en' | 'fr' | 'de' | 'pt' | 'it'

const NAMES = [
  'title',
  'number',
  'date',
  'due',
  'customer',
  'id',
  'concept',
  'quantity',
  'price',
  'amount',
  'base',
  'tax',
  'withheld',
  'surcharge',
  'total',
  'payable',
  'account',
  'exempt',
] as const

export type WordName = (typeof NAMES)[number]
export type Words = Readonly<Record<WordName, string>>

const words = (line: string): Words =>
  Object.fromEntries(line.split('|').map((word, at) => [NAMES[at], word]))

export const WORDS: Readonly<Record<Language, Words>> = {
  es: words(
    'Factura|Factura nº|Fecha de factura|Fecha de vencimiento|Cliente|NIF|Descripción|Cant.|Precio|Importe|Base imponible|IVA|Retención IRPF|Rec. equivalencia|Total factura|Total a pagar|IBAN|Exento',
  ),
  ca: words(
    'Factura|Núm. de factura|Data de la factura|Venciment|Client|NIF|Descripció|Quantitat|Preu|Import|Base imposable|IVA|Retenció IRPF|Recàrrec d’equivalència|Total factura|Total a pagar|Compte bancari|Exempt',
  ),
  gl: words(
    'Factura|Número de factura|Data da factura|Vencemento|Cliente|NIF|Descrición|Cantidade|Prezo|Importe|Base impoñible|IVE|Retención IRPF|Recarga de equivalencia|Total factura|Total a pagar|Conta bancaria|Exento',
  ),
  eu: words(
    'Faktura|Faktura zenbakia|Faktura data|Muga-eguna|Bezeroa|IFZ|Azalpena|Kopurua|Prezioa|Zenbatekoa|Zerga-oinarria|BEZ|PFEZ atxikipena|Baliokidetasun errekargua|Faktura guztira|Ordaintzekoa guztira|Banku-kontua|Salbuetsia',
  ),
  en: words(
    'Invoice|Invoice No.|Invoice date|Due date|Bill to|VAT No.|Description|Qty|Unit price|Amount|Subtotal|VAT|Withholding tax|Equivalence surcharge|Total|Amount due|IBAN|Exempt',
  ),
  fr: words(
    'Facture|Facture n°|Date de facture|Échéance|Client|N° TVA|Désignation|Qté|Prix unitaire|Montant|Total HT|TVA|Retenue à la source|Majoration d’équivalence|Total TTC|Net à payer|IBAN|Exonéré',
  ),
  de: words(
    'Rechnung|Rechnungsnummer|Rechnungsdatum|Fällig am|Kunde|USt-IdNr.|Bezeichnung|Menge|Einzelpreis|Betrag|Nettobetrag|MwSt.|Steuerabzug|Ausgleichszuschlag|Gesamtbetrag|Zahlbetrag|IBAN|Steuerfrei',
  ),
  pt: words(
    'Fatura|Fatura n.º|Data da fatura|Vencimento|Cliente|NIF|Descrição|Qtd.|Preço|Valor|Base tributável|IVA|Retenção na fonte|Recargo de equivalência|Total da fatura|Total a pagar|IBAN|Isento',
  ),
  it: words(
    'Fattura|Fattura n.|Data fattura|Scadenza|Cliente|Partita IVA|Descrizione|Q.tà|Prezzo|Importo|Imponibile|IVA|Ritenuta d’acconto|Maggiorazione di equivalenza|Totale fattura|Netto a pagare|IBAN|Esente',
  ),
}

const MONTHS: Readonly<Record<Language, string>> = {
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  ca: 'gener febrer març abril maig juny juliol agost setembre octubre novembre desembre',
  gl: 'xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro',
  eu: 'urtarrilaren otsailaren martxoaren apirilaren maiatzaren ekainaren uztailaren abuztuaren irailaren urriaren azaroaren abenduaren',
  en: 'January February March April May June July August September October November December',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  pt: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
}

/** Date formats with the name of the month, such as "3 de marzo de 2026", by language. */
const IN_WORDS: Readonly<Record<Language, (day: number, month: string, year: string) => string>> = {
  es: (day, month, year) => `${day} de ${month} de ${year}`,
  ca: (day, month, year) => `${day} ${/^[ao]/.test(month) ? 'd’' : 'de '}${month} de ${year}`,
  gl: (day, month, year) => `${day} de ${month} de ${year}`,
  eu: (day, month, year) => `${year}ko ${month} ${day}a`,
  en: (day, month, year) => `${month} ${day}, ${year}`,
  fr: (day, month, year) => `${day === 1 ? '1er' : day} ${month} ${year}`,
  de: (day, month, year) => `${day}. ${month} ${year}`,
  pt: (day, month, year) => `${day} de ${month} de ${year}`,
  it: (day, month, year) => `${day} ${month} ${year}`,
}

export type Dating = '/' | '-' | '.' | 'words' | 'iso' | 'short'

export function dateIn(language: Language, dating: Dating, date: string): string {
  const [year = '', month = '', day = ''] = date.split('-')
  if (dating === 'iso') return date
  if (dating === 'short') return `${day}/${month}/${year.slice(2)}`
  if (dating === 'words')
    return IN_WORDS[language](Number(day), MONTHS[language].split(' ')[Number(month) - 1] ?? '', year)
  return [day, month, year].join(dating)
}

export interface Notation {
  readonly thousands: '.' | ',' | ' ' | ''
  readonly decimal: ',' | '.'
  /** Position of the currency, if any. */
  readonly currency: 'after' | 'before' | 'code' | 'none'
  readonly minus: 'before' | 'behind'
}

export const NOTATIONS = {
  spanish: { thousands: '.', decimal: ',', currency: 'after', minus: 'before' },
  bare: { thousands: '.', decimal: ',', currency: 'none', minus: 'before' },
  spaces: { thousands: ' ', decimal: ',', currency: 'after', minus: 'before' },
  ungrouped: { thousands: '', decimal: ',', currency: 'none', minus: 'behind' },
  behind: { thousands: '.', decimal: ',', currency: 'none', minus: 'behind' },
  code: { thousands: '.', decimal: ',', currency: 'code', minus: 'before' },
  english: { thousands: ',', decimal: '.', currency: 'before', minus: 'before' },
} satisfies Record<string, Notation>

export function amountIn(
  { thousands, decimal, currency, minus }: Notation,
  amount: number,
  places = 2,
): string {
  const [whole = '', part] = Math.abs(amount).toFixed(places).split('.')
  const digits = `${whole.replace(/\B(?=(\d{3})+$)/g, thousands)}${part ? decimal + part : ''}`
  const sign = amount < 0 ? '-' : ''
  const signed =
    minus === 'behind' ? `${digits}${sign}` : `${sign}${currency === 'before' ? '€' : ''}${digits}`
  return signed + { after: ' €', code: ' EUR', before: '', none: '' }[currency]
}
