/** Whether there is room for two columns. */
import { useEffect, useState } from 'preact/hooks'

const WIDE = '(min-width: 960px)'

export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches)
  useEffect(() => {
    const query = matchMedia(WIDE)
    const listen = () => setWide(query.matches)
    query.addEventListener('change', listen)
    return () => query.removeEventListener('change', listen)
  }, [])
  return wide
}
