/** Which invoicing system makes the records: its responsible declaration (art. 13 RD 1007/2023). */
import { readFileSync } from 'node:fs'
import {
  DeclarationError,
  type ResponsibleDeclaration,
  type SistemaInformatico,
  systemBlock,
} from '../verifactu/index.ts'
import { ConfigError } from './config.ts'

/** For the simulator only: nobody declares anything with it. */
const DEMONSTRATION: ResponsibleDeclaration = {
  system_name: 'cuadra',
  system_id: 'CU',
  version: '1.1',
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

/** The block of the system for every record. Throws a `ConfigError` for a declaration that is none. */
export function readSystem(declarationFile: string | undefined): SistemaInformatico {
  try {
    const declaration =
      declarationFile === undefined
        ? DEMONSTRATION
        : (JSON.parse(readFileSync(declarationFile, 'utf8')) as ResponsibleDeclaration)
    return systemBlock(declaration, { number: '1', several_taxpayers: true })
  } catch (error) {
    const reason = error instanceof DeclarationError ? error.message : (error as Error).message
    throw new ConfigError([`CUADRA_DECLARATION: ${reason}`])
  }
}
