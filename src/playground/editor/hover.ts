/** What a member means, when the pointer rests on its name. */
import { syntaxTree } from '@codemirror/language'
import { hoverTooltip } from '@codemirror/view'
import { hasLabel, labelOf } from '../words/labels.ts'
import type { EditorFacts } from './completion.ts'
import { pathOf } from './cursor.ts'
import { Place } from './schema-walk.ts'

export const memberHelp = (facts: () => EditorFacts) =>
  hoverTooltip((view, pos) => {
    const node = syntaxTree(view.state).resolveInner(pos)
    if (node.name !== 'PropertyName') return null
    const name = view.state.sliceDoc(node.from + 1, node.to - 1)
    const { operation, locale } = facts()
    const { description } = Place.at(operation, pathOf(view.state, node))
    if (!description && !hasLabel(name)) return null
    return {
      pos: node.from,
      end: node.to,
      above: true,
      create() {
        const dom = document.createElement('div')
        dom.className = 'cm-help'
        const title = document.createElement('strong')
        title.textContent = labelOf(name, locale)
        dom.append(title, ...(description ? [document.createElement('br'), description] : []))
        return { dom }
      },
    }
  })
