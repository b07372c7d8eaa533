/** Tabs that follow the ARIA pattern: arrow keys, Home and End select a tab and open its panel. */
import { useRef } from 'preact/hooks'
import { required } from '#core/errors/index.ts'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly label: string
  /** A number next to the label, with its accessible name. */
  readonly badge?:
    | { readonly count: number; readonly kind: 'error' | 'warning'; readonly label: string }
    | undefined
}

interface TabsProps<Id extends string> {
  readonly name: string
  readonly tabs: readonly Tab<Id>[]
  readonly chosen: Id
  readonly onChoose: (id: Id) => void
  /** Whether the tabs are in a panel of other tabs. */
  readonly inner?: boolean
}

export const tabId = (id: string): string => `tab-${id}`
export const panelId = (id: string): string => `panel-${id}`

export function Tabs<Id extends string>({ name, tabs, chosen, onChoose, inner = false }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === chosen)
    const last = tabs.length - 1
    const next = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }
    const to = next[event.key as keyof typeof next]
    if (to === undefined) return
    event.preventDefault()
    onChoose(required(tabs[to]).id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <div
      class={inner ? 'tabs tabs-inner' : 'tabs'}
      role="tablist"
      aria-label={name}
      ref={list}
      onKeyDown={onKeyDown}
    >
      {tabs.map(({ id, label, badge }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={tabId(id)}
          aria-selected={id === chosen}
          aria-controls={panelId(id)}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {label}
          {badge ? (
            <span class={`badge badge-${badge.kind}`}>
              <span aria-hidden="true">{badge.count}</span>
              <span class="visually-hidden"> {badge.label}</span>
            </span>
          ) : null}
        </button>
      ))}
    </div>
  )
}
