/** XML reading, writing and validation by shape: see `shapes.ts`. */

export { attachedInvoice } from './embedded-xml.ts'
export {
  type Decoded,
  decodeXml,
  type EncodingProblem,
  type EncodingProblemKind,
  MAX_XML_BYTES,
} from './encoding.ts'
export { PlainReader, type PlainStart, plainStarts, skipBlanks, skipComments } from './plain-xml.ts'
export { readStrict, type StrictReading } from './read-strict.ts'
export {
  readXml,
  type XmlElement,
  type XmlProblem,
  XmlReader,
} from './read-xml.ts'
export { rootOf, type XmlRoot } from './root.ts'
export { type Member, type Root, type Shapes, type Type, type Vocabulary, vocabularyOf } from './shapes.ts'
export { type Fault, type FaultReading, readFault, SOAP_NAMESPACE, withFault } from './soap.ts'
export type { DocumentProblem, DocumentProblemKind } from './strict.ts'
export {
  TEXT,
  type Violation,
  type ViolationKind,
  violationsOf,
  type XmlProblemKind,
} from './validate-xml.ts'
export { type DocumentOptions, type WriteOptions, writeXml, XmlWriteError } from './write-xml.ts'
export { type ElementPosition, type Position, positionsOf } from './xml-positions.ts'
export { firstForbiddenCharacter } from './xml-text.ts'
