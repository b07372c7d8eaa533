/** Tests of the rules for rates and surcharges: see `rows.ts`. */
import { RATE_CODES } from '#records/verifactu/rules/rate-checks.ts'
import { holdsTo, line, RATE, type Row, rated, row, SURCHARGE } from './rows.ts'

const RATE_ROWS: readonly Row[] = [
  row(1124, 'a rate is one of IVA', rated(22), RATE, rated(4)),
  row(
    1124,
    'the IGIC has rates of its own',
    rated(7.25),
    RATE,
    rated(7.25, undefined, undefined, { Impuesto: '03' }),
  ),
  row(
    1124,
    'a wrong rate is not also reported for the tax',
    line({ TipoImpositivo: '9' }),
    RATE,
    line({ TipoImpositivo: '21.' }),
  ),
  row(1132, 'old rates end in 2012', rated(18, '01-01-2013'), RATE, rated(18, '31-12-2012')),
  row(
    1132,
    'an old rate also explains its surcharge',
    rated(8, undefined, 1),
    RATE,
    rated(8, '15-01-2010', 1),
  ),
  row(1194, '5 % begins in July 2022', rated(5, '30-06-2022'), RATE, rated(5, '01-07-2022')),
  row(1194, '5 % ends in September 2024', rated(5, '01-10-2024', 0.62), RATE, rated(5, '30-09-2024', 0.62)),
  row(1235, '2 % ends in 2024', rated(2, '01-01-2025', 0.26), RATE, rated(2, '31-12-2024', 0.26)),
  row(1236, '7.5 % begins in October 2024', rated(7.5, '30-09-2024'), RATE, rated(7.5, '01-10-2024')),
  row(
    1206,
    'premises are let at 21 %',
    rated(10, undefined, undefined, { ClaveRegimen: '11' }),
    RATE,
    rated(21, undefined, undefined, { ClaveRegimen: '11' }),
  ),
  row(
    1127,
    'a surcharge is one of the list',
    rated(18, '15-01-2010', 3),
    SURCHARGE,
    rated(18, '15-01-2010', 4),
  ),
  row(
    1127,
    'an unknown rate and an unknown surcharge are two mistakes',
    rated(22, undefined, 3),
    [`1124 ${RATE}`, SURCHARGE],
    rated(21, undefined, 5.2),
  ),
  row(
    1135,
    'the surcharge of 4 % ends in 2012',
    rated(21, '01-01-2013', 4),
    SURCHARGE,
    rated(16, '31-12-2012', 4),
  ),
  row(1162, '21 % goes with 5.2 and 1.75', rated(21, undefined, 1.4), SURCHARGE, rated(21, undefined, 1.75)),
  row(1163, '10 % goes with 1.4', rated(10, undefined, 0.5), SURCHARGE, rated(10, undefined, 1.4)),
  row(1164, '4 % goes with 0.5', rated(4, undefined, 0.62), SURCHARGE, rated(4, undefined, 0.5)),
  row(
    1160,
    '5 % goes with 0.5 and 0.62',
    rated(5, '15-08-2022', 1.4),
    SURCHARGE,
    rated(5, '15-08-2022', 0.5),
  ),
  row(1167, '5 % went with 0.5 in 2022', rated(5, '01-01-2023', 0.5), SURCHARGE, rated(5, '31-12-2022', 0.5)),
  row(
    1168,
    '5 % went with 0.62 from 2023 on',
    rated(5, '31-12-2022', 0.62),
    SURCHARGE,
    rated(5, '01-01-2023', 0.62),
  ),
  row(1169, '7.5 % went with 1', rated(7.5, '01-11-2024', 0.5), SURCHARGE, rated(7.5, '01-11-2024', 1)),
  row(1166, '2 % went with 0.26', rated(2, '01-11-2024', 0.5), SURCHARGE, rated(2, '01-11-2024', 0.26)),
  row(1165, '0 % went with 0', rated(0, '30-09-2024', 0.26), SURCHARGE, rated(0, '30-09-2024', 0)),
  row(
    1170,
    '0 % goes with 0.26 from October 2024 on',
    rated(0, '01-10-2024', 0),
    SURCHARGE,
    rated(0, '01-10-2024', 0.26),
  ),
  row(
    1277,
    '0 % went with nothing before 2023',
    rated(0, '31-12-2022', 0),
    SURCHARGE,
    rated(0, '01-01-2023', 0),
  ),
]

holdsTo('rates', RATE_CODES, RATE_ROWS)
