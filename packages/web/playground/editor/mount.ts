/**
 * Mounts CodeMirror in a shadow root. There, its styles are constructed style sheets, so the page can forbid inline
 * styles.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, Transaction } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { Locale } from '#engine/index.ts'
import { SPANISH } from '../generated/texts/editor.ts'
import { completionSource, type EditorFacts } from './editor-completion.ts'
import { memberHelp } from './hover.ts'
import { colours, theme } from './theme.ts'

export interface EditorSettings {
  readonly text: string
  readonly name: string
  readonly facts: () => EditorFacts
  /** Called after the user changes the text. `since` is the time of the change, as `performance.now()`. */
  readonly onText: (text: string, since: number) => void
}

export interface EditorHandle {
  setText(text: string): void
  setProblems(problems: readonly Diagnostic[]): void
  setName(name: string): void
  select(start: number, end: number): void
  /** Measures the layout again after the editor was hidden. */
  measure(): void
}

/** Returns the smallest replacement between two texts, so that the cursor and the marks keep their positions. */
function difference(from: string, to: string) {
  const most = Math.min(from.length, to.length)
  let start = 0
  while (start < most && from.charCodeAt(start) === to.charCodeAt(start)) start++
  let tail = 0
  while (
    tail < most - start &&
    from.charCodeAt(from.length - 1 - tail) === to.charCodeAt(to.length - 1 - tail)
  )
    tail++
  return { from: start, to: from.length - tail, insert: to.slice(start, to.length - tail) }
}

const labelled = (name: string, settings: EditorSettings) => [
  EditorView.contentAttributes.of({ 'aria-label': name, tabindex: '0' }),
  EditorState.phrases.of(phrasesOf(settings.facts().locale)),
]

const features = (settings: EditorSettings) => [
  lineNumbers(),
  lintGutter(),
  foldGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  drawSelection(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  json(),
  autocompletion({ override: [completionSource(settings.facts)], icons: false, defaultKeymap: false }),
  memberHelp(settings.facts),
  EditorView.lineWrapping,
  theme,
  colours,
  keymap.of([
    // Escape closes the suggestions, and the next Tab leaves the editor.
    { key: 'Escape', run: (view) => closeCompletion(view) && false },
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...foldKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
]

export function mountEditor(host: HTMLElement, settings: EditorSettings): EditorHandle {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  root.replaceChildren()
  const names = new Compartment()
  let since = 0
  let shown = settings.text
  let marked = 0
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: settings.text,
      extensions: [
        ...features(settings),
        names.of(labelled(settings.name, settings)),
        EditorView.domEventHandlers({
          beforeinput: ({ timeStamp }) => {
            since = timeStamp
            return false
          },
        }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return
          const text = update.state.doc.toString()
          if (text === shown) return
          shown = text
          const now = performance.now()
          settings.onText(text, now - since < 200 ? since : now)
        }),
      ],
    }),
  })
  return {
    setText(text) {
      if (text === shown) return
      const changes = difference(view.state.doc.toString(), text)
      shown = text
      view.dispatch({ changes, annotations: Transaction.userEvent.of('input.form') })
    },
    setProblems(problems) {
      if (problems.length === 0 && marked === 0) return
      marked = problems.length
      const end = view.state.doc.length
      const inside = problems.map((one) => ({
        ...one,
        from: Math.min(one.from, end),
        to: Math.min(one.to, end),
      }))
      view.dispatch(setDiagnostics(view.state, inside))
    },
    setName(name) {
      view.dispatch({ effects: names.reconfigure(labelled(name, settings)) })
    },
    select(start, end) {
      const length = view.state.doc.length
      const selection = { anchor: Math.min(start, length), head: Math.min(end, length) }
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) })
      view.focus()
    },
    measure() {
      view.requestMeasure()
    },
  }
}

export const phrasesOf = (locale: Locale): Readonly<Record<string, string>> =>
  locale === 'es' ? SPANISH : {}
