/**
 * Content models determine which elements may come next and which are missing. A model describes the elements that
 * remain to be read; reading an element leads to another model. In the official schemas an element never fits two
 * alternatives, so there is always exactly one next model. Each transition is derived only once.
 */
import { required } from '../errors/index.ts'
import type { Particle } from './notation.ts'

/** Name for any element that a wildcard allows. */
export const WILDCARD = '*'

export interface Model {
  /** Whether no more elements are required. */
  readonly complete: boolean
  readonly part:
    | { readonly kind: 'nothing' }
    | { readonly kind: 'element'; readonly name: string }
    | { readonly kind: 'sequence'; readonly head: Model; readonly tail: Model }
    | { readonly kind: 'choice'; readonly parts: readonly Model[] }
    | { readonly kind: 'repeat'; readonly once: Model; readonly min: number; readonly max: number }
  /** Model after each element; null if it is not allowed. */
  readonly transitions: Map<string, Model | null>
  /** Sequences of this model and another model, cached so that lists of any length share the same models. */
  readonly sequences: Map<Model, Model>
}

const model = (part: Model['part'], complete: boolean): Model => ({
  part,
  complete,
  transitions: new Map(),
  sequences: new Map(),
})

const NOTHING = model({ kind: 'nothing' }, true)

const sequence = (head: Model, tail: Model): Model => {
  if (head === NOTHING) return tail
  if (tail === NOTHING) return head
  let both = head.sequences.get(tail)
  if (!both) {
    both = model({ kind: 'sequence', head, tail }, head.complete && tail.complete)
    head.sequences.set(tail, both)
  }
  return both
}

const repeat = (once: Model, min: number, max: number): Model => {
  if (max <= 0) return NOTHING
  if (min === 1 && max === 1) return once
  return model({ kind: 'repeat', once, min, max }, min <= 0 || once.complete)
}

const UNBOUNDED = Number.POSITIVE_INFINITY

/** Returns the model of a type from its particles. */
export function modelOf(particles: readonly Particle[]): Model {
  let whole = NOTHING
  for (let i = particles.length - 1; i >= 0; i--)
    whole = sequence(particleModel(required(particles[i])), whole)
  return whole
}

function particleModel(particle: Particle): Model {
  if (!('length' in particle)) {
    const { min = 1, max = 1 } = particle
    const inner =
      'choice' in particle
        ? choiceOf(particle.choice.map(particleModel))
        : 'sequence' in particle
          ? modelOf(particle.sequence)
          : model({ kind: 'element', name: WILDCARD }, false)
    return repeat(inner, min, max ?? UNBOUNDED)
  }
  const [qualified, , min = 1, max = 1] = particle
  const name = qualified.slice(qualified.indexOf(':') + 1)
  return repeat(model({ kind: 'element', name }, false), min, max ?? UNBOUNDED)
}

const choiceOf = (parts: readonly Model[]): Model =>
  model(
    { kind: 'choice', parts },
    parts.some(({ complete }) => complete),
  )

/** Returns the model after an element; null if the element is not allowed here. */
export function advance(from: Model, name: string): Model | null {
  if (from === NOTHING) return null
  const known = from.transitions.get(name)
  if (known !== undefined) return known
  const found = derive(from, name)
  from.transitions.set(name, found)
  return found
}

/** Returns the model after the element, from the first alternative that allows it. */
function firstDerivation(parts: readonly Model[], way: (one: Model) => Model | null): Model | null {
  for (const one of parts) {
    const found = way(one)
    if (found) return found
  }
  return null
}

function derive(from: Model, name: string): Model | null {
  const { part } = from
  switch (part.kind) {
    case 'nothing':
      return null
    case 'element':
      return part.name === name ? NOTHING : null
    case 'sequence': {
      const inner = advance(part.head, name)
      if (inner) return sequence(inner, part.tail)
      return part.head.complete ? advance(part.tail, name) : null
    }
    case 'choice':
      return firstDerivation(part.parts, (one) => advance(one, name))
    case 'repeat': {
      const inner = advance(part.once, name)
      if (!inner) return null
      const rest =
        part.max === UNBOUNDED && part.min <= 0 ? from : repeat(part.once, part.min - 1, part.max - 1)
      return sequence(inner, rest)
    }
  }
}

/**
 * Returns the model after an element, even if required elements before it are missing; null if the element is no longer
 * allowed.
 */
export function skipTo(from: Model, name: string): Model | null {
  const now = advance(from, name)
  if (now) return now
  const { part } = from
  if (part.kind === 'sequence') {
    const inner = skipTo(part.head, name)
    return inner ? sequence(inner, part.tail) : skipTo(part.tail, name)
  }
  if (part.kind === 'repeat') {
    const inner = skipTo(part.once, name)
    return inner && sequence(inner, repeat(part.once, part.min - 1, part.max - 1))
  }
  return part.kind === 'choice' ? firstDerivation(part.parts, (one) => skipTo(one, name)) : null
}

/** Returns the required elements that remain, in order. Alternatives are joined: `LegalEntity|Individual`. */
export function missing(from: Model): string[] {
  if (from.complete) return []
  const { part } = from
  switch (part.kind) {
    case 'nothing':
      return []
    case 'element':
      return [part.name]
    case 'sequence':
      return [...missing(part.head), ...missing(part.tail)]
    case 'choice':
      return [part.parts.map((one) => missing(one)[0] ?? '').join('|')]
    case 'repeat':
      return missing(part.once)
  }
}

/** Returns the required elements before an element that comes later in the model. */
export function missingBefore(from: Model, name: string): string[] {
  if (advance(from, name)) return []
  const { part } = from
  switch (part.kind) {
    case 'sequence':
      return skipTo(part.head, name)
        ? missingBefore(part.head, name)
        : [...missing(part.head), ...missingBefore(part.tail, name)]
    case 'choice': {
      const way = part.parts.find((one) => skipTo(one, name))
      return way ? missingBefore(way, name) : []
    }
    case 'repeat':
      return missingBefore(part.once, name)
    default:
      return []
  }
}

/** Returns the elements that are allowed here. */
export function allowedNext(from: Model): string[] {
  const { part } = from
  switch (part.kind) {
    case 'nothing':
      return []
    case 'element':
      return part.name === WILDCARD ? [] : [part.name]
    case 'sequence':
      return part.head.complete
        ? [...allowedNext(part.head), ...allowedNext(part.tail)]
        : allowedNext(part.head)
    case 'choice':
      return part.parts.flatMap(allowedNext)
    case 'repeat':
      return allowedNext(part.once)
  }
}
