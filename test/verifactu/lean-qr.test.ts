/// <reference types="node" />
/** Tests the part of uqr in the edge file against the whole library. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { leanQr } from '../../scripts/lean-qr.mjs'

const path = fileURLToPath(new URL('index.mjs', import.meta.resolve('uqr')))
const { encode: lean } = (await import(
  /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(leanQr(readFileSync(path, 'utf8')))}`
)) as { encode: (text: string) => { data: boolean[][] } }

it('draws the same code for addresses of any length', () => {
  const service = 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=89890001K&numserie='
  for (const length of [1, 2, 30, 60, 200, 600, 1200, 1600]) {
    const url = service + 'aÑ1'.repeat(length).slice(0, length)
    expect(lean(url).data, `${length}`).toEqual(encode(url, { ecc: 'M', boostEcc: false, border: 0 }).data)
  }
})
