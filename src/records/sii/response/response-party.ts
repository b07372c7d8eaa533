/** The other party of an invoice in queries. */
import { checkMembers } from '../../fiscal/check-options.ts'

export type SiiParty = { readonly name: string } & (
  | { readonly nif: string }
  | { readonly id: { readonly country?: string; readonly type: string; readonly number: string } }
)

export const partyOf = (party: SiiParty) => ({
  NombreRazon: party.name,
  ...('nif' in party
    ? { NIF: party.nif }
    : {
        IDOtro: {
          ...(party.id.country === undefined ? {} : { CodigoPais: party.id.country }),
          IDType: party.id.type,
          ID: party.id.number,
        },
      }),
})

/** Checks the names and types of the members. Throws a `TypeError` for an unknown name or a wrong type. */
export function checkParty(counterparty: SiiParty): void {
  checkMembers(counterparty, { name: 'text', nif: 'text', id: 'object' }, '"counterparty"')
  if ('nif' in counterparty) return
  checkMembers(counterparty.id, { country: 'text', type: 'text', number: 'text' }, '"id" of "counterparty"')
}
