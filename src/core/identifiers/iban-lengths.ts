/** Lengths of IBANs (IBAN Registry and published national formats) with the countries that use them. */
const COUNTRIES: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'AX DK FI FK FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'AO CV GW LY MZ PT ST',
  26: 'DZ IR IS TR',
  27: 'BI BL CF CG CM DJ FR GA GF GP GQ GR IT KM MC MF MG MQ MR NC PF PM RE SM TD TF WF YT',
  28: 'AL AZ BF BJ BY CI CY DO GT HN HU LB MA ML NE NI PL SN SV TG',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
}

let byCountry: Map<string, number> | undefined

/** Returns the length of a country's IBAN; undefined if the country does not use IBANs. */
export function ibanLength(country: string): number | undefined {
  byCountry ??= new Map(
    Object.entries(COUNTRIES).flatMap(([length, countries]) =>
      countries.split(' ').map((one): [string, number] => [one, Number(length)]),
    ),
  )
  return byCountry.get(country)
}
