/** Completion of names and values from the schemas and the catalogs. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
} from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import type { Locale, Operation } from '#engine/index.ts'
import { type ChoiceContext, choicesOf } from '../messages/catalog-names.ts'
import { hasLabel, labelOf } from '../messages/field-labels.ts'
import { type CursorContext, cursorContext } from './editor-cursor.ts'
import { describe, helpNode } from './field-descriptions.ts'
import { type Member, SchemaLocation } from './schema-walk.ts'

/** The context from the page, read for each completion. */
export interface EditorFacts extends ChoiceContext {
  readonly operation: Operation
  readonly today: string
}

const REQUIRED: Readonly<Record<Locale, string>> = { en: 'required', es: 'obligatorio' }

const TEMPLATES: Readonly<Record<string, string>> = {
  object: '{ #{} }',
  array: '[#{}]',
  string: '"#{}"',
}

/** Returns a comma if another member follows. */
const commaAfter = (state: EditorState, to: number): string =>
  /^\s*"/.test(state.sliceDoc(to, to + 200)) ? ',' : ''

function nameOption(
  state: EditorState,
  place: CursorContext,
  member: Member,
  { locale }: EditorFacts,
  titles: readonly string[],
): Completion {
  const { name, required, type } = member
  const label = hasLabel(name) ? labelOf(name, locale) : ''
  const hasColon = /^\s*:/.test(state.sliceDoc(place.to, place.to + 200))
  const value = TEMPLATES[type ?? ''] ?? '#{}'
  const written = JSON.stringify(name)
  return {
    label: name,
    detail: required ? `${label} · ${REQUIRED[locale]}` : label,
    info: async () => helpNode(await describe(member, titles, locale)),
    type: required ? 'keyword' : 'property',
    boost: required ? 50 : 0,
    apply: hasColon ? written : snippet(`${written}: ${value}${commaAfter(state, place.to)}`),
  }
}

function nameOptions(state: EditorState, place: CursorContext, facts: EditorFacts): Completion[] {
  const object = SchemaLocation.at(facts.operation, place.path)
  return object
    .members()
    .filter((member) => !place.present.has(member.name))
    .map((member) => nameOption(state, place, member, facts, object.titles))
}

function valueOptions({ path }: CursorContext, facts: EditorFacts): Completion[] {
  const place = SchemaLocation.at(facts.operation, path)
  const member = path.findLast((segment) => typeof segment === 'string')
  if (member === undefined) return []
  const parent = path.slice(0, path.lastIndexOf(member)).findLast((segment) => typeof segment === 'string')
  const choices = choicesOf(member as string, facts, parent as string | undefined)
  if (choices.length > 0)
    return choices.map(({ value, name }, index) => ({
      label: JSON.stringify(value),
      detail: name,
      boost: -index / 10,
      type: 'enum',
    }))
  if (place.format === 'date') return [{ label: JSON.stringify(facts.today), type: 'constant' }]
  if (place.type === 'boolean') return ['true', 'false'].map((label) => ({ label, type: 'constant' }))
  return place.values.map((value) => ({ label: JSON.stringify(value), type: 'enum' }))
}

export const completionSource =
  (facts: () => EditorFacts) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const place = cursorContext(state, pos)
    if (!place) return null
    // Without an explicit request, only text that is being typed is completed.
    if (!explicit && place.from === pos) return null
    const options = place.kind === 'name' ? nameOptions(state, place, facts()) : valueOptions(place, facts())
    if (options.length === 0) return null
    // CodeMirror matches options with the text after `from`, which includes the opening quote.
    const quoted = place.kind === 'name' && state.sliceDoc(place.from, place.from + 1) === '"'
    const applied = quoted
      ? options.map((option) => ({
          ...option,
          label: JSON.stringify(option.label),
          displayLabel: option.label,
        }))
      : options
    return { from: place.from, to: place.to, options: applied, filter: place.from !== pos }
  }
