/** Facturae 3.2, 3.2.1 and 3.2.2. */
import type { Format } from '../model/index.ts'

const NAMESPACES = {
  facturae_3_2_2: 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml',
  facturae_3_2_1: 'http://www.facturae.es/Facturae/2014/v3.2.1/Facturae',
  facturae_3_2: 'http://www.facturae.es/Facturae/2009/v3.2/Facturae',
} as const

const format = (code: keyof typeof NAMESPACES): Format => ({
  code,
  roots: [{ name: 'Facturae', namespace: NAMESPACES[code] }],
  vocabulary: () => {
    throw new Error('shapes')
  },
  read: () => null,
})

export const facturae322 = format('facturae_3_2_2')
export const facturae321 = format('facturae_3_2_1')
export const facturae32 = format('facturae_3_2')
