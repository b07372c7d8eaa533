/** XMP metadata: PDF/UA-1, and an embedded invoice (Factur-X 1.0, ZUGFeRD 2, section 6.2.3). */

export const FACTURX_FILE = 'factur-x.xml'

const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

const MEMBERS = {
  DocumentType: ['INVOICE', 'The type of the hybrid document in capital letters'],
  DocumentFileName: [FACTURX_FILE, 'The file name of the embedded XML document'],
  Version: ['1.0', 'The version of the standard of the embedded XML document'],
  ConformanceLevel: ['EN 16931', 'The conformance level of the embedded XML document'],
} as const

const property = ([name, [, description]]: [string, readonly [string, string]]): string =>
  `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`

/** Declares the identifier of PDF/UA-1, which PDF/A does not define. */
const ACCESSIBLE_SCHEMA =
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Indicates which part of ISO 14289 the file conforms to</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>'

/** Marks a file as PDF/UA-1 (ISO 14289-1, clause 5). */
export const ACCESSIBLE_METADATA =
  '<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>'

/** PDF/A requires a declaration of custom properties (ISO 19005-3, 6.6.2.3). */
const DECLARATIONS = `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag>${ACCESSIBLE_SCHEMA}<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq>${Object.entries(MEMBERS).map(property).join('')}</rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>`

const VALUES = `<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">${Object.entries(MEMBERS)
  .map(([name, [value]]) => `<fx:${name}>${value}</fx:${name}>`)
  .join('')}</rdf:Description>`

export const FACTURX_METADATA = `${DECLARATIONS}\n${VALUES}`
