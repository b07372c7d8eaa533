/** The editor component. CodeMirror is a separate file, loaded after the first result. */
import type { Diagnostic } from '@codemirror/lint'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Fix, Problem } from '../assess/assess-problems.ts'
import { fixName } from '../messages/fix-name.ts'
import { type UiMessages, useMessages } from '../messages/ui.ts'
import type { EditorFacts } from './editor-completion.ts'
import type { EditorHandle } from './mount.ts'

const loading = import('./mount.ts')

export interface EditorProps {
  readonly text: string
  readonly problems: readonly Problem[]
  readonly facts: EditorFacts
  readonly visible: boolean
  readonly onText: (text: string, since: number) => void
  readonly onFix: (path: string, fix: Fix) => void
  /** Range to select when the editor is ready. */
  readonly target: { readonly start: number; readonly end: number } | null
}

export function Editor({ text, problems, facts, visible, onText, onFix, target }: EditorProps) {
  const { messages } = useMessages()
  const host = useRef<HTMLDivElement>(null)
  const handle = useRef<EditorHandle>(null)
  const latest = useRef({ facts, text, onText })
  latest.current = { facts, text, onText }
  const [ready, setReady] = useState(false)

  useEffect(() => {
    let unmounted = false
    loading.then(({ mountEditor }) => {
      if (unmounted || !host.current) return
      handle.current = mountEditor(host.current, {
        text: latest.current.text,
        name: messages.editorName,
        facts: () => latest.current.facts,
        onText: (changed, since) => latest.current.onText(changed, since),
      })
      setReady(true)
    })
    return () => {
      unmounted = true
    }
  }, [])

  useLayoutEffect(() => handle.current?.setText(text), [text, ready])
  useEffect(() => {
    if (ready) handle.current?.setProblems(diagnosticsOf(problems, messages, onFix))
  }, [problems, ready, messages, onFix])
  useEffect(() => handle.current?.setName(messages.editorName), [messages])
  useEffect(() => {
    if (visible) handle.current?.measure()
  }, [visible])
  useLayoutEffect(() => {
    if (target && ready) handle.current?.select(target.start, target.end)
  }, [target, ready])

  return (
    <div class="editor">
      <div class="editor-host" ref={host} />
      {ready ? null : <pre class="editor-waiting">{text.slice(0, 5000)}</pre>}
      <p class="editor-hint">
        <kbd>{messages.editorHint[0]}</kbd> {messages.editorHint[1]} <kbd>{messages.editorHint[2]}</kbd>{' '}
        {messages.editorHint[3]} <kbd>{messages.editorHint[4]}</kbd> {messages.editorHint[5]}
      </p>
    </div>
  )
}

/** Maximum number of marked problems, because more marks would slow the editor down. The list shows all problems. */
const MAX_MARKS = 200

export const diagnosticsOf = (
  problems: readonly Problem[],
  messages: UiMessages,
  onFix: (path: string, fix: Fix) => void,
): Diagnostic[] =>
  problems.slice(0, MAX_MARKS).map((problem) => ({
    from: problem.start,
    to: problem.end,
    severity: problem.severity,
    source: [problem.code, problem.law].filter(Boolean).join(' · '),
    message: [`${messages[problem.severity]}: ${problem.message}`, problem.fix].filter(Boolean).join('\n'),
    actions: problem.fixes.map((fix) => ({
      name: fixName(fix, messages, String),
      apply: () => onFix(problem.path, fix),
    })),
  }))
