/**
 * Describes the invoicing software that generates the records, from its responsible declaration (art. 13 RD 1007/2023).
 */
import { readFileSync } from 'node:fs'
import { codeOf, messageOf } from 'cuadra-storage/storage-faults.ts'
import {
  type ResponsibleDeclaration,
  type SistemaInformatico,
  systemBlock,
} from '#records/verifactu/index.ts'
import { ConfigError } from './config.ts'

/** A fictitious declaration, for the simulator only. */
const DEMONSTRATION: ResponsibleDeclaration = {
  system_name: 'cuadra',
  system_id: 'CU',
  version: '0.1.0',
  components: 'cuadra reference server',
  verifactu_only: false,
  multi_taxpayer: true,
  signature_types: 'XAdES Enveloped',
  producer_name: 'Programas Ficticios, S.L.',
  producer_nif: 'B12345674',
  producer_address: 'Calle Mayor, 1, 28013 Madrid',
  date: '2026-11-21',
  place: 'Madrid, España',
}

/** The invoicing software of this installation. */
export interface InvoicingSystem {
  /** Whether the producer declares that the software supports several taxpayers. */
  readonly multiTaxpayer: boolean
  /**
   * Returns the `SistemaInformatico` block for records of a company. Each company has its own installation number,
   * which changes if the company is created again elsewhere. Throws a `DeclarationError` if `severalTaxpayers` is set
   * but the software is declared for a single taxpayer.
   */
  readonly block: (companyId: string, severalTaxpayers: boolean) => SistemaInformatico
}

/** Reads the declaration. Throws a `ConfigError` if it is missing or invalid. */
export function readSystem(declarationFile: string | undefined, installation: string): InvoicingSystem {
  try {
    const declaration =
      declarationFile === undefined
        ? DEMONSTRATION
        : (JSON.parse(readFileSync(declarationFile, 'utf8')) as ResponsibleDeclaration)
    const blockFor = (several_taxpayers: boolean) =>
      systemBlock(declaration, { number: installation, several_taxpayers })
    // The block is built at start, so that an invalid declaration is reported before the first invoice.
    const forOne = blockFor(false)
    const forSeveral = declaration.multi_taxpayer ? blockFor(true) : undefined
    return {
      multiTaxpayer: declaration.multi_taxpayer,
      block: (companyId, severalTaxpayers) => ({
        ...(severalTaxpayers ? (forSeveral ?? blockFor(true)) : forOne),
        NumeroInstalacion: `${installation}-${companyId}`,
      }),
    }
  } catch (error) {
    const reason =
      codeOf(error) === 'ENOENT'
        ? `${declarationFile} is not there. Give the JSON file with your responsible declaration.`
        : messageOf(error)
    throw new ConfigError([`CUADRA_DECLARATION: ${reason}`])
  }
}
