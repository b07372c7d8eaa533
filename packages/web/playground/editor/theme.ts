/** The theme of the editor. It uses the custom properties of the page, which follow dark mode. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const wavy = (colour: string, style: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline ${style} ${colour} 2px`,
  textUnderlineOffset: '3px',
  textDecorationSkipInk: 'none',
  paddingBottom: '0',
})

export const theme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    fontSize: 'var(--editor-size, 13.5px)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', overflow: 'auto' },
  '.cm-content': { padding: '10px 0 40px', caretColor: 'var(--accent)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selection)',
  },
  '.cm-gutters': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink-3)',
    border: 'none',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 4px', minWidth: '30px' },
  '.cm-activeLine': { backgroundColor: 'var(--line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--line)', color: 'var(--ink)' },
  '.cm-gutter-lint': { width: '18px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 0 0 3px' },
  '.cm-lint-marker': { width: '13px', height: '13px', marginTop: '4px', content: 'none' },
  '.cm-lint-marker-error': { background: 'var(--error)', borderRadius: '50%' },
  '.cm-lint-marker-warning': { background: 'var(--warn)', clipPath: 'polygon(50% 4%, 100% 96%, 0 96%)' },
  '.cm-lintRange-error': wavy('var(--error)', 'wavy'),
  '.cm-lintRange-warning': wavy('var(--warn)', 'dotted'),
  '.cm-lintPoint:after': { borderBottomColor: 'var(--error)' },
  '.cm-lintPoint-warning:after': { borderBottomColor: 'var(--warn)' },
  '.cm-foldPlaceholder': {
    background: 'var(--line)',
    border: 'none',
    color: 'var(--ink-2)',
    padding: '0 6px',
  },
  '.cm-foldGutter .cm-gutterElement': { color: 'var(--ink-3)', cursor: 'pointer' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--selection)' },
  '.cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--rule)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)',
    fontFamily: 'var(--sans)',
    fontSize: '13.5px',
    maxWidth: 'min(460px, 90vw)',
    overflow: 'hidden',
  },
  '.cm-help': { padding: '8px 12px', lineHeight: '1.45' },
  '.cm-tooltip.cm-tooltip-autocomplete': { overflow: 'visible' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    maxHeight: '15em',
    borderRadius: '8px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px', lineHeight: '1.4' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': {
    fontFamily: 'var(--sans)',
    fontStyle: 'normal',
    color: 'var(--ink-2)',
    marginLeft: '12px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-tooltip.cm-completionInfo': { padding: '8px 12px', lineHeight: '1.45', whiteSpace: 'normal' },
  '.cm-diagnostic': {
    padding: '8px 12px',
    borderLeft: '4px solid',
    lineHeight: '1.45',
    whiteSpace: 'pre-line',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--error)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)', borderLeftStyle: 'dotted' },
  '.cm-diagnosticSource': {
    color: 'var(--ink-2)',
    opacity: '1',
    fontFamily: 'var(--mono)',
    fontSize: '12px',
  },
  '.cm-diagnosticAction': {
    background: 'var(--accent)',
    color: 'var(--on-accent)',
    borderRadius: '6px',
    padding: '3px 9px',
    font: 'inherit',
    fontWeight: '600',
  },
  '.cm-placeholder': { color: 'var(--ink-3)' },
})

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.propertyName, color: 'var(--code-name)' },
    { tag: tags.string, color: 'var(--code-text)' },
    { tag: tags.number, color: 'var(--code-number)' },
    { tag: [tags.bool, tags.null], color: 'var(--code-word)', fontWeight: '600' },
    { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-3)' },
  ]),
)
