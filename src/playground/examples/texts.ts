/** Texts of the examples, exactly as their files are; loaded together when the first one is chosen. */
import example02 from '../../../examples/02-shop-prices-with-tax.json?raw'
import example03 from '../../../examples/03-equivalence-surcharge.json?raw'
import example04 from '../../../examples/04-export.json?raw'
import example05 from '../../../examples/05-intra-community.json?raw'
import example06 from '../../../examples/06-reverse-charge.json?raw'
import example07 from '../../../examples/07-exempt-training.json?raw'
import example08 from '../../../examples/08-one-stop-shop-france.json?raw'
import example09 from '../../../examples/09-cash-basis.json?raw'
import example10 from '../../../examples/10-margin-used-goods.json?raw'
import example11 from '../../../examples/11-corrective-substitution.json?raw'
import example12 from '../../../examples/12-corrective-differences.json?raw'
import example13 from '../../../examples/13-simplified-ticket.json?raw'
import example14 from '../../../examples/14-document-discounts.json?raw'
import example15 from '../../../examples/15-received-electricity.json?raw'
import example16 from '../../../examples/16-received-usd.json?raw'
import example17 from '../../../examples/17-travel-agency.json?raw'
import example18 from '../../../examples/18-self-invoice.json?raw'
import wrong from '../../../examples/wrong/everything-wrong.json?raw'
import { blank } from './blank.ts'

export const TEXTS: Readonly<Record<string, string>> = {
  blank,
  '02-shop-prices-with-tax': example02,
  '03-equivalence-surcharge': example03,
  '04-export': example04,
  '05-intra-community': example05,
  '06-reverse-charge': example06,
  '07-exempt-training': example07,
  '08-one-stop-shop-france': example08,
  '09-cash-basis': example09,
  '10-margin-used-goods': example10,
  '11-corrective-substitution': example11,
  '12-corrective-differences': example12,
  '13-simplified-ticket': example13,
  '14-document-discounts': example14,
  '15-received-electricity': example15,
  '16-received-usd': example16,
  '17-travel-agency': example17,
  '18-self-invoice': example18,
  'everything-wrong': wrong,
}
