/** A value that follows another one at leisure, and at once when the page is about to be printed. */
import { useEffect, useRef, useState } from 'preact/hooks'

export function useLater<T>(value: T, milliseconds: number): T {
  const [late, setLate] = useState(value)
  const latest = useRef(value)
  latest.current = value
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  useEffect(() => {
    const hurry = () => setLate(latest.current)
    addEventListener('beforeprint', hurry)
    return () => removeEventListener('beforeprint', hurry)
  }, [])
  return late
}
