/** Shapes that have a name: `components/schemas` of the OpenAPI document. */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { ValidationItem as Item } from '../../invoice/index.ts'
import { invoiceSchemas } from './invoice-schemas.ts'
import { object } from './kinds.ts'

const declared: Record<string, TSchema> = {}

/**
 * All shapes by name, those of the canonical invoice first. Import this from `schemas.ts`, which loads all files that
 * declare any, in this order.
 */
export const allComponents = (): Readonly<Record<string, TSchema>> => ({ ...invoiceSchemas(), ...declared })

/** The component of this name, or a place in it. */
export const named = <T>(name: string) => Type.Unsafe<T>({ $ref: `#/components/schemas/${name}` })

/** Names a shape. Answers what stands for it wherever it is used. */
export function componentOf<S extends TSchema>(name: string, shape: S) {
  declared[name] = shape
  return named<Static<S>>(name)
}

/** The same of an object with these members. */
export const component = <P extends TProperties>(name: string, members: P) =>
  componentOf(name, object(members))

/** The whole document, as it is answered: with what is computed. */
export const CanonicalInvoice = named<object>('CanonicalInvoice')
export const ValidationItem = named<Item>('ValidationItem')
