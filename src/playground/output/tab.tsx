/** The output tab. Its code is loaded when it is first opened. */
import { useEffect, useState } from 'preact/hooks'
import { useMessages } from '../messages/ui.ts'
import type { OutputProps } from './props.ts'

type LazyModule = typeof import('./output.tsx')

export function OutputTab(props: OutputProps) {
  const { messages } = useMessages()
  const [lazy, setLazy] = useState<LazyModule | 'failed' | null>(null)
  useEffect(() => {
    let gone = false
    import('./output.tsx').then(
      (module) => gone || setLazy(module),
      () => gone || setLazy('failed'),
    )
    return () => {
      gone = true
    }
  }, [])
  if (lazy === 'failed') return <p class="note note-wrong">{messages.failure}</p>
  return lazy ? <lazy.Output {...props} /> : <p class="note">{messages.loadingOutput}</p>
}
