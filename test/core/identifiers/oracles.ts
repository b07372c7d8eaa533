/** The two public libraries with one signature: body without prefix in, result out. */
import * as jsvat from 'jsvat'
import { stdnum } from 'stdnum'
import { required } from '#core/errors/index.ts'

const COUNTRIES: Readonly<Record<string, jsvat.Country>> = {
  AT: jsvat.austria,
  BE: jsvat.belgium,
  BG: jsvat.bulgaria,
  CY: jsvat.cyprus,
  CZ: jsvat.czechRepublic,
  DE: jsvat.germany,
  DK: jsvat.denmark,
  EE: jsvat.estonia,
  EL: jsvat.greece,
  ES: jsvat.spain,
  FI: jsvat.finland,
  FR: jsvat.france,
  HR: jsvat.croatia,
  HU: jsvat.hungary,
  IE: jsvat.ireland,
  IT: jsvat.italy,
  LT: jsvat.lithuania,
  LU: jsvat.luxembourg,
  LV: jsvat.latvia,
  MT: jsvat.malta,
  NL: jsvat.netherlands,
  PL: jsvat.poland,
  PT: jsvat.portugal,
  RO: jsvat.romania,
  SE: jsvat.sweden,
  SI: jsvat.slovenia,
  SK: jsvat.slovakiaRepublic,
  XI: jsvat.unitedKingdom,
}

const { AT, BE, BG, CY, CZ, DE, DK, EE, ES, FI, FR, GB, GR, HR, HU, IE, IT } = stdnum
const { LT, LU, LV, MT, NL, PL, PT, RO, SE, SI, SK } = stdnum

const VALIDATORS: Readonly<Record<string, { validate(value: string): { isValid: boolean } } | undefined>> = {
  AT: AT?.uid,
  BE: BE?.vat,
  BG: BG?.vat,
  CY: CY?.vat,
  CZ: CZ?.dic,
  DE: DE?.vat,
  DK: DK?.cvr,
  EE: EE?.kmkr,
  EL: GR?.vat,
  ES: ES?.nif,
  FI: FI?.alv,
  FR: FR?.tva,
  HR: HR?.oib,
  HU: HU?.anum,
  IE: IE?.vat,
  IT: IT?.iva,
  LT: LT?.pvm,
  LU: LU?.tva,
  LV: LV?.pvn,
  MT: MT?.vat,
  NL: NL?.btw,
  PL: PL?.nip,
  PT: PT?.nif,
  RO: RO?.cif,
  SE: SE?.vat,
  SI: SI?.ddv,
  SK: SK?.dph,
  XI: GB?.vat,
}

export type Library = 'jsvat' | 'stdnum'

export const oracle: Readonly<Record<Library, (prefix: string, body: string) => boolean>> = {
  jsvat: (prefix, body) => {
    const own = prefix === 'XI' ? 'GB' : prefix
    return jsvat.checkVAT(own + body, [required(COUNTRIES[prefix])]).isValid
  },
  stdnum: (prefix, body) => required(VALIDATORS[prefix]).validate(body).isValid,
}
