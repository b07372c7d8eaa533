/** The output tab: what the engine and the fiscal records make of the invoice. Loaded when it is looked at first. */
import { useEffect, useState } from 'preact/hooks'
import { useMessages } from '../messages/ui.ts'
import type { OutputProps } from './props.ts'

type Later = typeof import('./output.tsx')

export function OutputTab(props: OutputProps) {
  const { messages } = useMessages()
  const [later, setLater] = useState<Later | 'failed' | null>(null)
  useEffect(() => {
    let gone = false
    import('./output.tsx').then(
      (module) => gone || setLater(module),
      () => gone || setLater('failed'),
    )
    return () => {
      gone = true
    }
  }, [])
  if (later === 'failed') return <p class="note note-wrong">{messages.failure}</p>
  return later ? <later.Output {...props} /> : <p class="note">{messages.loadingOutput}</p>
}
