/** Hooks that several views use. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export function useCopy(text: string, select: () => void) {
  const [copied, setCopied] = useState(false)
  useEffect(() => setCopied(false), [text])
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true), select)
  return { copied, copy }
}

export function useDelayed<T>(value: T, milliseconds: number): T {
  const [delayed, setDelayed] = useState(value)
  const latest = useRef(value)
  latest.current = value
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  useEffect(() => {
    const flush = () => setDelayed(latest.current)
    addEventListener('beforeprint', flush)
    return () => removeEventListener('beforeprint', flush)
  }, [])
  return delayed
}

const WIDE = '(min-width: 960px)'

export function useIsWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches)
  useEffect(() => {
    const query = matchMedia(WIDE)
    const listen = () => setWide(query.matches)
    query.addEventListener('change', listen)
    return () => query.removeEventListener('change', listen)
  }, [])
  return wide
}

/** Returns a function that stays the same between renders and calls the latest version of `action`. */
export function useStableCallback<Values extends unknown[], Result>(
  action: (...values: Values) => Result,
): (...values: Values) => Result {
  const latest = useRef(action)
  latest.current = action
  return useCallback((...values: Values) => latest.current(...values), [])
}
