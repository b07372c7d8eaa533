/** A dialog over the page: open as long as it is drawn. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  /** Begins the ids of its parts. */
  readonly id: string
  readonly title: string
  readonly class?: string
  readonly onClose: () => void
  readonly children: (close: () => void) => ComponentChildren
}

export function Dialog({ id, title, class: kind = '', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class={`dialog ${kind}`.trim()} aria-labelledby={`${id}-title`} onClose={onClose}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children(() => dialog.current?.close())}
    </dialog>
  )
}
