/** The official schemas and samples, if the reference folder exists; a user's clone works without them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SOAP_NAMESPACE } from '#core/xml/index.ts'
import { schemaOf, type Validate } from '../../official-schema.ts'
import { shared } from '../../shared.ts'
import type { Loose } from './invoices.ts'

const reference = fileURLToPath(shared('reference/sii/'))
const folder = `${reference}xsd/`

const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/ssii/fact/ws/'

/** The envelope with any official message inside. */
const ENVELOPE = `<schema xmlns="http://www.w3.org/2001/XMLSchema" targetNamespace="${SOAP_NAMESPACE}" elementFormDefault="qualified">
${['SuministroLR', 'RespuestaSuministro', 'ConsultaLR', 'RespuestaConsultaLR']
  .map((name) => `<import namespace="${BASE}${name}.xsd" schemaLocation="${name}.xsd"/>`)
  .join('')}
<element name="Envelope"><complexType><sequence>
<element name="Header" minOccurs="0"><complexType/></element>
<element name="Body"><complexType><sequence><any namespace="##other" processContents="strict"/></sequence></complexType></element>
</sequence></complexType></element></schema>`

/** Any message, query or answer, with or without the SOAP envelope. Null without the reference folder. */
export const officialSchema: (() => Validate) | null = existsSync(`${folder}SuministroLR.xsd`)
  ? () => schemaOf(folder, 'all.xsd', ENVELOPE)
  : null

/** Sample messages of the reference by name; none without the reference folder. */
export const samples: Readonly<Record<string, string>> = existsSync(`${reference}samples`)
  ? Object.fromEntries(
      readdirSync(`${reference}samples`).map((name) => [
        name.replace('.xml', ''),
        readFileSync(`${reference}samples/${name}`, 'utf8'),
      ]),
    )
  : {}

/** Worked deadlines of the reference; null without the reference folder. */
export const deadlineExamples: readonly Record<string, Loose>[] | null = existsSync(
  `${reference}deadline-examples.json`,
)
  ? JSON.parse(readFileSync(`${reference}deadline-examples.json`, 'utf8'))
  : null
