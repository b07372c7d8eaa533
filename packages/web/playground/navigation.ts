/** The open tabs, and the navigation from a problem or an amount to its field or its text. */
import { useEffect, useState } from 'preact/hooks'
import { locationsOf } from '#core/json/index.ts'
import { readStored, storeText } from '../parts/stored.ts'
import type { Problem } from './assess/assess-problems.ts'
import { useStableCallback } from './parts/hooks.ts'

export type SourceTab = 'json' | 'form'
export type ResultTab = 'checks' | 'paper' | 'output'

interface Range {
  readonly start: number
  readonly end: number
}

export interface Navigation {
  readonly source: SourceTab
  readonly result: ResultTab
  /** The visible side if the page has one column. */
  readonly side: 'source' | 'answer'
  /** Range for the editor to select. */
  readonly target: Range | null
  readonly show: (id: SourceTab | ResultTab) => void
  readonly goTo: (path: string) => void
  readonly goToProblem: (problem: Problem) => void
}

export function useNavigation(text: string, wide: boolean): Navigation {
  const [source, setSource] = useState<SourceTab>(() => {
    const last = readStored('localStorage', 'view')
    // On a narrow screen, the form is the default, because it is easier to use than JSON.
    return last === 'json' || last === 'form' ? last : wide ? 'json' : 'form'
  })
  const [result, setResult] = useState<ResultTab>('checks')
  const [side, setSide] = useState<'source' | 'answer'>('source')
  const [target, setTarget] = useState<Range | null>(null)
  useEffect(() => storeText('localStorage', 'view', source), [source])

  const show = useStableCallback((id: SourceTab | ResultTab) => {
    if (id === 'json' || id === 'form') {
      setSource(id)
      setSide('source')
    } else {
      setResult(id)
      setSide('answer')
    }
  })
  const select = ({ start, end }: Range) => {
    show('json')
    setTarget({ start, end })
  }
  const selectPath = (path: string) => {
    try {
      select(locationsOf(text, [path]).get(path)!)
    } catch {
      // The text is no longer valid JSON, so its beginning is selected.
      select({ start: 0, end: 0 })
    }
  }
  /** Focuses the field if the form is open and contains it. Otherwise calls `inText`, which selects the text. */
  const goToField = (path: string, inText: () => void) => {
    if (source !== 'form') return inText()
    show('form')
    // Wait until the form is visible.
    requestAnimationFrame(() => {
      if (!focusField(path)) inText()
    })
  }
  const goTo = useStableCallback((path: string) => goToField(path, () => selectPath(path)))
  const goToProblem = useStableCallback((problem: Problem) =>
    problem.code.startsWith('json.') ? select(problem) : goToField(problem.path, () => select(problem)),
  )
  return { source, result, side, target, show, goTo, goToProblem }
}

/** Returns the field of a path, or the nearest field in the form. */
function fieldOf(path: string): HTMLElement | null {
  for (let at = path; at.split('/').length > 2; at = at.slice(0, at.lastIndexOf('/'))) {
    const own = CSS.escape(at)
    const field = document.querySelector<HTMLElement>(
      `.form [data-path="${own}"], .form [data-path^="${CSS.escape(`${at}/`)}"]`,
    )
    if (field) return field
  }
  return null
}

/** Scrolls to the field of a path and focuses it. Returns false if the form has no such field. */
export function focusField(path: string): boolean {
  const field = fieldOf(path)
  if (!field) return false
  field.closest('details')?.setAttribute('open', '')
  field.scrollIntoView({ block: 'center' })
  field.focus({ preventScroll: true })
  return true
}
