/** The state of the page: the text, how it is checked, and what came of it. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { remember } from '../parts/stored.ts'
import { type Assessment, assess, type Seen, type Settings } from './assess/assess.ts'
import { type Change, changeText } from './document/edit.ts'
import { useStable } from './parts/hooks.ts'

export interface Start {
  readonly text: string
  readonly settings: Settings
}

export interface Workspace {
  readonly text: string
  readonly settings: Settings
  readonly assessment: Assessment
  /** `since` is when the user did what changed the text, as `performance.now()`. */
  readonly write: (text: string, since?: number) => void
  readonly change: (changes: readonly Change[]) => void
  readonly set: (changed: Partial<Settings>) => void
  /** Somebody has been at a field, or asks for everything to be checked. */
  readonly see: (path: string | 'all') => void
  /** Another invoice: nobody has been at its fields. */
  readonly begin: (text: string) => void
}

/** More measures than anybody reads; the browser would keep them for ever. */
const MOST_MEASURES = 1000

const NOTHING: Seen = new Set()

let measures = 0

/** How long it took from what the user did until the verdict was in the page. */
function measure(since: number): void {
  if (++measures % MOST_MEASURES === 0) performance.clearMeasures('cuadra:verdict')
  performance.measure('cuadra:verdict', { start: since, end: performance.now() })
}

export function useWorkspace(start: Start): Workspace {
  const [text, setText] = useState(start.text)
  const [settings, setSettings] = useState(start.settings)
  const previous = useRef<Assessment | null>(null)
  const since = useRef<number | null>(null)
  const [seen, setSeen] = useState<Seen>(NOTHING)
  const assessment = useMemo(() => {
    previous.current = assess(text, settings, previous.current, seen)
    return previous.current
  }, [text, settings, seen])

  useLayoutEffect(() => {
    if (since.current !== null) measure(since.current)
    since.current = null
  }, [assessment])

  const write = useStable((changed: string, at: number = performance.now()) => {
    since.current = at
    setText(changed)
  })
  const change = useStable((changes: readonly Change[]) => {
    try {
      write(changeText(text, changes))
    } catch {
      // The text stopped being JSON; the form says so and is shut.
    }
  })
  const set = useStable((changed: Partial<Settings>) => {
    since.current = performance.now()
    setSettings((settings) => ({ ...settings, ...changed }))
  })
  const see = useStable((path: string | 'all') =>
    setSeen((before) => {
      if (before === 'all' || path === 'all') return 'all'
      return before.has(path) ? before : new Set([...before, path])
    }),
  )
  const begin = useStable((another: string) => {
    setSeen(NOTHING)
    write(another)
  })

  // A reload must not lose what was typed; closing the tab forgets it.
  const keepText = useStable(() => remember('sessionStorage', 'text', text))
  useEffect(() => {
    const timer = setTimeout(keepText, 300)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => {
    addEventListener('pagehide', keepText)
    return () => removeEventListener('pagehide', keepText)
  }, [])
  return { text, settings, assessment, write, change, set, see, begin }
}
