/** Facturae 3.2, 3.2.1 and 3.2.2 (Orden HAP/1074/2014; `facturae.gob.es`). */
import type { Format } from '../model/index.ts'
import { type FacturaeCode, vocabulary } from './facturae-vocabulary.ts'
import { invoicesOf, readFacturae } from './read-facturae.ts'
import { splitFacturae } from './split.ts'
import { writeFacturae } from './write-facturae.ts'

const NAMESPACES: Readonly<Record<FacturaeCode, string>> = {
  facturae_3_2_2: 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml',
  facturae_3_2_1: 'http://www.facturae.es/Facturae/2014/v3.2.1/Facturae',
  facturae_3_2: 'http://www.facturae.es/Facturae/2009/v3.2/Facturae',
}

const format = (code: FacturaeCode): Format => ({
  code,
  roots: [{ name: 'Facturae', namespace: NAMESPACES[code] }],
  vocabulary: () => vocabulary(code),
  count: (tree) => invoicesOf(tree).length,
  split: splitFacturae,
  read: (_root, tree, report, options) => readFacturae(code, tree, report, options),
})

/** The only version that is written. Only older platforms use the other versions. */
export const facturae322: Format = { ...format('facturae_3_2_2'), write: writeFacturae }
export const facturae321 = format('facturae_3_2_1')
export const facturae32 = format('facturae_3_2')
