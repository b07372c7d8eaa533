/** A text that was made, to be read, copied or saved. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Quiet } from '../../parts/parts.tsx'
import { save } from '../interchange/save.ts'
import { useCopy } from '../parts/use-copy.ts'
import { useWords } from '../words/ui.ts'
import { outputWords } from './words.ts'

/** More than anybody reads; a longer one would only make the page slow. */
const MOST = 200_000

interface PanelProps {
  readonly title: string
  readonly note: string
  readonly text: string
  readonly file: string
  readonly type: string
  /** What is saved, where that is not the text. */
  readonly saved?: string
  /** The text is one line, under a drawing of it where there is one. */
  readonly line?: boolean
  readonly children?: ComponentChildren
}

export function Panel(props: PanelProps) {
  const { title, note, text, file, type, saved = text, line = false, children } = props
  const own = outputWords[useWords().locale]
  const shown = useRef<HTMLPreElement & HTMLParagraphElement>(null)
  const { copied, copy } = useCopy(text, () => {
    if (shown.current) getSelection()?.selectAllChildren(shown.current)
  })
  return (
    <section class="made" aria-label={title}>
      <div class="made-top">
        <h2>{title}</h2>
        <div class="made-actions">
          <Quiet aria-label={own.copyOf(title)} onClick={copy}>
            {copied ? own.copied : own.copy}
          </Quiet>
          <Quiet aria-label={own.downloadOf(title)} onClick={() => save(saved, file, type)}>
            {own.download}
          </Quiet>
          <span class="unseen" role="status">
            {copied ? own.copied : ''}
          </span>
        </div>
      </div>
      {note ? <p class="hint">{note}</p> : null}
      {children}
      {line ? (
        <p ref={shown} class="made-line">
          {text}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        <pre ref={shown} class="made-text" tabIndex={0}>
          {text.slice(0, MOST)}
        </pre>
      )}
      {text.length > MOST ? <p class="hint">{own.cut}</p> : null}
    </section>
  )
}
