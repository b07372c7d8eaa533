/** Findings of reading or writing a file. */
import type { ValidationItem } from '#engine/index.ts'
import { useMessages } from '../messages/ui.ts'
import { Findings } from '../parts/playground-parts.tsx'

interface ItemsProps {
  readonly items: readonly ValidationItem[]
  readonly label: string
}

function ItemLocation({ of: { message, code, path, extra } }: { readonly of: ValidationItem }) {
  const { messages } = useMessages()
  const line = extra?.line
  return (
    <>
      {/* The line number is added only to the few messages that do not contain it. */}
      {typeof line === 'number' && !message.includes(String(line)) ? `${messages.line(line)} · ` : null}
      <code>{String(extra?.reason ?? code)}</code>
      {path && ' · '}
      {path && <code>{path}</code>}
    </>
  )
}

export const Items = ({ items, label }: ItemsProps) => (
  <Findings
    label={label}
    of={items.map((item, at) => ({
      severity: item.severity,
      message: item.message,
      where: <ItemLocation key={at} of={item} />,
    }))}
  />
)
