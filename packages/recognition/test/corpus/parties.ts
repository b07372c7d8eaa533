/** Fictitious companies and people, with valid ids and accounts. */
import parties from './sales/parties.json' with { type: 'json' }

const { ours, ...suppliers } = parties

/** The company that receives the documents: the customer of nearly all of them. */
export const OURS = ours

export const SUPPLIERS = suppliers
