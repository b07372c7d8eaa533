/** An invoice as a page of formatted texts. */
export { amountText, dateText, decimalText, moneyText, plainNumberText } from './display-format.ts'
export { countryName } from './display-names.ts'
export { languageFor } from './language.ts'
export { amountToPay } from './payment-view.ts'
export { type ViewOptions, viewOf } from './view.ts'
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
} from './view-model.ts'
export { VIEW_LANGUAGES } from './view-model.ts'
