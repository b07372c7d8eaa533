/**
 * Collects every code that cuadra returns, for the pages of the codes: codes of the engine, fiscal records, formats,
 * tax authority, server and command line. A code that is in two groups has one page.
 */
import { families } from '../docs/families.mjs'
import { path, plain, readJson } from '../docs/text.mjs'
import { moduleOf } from '../source-module.mjs'

const INTERNALS = `
export { CODES } from './packages/server/src/errors/error-codes.ts'
export { SIGNATURE_CODES } from './packages/server/src/service/received/received-signature.ts'
export { CLI_RULES } from './src/entry/cli/input/input-faults.ts'
export { cite } from './src/core/messages/index.ts'
`

/** Returns the entries of a table by code, with `message`, `fix` and `law`. */
const withMessage = (group, table) =>
  [...(table instanceof Map ? table : Object.entries(table))].map(
    ([code, { severity, message, fix, law }]) => ({ group, code, severity, message, fix, law }),
  )

/** The groups, in the order of the index. */
export const { groups: GROUPS } = readJson('scripts/site/texts.json')

/** Returns `{ entries, cite, families }`, with the entries in the order of the groups. */
export async function allCodes() {
  const { CODES, SIGNATURE_CODES, CLI_RULES, cite } = await moduleOf(INTERNALS)
  const { rules } = await import(path('dist/index.js'))
  const verifactu = await import(path('dist/verifactu/index.js'))
  const formats = await import(path('dist/formats/index.js'))
  const sii = await import(path('dist/sii/index.js'))
  const entries = [
    ...rules().map((rule) => ({ ...rule, group: 'engine' })),
    ...withMessage('record', verifactu.RECORD_CODES),
    ...withMessage('chain', verifactu.CHAIN_CODES),
    ...withMessage('sii', sii.SII_CODES),
    ...withMessage('format', { ...formats.READING_CODES, ...SIGNATURE_CODES }),
    {
      group: 'export',
      code: 'export_not_possible',
      severity: 'error',
      message: {
        en: 'The format cannot represent this invoice. `reason` in `extra` states why.',
        es: 'El formato no admite esta factura. `reason`, en `extra`, indica el motivo.',
      },
      reasons: Object.entries(formats.EXPORT_REASONS),
    },
    ...Object.values(verifactu.XML_CODES).map(({ code, en, es }) => ({
      group: 'xml',
      code,
      message: { en, es },
    })),
    ...Object.entries(CODES).map(([code, { en, es, status, reserved }]) => {
      return { group: 'server', code, status, reserved, message: { en, es } }
    }),
    ...Object.entries(CLI_RULES).map(([code, message]) => ({ group: 'cli', code, message })),
    ...[...verifactu.AUTHORITY_CODES]
      .sort((one, other) => one.code - other.code)
      .map((rule) => ({ ...rule, group: 'aeat', code: `aeat.${rule.code}` })),
    ...sii.SII_ERROR_CODES.map(({ code, effect, text: message }) => {
      return { group: 'aeat-sii', code: `sii.${code}`, effect, message }
    }),
  ]
  return { entries, cite, families: await families() }
}

/** Replaces `{}` in a text by a value. */
export const filled = (text, value) => text.replace('{}', () => value)

/** Returns the effect of a code of the authority, as a text. */
export const effectOf = ({ effect, needs_subsanacion }, messages) =>
  [
    messages.effects[effect] ?? effect,
    needs_subsanacion === undefined ? null : messages.correction[Number(needs_subsanacion)],
  ]
    .filter(Boolean)
    .join('; ')

/** Returns a text on whether a code of the authority is checked offline, or why it is not. */
export const offlineOf = ({ offline, partly, why }, messages, locale) =>
  offline
    ? partly
      ? filled(messages.part, plain(partly[locale]))
      : messages.yes
    : filled(messages.no, plain(why[locale]))
