/**
 * Account structures of ISO 13616 (IBAN Registry and published national formats) by country. `n` means digits, `a`
 * letters, `c` digits or letters; the number of characters follows. A test compares them with the catalog
 * `iban-lengths` and with `ibantools`.
 */
const STRUCTURES =
  'ADn8c12 AEn3n16 ALn8c16 AOn21 ATn16 AXn14 AZa4c20 BAn16 BEn12 BFc2n22 BGa4n6c8 BHa4c14 BIn23 ' +
  'BJc2n22 BLn10c11n2 BRn23a1c1 BYa4n4c16 CFn23 CGn23 CHn5c12 CIa1n23 CMn23 CRn18 CVn21 CYn8c16 ' +
  'CZn20 DEn18 DJn23 DKn14 DOa4n20 DZn22 EEn16 EGn25 ESn20 FIn14 FKa2n12 FOn14 FRn10c11n2 GAn23 ' +
  'GBa4n14 GEc2n16 GFn10c11n2 GIa4c15 GLn14 GPn10c11n2 GQn23 GRn7c16 GTc24 GWa2n19 HNa4n20 HRn17 ' +
  'HUn24 IEc4n14 ILn19 IQa4n15 IRn22 ISn22 ITa1n10c12 JOa4n4c18 KMn23 KWa4c22 KZn3c13 LBn4c20 ' +
  'LCa4c24 LIn5c12 LTn16 LUn3c13 LVa4c13 LYn21 MAn24 MCn10c11n2 MDc2c18 MEn18 MFn10c11n2 MGn23 ' +
  'MKn3c10n2 MLc2n22 MNn16 MQn10c11n2 MRn23 MTa4n5c18 MUa4n19a3 MZn21 NCn10c11n2 NEa2n22 NIa4n20 ' +
  'NLa4n10 NOn11 OMn3c16 PFn10c11n2 PKc4n16 PLn24 PMn10c11n2 PSc4n21 PTn21 QAa4c21 REn10c11n2 ' +
  'ROa4c16 RSn18 RUn14c15 SAn2c18 SCa4n20a3 SDn14 SEn20 SIn15 SKn20 SMa1n10c12 SNa2n22 SOn19 STn21 ' +
  'SVa4n20 TDn23 TFn10c11n2 TGa2n22 TLn19 TNn20 TRn5c17 UAn6c19 VAn18 VGc4n16 WFn10c11n2 XKn16 ' +
  'YEa4n4c18 YTn10c11n2'

let byCountry: Map<string, string> | undefined

/**
 * Returns the structure of a country's account number, `n20` for Spain; `undefined` if the country does not use IBANs.
 */
export function ibanStructure(country: string): string | undefined {
  byCountry ??= new Map(STRUCTURES.split(' ').map((entry) => [entry.slice(0, 2), entry.slice(2)]))
  return byCountry.get(country)
}
