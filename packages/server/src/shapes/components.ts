/** Named shapes: `components/schemas` of the OpenAPI document. */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import type { ValidationItem as Item } from '#core/invoice/index.ts'
import { object } from './builders.ts'
import { invoiceSchemas } from './invoice-schemas.ts'

const declared: Record<string, TSchema> = {}

/**
 * Returns all shapes by name, those of the canonical invoice first. Import this function from `schemas.ts`: it loads
 * the files that declare shapes, in a fixed order.
 */
export const allComponents = (): Readonly<Record<string, TSchema>> => ({ ...invoiceSchemas(), ...declared })

/** Returns a reference to a component, or to a part of a component. */
export const named = <T>(name: string) => Type.Unsafe<T>({ $ref: `#/components/schemas/${name}` })

/** Declares a named shape. Returns the reference to it. */
export function componentOf<S extends TSchema>(name: string, shape: S) {
  declared[name] = shape
  return named<Static<S>>(name)
}

/** Declares a named object with these members. */
export const component = <P extends TProperties>(name: string, members: P) =>
  componentOf(name, object(members))

/** The complete document in responses, with its computed fields. */
export const CanonicalInvoice = named<object>('CanonicalInvoice')
export const ValidationItem = named<Item>('ValidationItem')
