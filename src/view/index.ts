/** An invoice as a page of formatted texts. */
export { amountText, dateText, decimalText, moneyText, plainNumberText } from './format.ts'
export { languageFor } from './language.ts'
export type {
  ColumnView,
  Fact,
  FactsView,
  InstalmentView,
  InvoiceView,
  Label,
  LineColumn,
  LineView,
  PartyView,
  QrView,
  SumView,
  TableView,
  TextsView,
  ViewLanguage,
} from './model.ts'
export { VIEW_LANGUAGES } from './model.ts'
export { countryName } from './names.ts'
export { amountToPay } from './payment.ts'
export { type ViewOptions, viewOf } from './view.ts'
