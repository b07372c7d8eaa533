/** Opens the document of a new fragment, and removes a fragment and the query when the text changes. */
import { useEffect, useRef } from 'preact/hooks'
import { useStableCallback } from '../parts/hooks.ts'
import type { LinkFault } from '../start-page.ts'
import { decodeShared, type Shared } from './codec.ts'

export function useFragment(
  text: string,
  onShared: (shared: Shared) => void,
  onFault: (fault: LinkFault) => void,
): void {
  const latest = useRef(text)
  const open = useStableCallback(async () => {
    const opened = await decodeShared(location.hash.slice(1))
    if (!opened) return
    if ('fault' in opened) return onFault(opened.fault)
    latest.current = opened.shared.text
    onShared(opened.shared)
  })
  useEffect(() => {
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [])

  // After an edit, the invoice or example of the address is outdated. It is removed, so that a reload shows the edited text.
  useEffect(() => {
    if (text === latest.current) return
    latest.current = text
    if (/^#(?:z|t)=/.test(location.hash) || location.search) history.replaceState(null, '', location.pathname)
  }, [text])
}
