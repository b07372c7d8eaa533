/** What was found while a file was read or written. */
import type { ValidationItem } from '../../api/index.ts'
import { SeverityIcon } from '../parts/icons.tsx'
import { useWords } from '../words/ui.ts'

interface ItemsProps {
  readonly items: readonly ValidationItem[]
  readonly label: string
}

/** Most messages say the line themselves. */
const isToSay = (line: unknown, message: string): boolean =>
  typeof line === 'number' && !message.includes(String(line))

export function Items({ items, label }: ItemsProps) {
  const { words } = useWords()
  return (
    <ul class="found" aria-label={label}>
      {items.map(({ severity, message, code, path, extra }, at) => (
        <li key={at}>
          <SeverityIcon severity={severity} />
          <span>
            <span class="unseen">{words[severity]}: </span>
            {message}{' '}
            <span class="found-place">
              {isToSay(extra?.line, message) ? `${words.line(extra!.line as number)} · ` : null}
              <code>{String(extra?.reason ?? code)}</code>
              {path ? (
                <>
                  {' · '}
                  <code>{path}</code>
                </>
              ) : null}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
