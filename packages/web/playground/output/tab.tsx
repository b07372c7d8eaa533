/** The output tab. Its code is loaded when it is first opened. */
import { useEffect, useState } from 'preact/hooks'
import { useMessages } from '../messages/ui.ts'
import type { OutputProps } from './props.ts'

type LazyModule = typeof import('./output.tsx')

export function OutputTab(props: OutputProps) {
  const { messages } = useMessages()
  const [lazy, setLazy] = useState<LazyModule | 'failed' | null>(null)
  useEffect(() => {
    let unmounted = false
    import('./output.tsx').then(
      (module) => unmounted || setLazy(module),
      () => unmounted || setLazy('failed'),
    )
    return () => {
      unmounted = true
    }
  }, [])
  if (lazy === 'failed') return <p class="note note-wrong">{messages.failure}</p>
  return lazy ? <lazy.Output {...props} /> : <p class="note">{messages.loadingOutput}</p>
}
