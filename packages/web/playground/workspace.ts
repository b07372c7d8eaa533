/** The state of the page: text, settings and the result of the check. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { storeText } from '../parts/stored.ts'
import { type Assessment, assessText, type Settings, type VisitedFields } from './assess/assess.ts'
import { applyChanges, type Change, type Move, moveMember } from './document/edit-document.ts'
import { useStableCallback } from './parts/hooks.ts'

export interface Start {
  readonly text: string
  readonly settings: Settings
}

export interface Workspace {
  readonly text: string
  readonly settings: Settings
  readonly assessment: Assessment
  /** Changes the text. `since` is the time of the user's action, from `performance.now()`. */
  readonly write: (text: string, since?: number) => void
  readonly change: (changes: readonly Change[]) => void
  /** Renames or moves a member with its value. */
  readonly move: (move: Move) => void
  readonly set: (changed: Partial<Settings>) => void
  /** Marks a field or all fields as visited, so that their problems are shown. */
  readonly visit: (path: string | 'all') => void
  /** Replaces the invoice. All fields of the new invoice are unvisited. */
  readonly replaceText: (text: string) => void
}

/** Maximum number of performance measures to keep, because browsers never delete them. */
const MAX_MEASURES = 1000

const NOTHING: VisitedFields = new Set()

let measures = 0

/** Records the time from the user's action until the result is on the page. */
function measure(since: number): void {
  if (++measures % MAX_MEASURES === 0) performance.clearMeasures('cuadra:check')
  performance.measure('cuadra:check', { start: since, end: performance.now() })
}

export function useWorkspace(start: Start): Workspace {
  const [text, setText] = useState(start.text)
  const [settings, setSettings] = useState(start.settings)
  const previous = useRef<Assessment | null>(null)
  const since = useRef<number | null>(null)
  const [visited, setVisited] = useState<VisitedFields>(NOTHING)
  const assessment = useMemo(() => {
    previous.current = assessText(text, settings, previous.current, visited)
    return previous.current
  }, [text, settings, visited])

  useLayoutEffect(() => {
    if (since.current !== null) measure(since.current)
    since.current = null
  }, [assessment])

  const write = useStableCallback((changed: string, at: number = performance.now()) => {
    since.current = at
    setText(changed)
  })
  const edit = (edited: () => string) => {
    try {
      write(edited())
    } catch {
      // The text is no longer valid JSON. The form is disabled and shows the reason.
    }
  }
  const change = useStableCallback((changes: readonly Change[]) => edit(() => applyChanges(text, changes)))
  const move = useStableCallback((moved: Move) => edit(() => moveMember(text, moved)))
  const set = useStableCallback((changed: Partial<Settings>) => {
    since.current = performance.now()
    setSettings((settings) => ({ ...settings, ...changed }))
  })
  const visit = useStableCallback((path: string | 'all') =>
    setVisited((before) => {
      if (before === 'all' || path === 'all') return 'all'
      return before.has(path) ? before : new Set([...before, path])
    }),
  )
  const replaceText = useStableCallback((another: string) => {
    setVisited(NOTHING)
    write(another)
  })

  // The text is kept after a reload, until the tab is closed.
  const keepText = useStableCallback(() => storeText('sessionStorage', 'text', text))
  useEffect(() => {
    const timer = setTimeout(keepText, 300)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    addEventListener('pagehide', keepText)
    return () => removeEventListener('pagehide', keepText)
  }, [])
  return { text, settings, assessment, write, change, move, set, visit, replaceText }
}
