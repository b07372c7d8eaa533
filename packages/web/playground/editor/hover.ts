/** Shows the description of a member while the mouse pointer is on its name. */
import { syntaxTree } from '@codemirror/language'
import { hoverTooltip } from '@codemirror/view'
import { hasLabel } from '../messages/field-labels.ts'
import type { EditorFacts } from './editor-completion.ts'
import { pathOf } from './editor-cursor.ts'
import { describe, helpNode } from './field-descriptions.ts'
import { SchemaLocation } from './schema-walk.ts'

export const memberHelp = (facts: () => EditorFacts) =>
  hoverTooltip(async (view, pos) => {
    const node = syntaxTree(view.state).resolveInner(pos)
    if (node.name !== 'PropertyName') return null
    const name = view.state.sliceDoc(node.from + 1, node.to - 1)
    const { operation, locale } = facts()
    const path = pathOf(view.state, node)
    const { description } = SchemaLocation.at(operation, path)
    if (!description && !hasLabel(name)) return null
    const { titles } = SchemaLocation.at(operation, path.slice(0, -1))
    const help = await describe({ name, description }, titles, locale)
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create() {
        const dom = helpNode(help)
        dom.classList.add('cm-help')
        return { dom }
      },
    }
  })
