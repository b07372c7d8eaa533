/** Which parts of the page are to be seen, and how to get from a problem or an amount to its place. */
import { useEffect, useState } from 'preact/hooks'
import { locationsOf } from '../json/locations.ts'
import { recall, remember } from '../parts/stored.ts'
import type { Problem } from './assess/problems.ts'
import { useStable } from './parts/hooks.ts'

export type Source = 'json' | 'form'
export type Answer = 'checks' | 'paper' | 'output'

interface Range {
  readonly start: number
  readonly end: number
}

export interface Navigation {
  readonly source: Source
  readonly answer: Answer
  /** Where there is one column: the side that shows. */
  readonly side: 'source' | 'answer'
  /** What the editor is to select. */
  readonly target: Range | null
  readonly show: (id: Source | Answer) => void
  readonly goTo: (path: string) => void
  readonly goToProblem: (problem: Problem) => void
}

export function useNavigation(text: string, wide: boolean): Navigation {
  const [source, setSource] = useState<Source>(() => {
    const last = recall('localStorage', 'view')
    // On a phone nobody writes JSON.
    return last === 'json' || last === 'form' ? last : wide ? 'json' : 'form'
  })
  const [answer, setAnswer] = useState<Answer>('checks')
  const [side, setSide] = useState<'source' | 'answer'>('source')
  const [target, setTarget] = useState<Range | null>(null)
  useEffect(() => remember('localStorage', 'view', source), [source])

  const show = useStable((id: Source | Answer) => {
    if (id === 'json' || id === 'form') {
      setSource(id)
      setSide('source')
    } else {
      setAnswer(id)
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
      // The text stopped being JSON; its beginning is as good a place as any.
      select({ start: 0, end: 0 })
    }
  }
  /** To its field where the form is open and has one, else to its place in the text. */
  const toPlace = (path: string, inText: () => void) => {
    if (source !== 'form') return inText()
    show('form')
    // Once the form can be seen.
    requestAnimationFrame(() => {
      if (!focusField(path)) inText()
    })
  }
  const goTo = useStable((path: string) => toPlace(path, () => selectPath(path)))
  const goToProblem = useStable((problem: Problem) =>
    problem.code.startsWith('json.') ? select(problem) : toPlace(problem.path, () => select(problem)),
  )
  return { source, answer, side, target, show, goTo, goToProblem }
}

/** The field that writes a member, or the nearest thing to it that the form has. */
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

/** Brings the field of a member to sight and into focus; false where the form has none. */
export function focusField(path: string): boolean {
  const field = fieldOf(path)
  if (!field) return false
  field.closest('details')?.setAttribute('open', '')
  field.scrollIntoView({ block: 'center' })
  field.focus({ preventScroll: true })
  return true
}
