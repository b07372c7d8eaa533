/** Tests of the rules for totals: see `rows.ts`. */
import { TOTAL_CODES } from '#records/verifactu/rules/total-checks.ts'
import { holdsTo, line, member, type Row, rated, row, totals } from './rows.ts'

const TOTAL_ROWS: readonly Row[] = [
  member(1266, 'a total of taxes is an amount', '/CuotaTotal', '21,00', '21.0'),
  member(1267, 'a total has twelve digits', '/ImporteTotal', '1000000000121.00', '121.0'),
  member(1267, 'a total has no leading zeros', '/ImporteTotal', '0121.00', '121.00'),
  row(
    2005,
    'the total is the sum, within 10.00',
    totals('21.00', '131.01'),
    '/ImporteTotal',
    totals('21.00', '131.00'),
  ),
  row(2005, 'a margin need not add up', totals('21.00', '5000.00'), '/ImporteTotal', {
    ...totals('21.00', '5000.00'),
    ...line({ ClaveRegimen: '03' }),
  }),
  row(
    2006,
    'the taxes are the sum, within 10.00',
    totals('31.01', '121.00'),
    '/CuotaTotal',
    totals('31.00', '121.00'),
  ),
  row(2006, 'surcharges count', totals('210.00', '1262.00'), '/CuotaTotal', totals('262.00', '1262.00'), {
    base: {
      ...rated(21, undefined, 5.2),
      ...line({ BaseImponibleOimporteNoSujeto: '1000.00', CuotaRepercutida: '210.00' }),
      ...line({ CuotaRecargoEquivalencia: '52.00' }),
    },
  }),
  row(
    2005,
    'a missing line makes both totals wrong',
    totals('210.00', '1210.00'),
    ['2005 /ImporteTotal', '2006 /CuotaTotal'],
    {},
  ),
]

holdsTo('totals', TOTAL_CODES, TOTAL_ROWS)
