/** Shared components: icons, links of codes, findings, options, banners and dialogs. */
import { Component, type ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Locale, Severity } from '#engine/index.ts'
import { LinkButton } from '../../parts/page-parts.tsx'
import type { Choice } from '../messages/catalog-names.ts'
import { LocaleContext, messagesOf, useMessages } from '../messages/ui.ts'

const MARKS = {
  ok: 'M6 10.4 8.8 13 14 7',
  unfinished: 'M6 10h.2M10 10h.2M14 10h.2',
  error: 'm7 7 6 6m0-6-6 6',
  warning: 'M10 7.5v5m0 2.2v.3',
}

export const SeverityIcon = ({ severity }: { readonly severity: Severity | 'ok' | 'unfinished' }) => (
  <svg class={`icon icon-${severity}`} viewBox="0 0 20 20" aria-hidden="true">
    {severity === 'warning' ? (
      <path d="M10 1.5 19.2 18H.8Z" fill="currentColor" />
    ) : (
      <circle cx="10" cy="10" r="9" fill="currentColor" />
    )}
    <path class="icon-mark" d={MARKS[severity]} />
  </svg>
)

/** The name of a severity for screen readers. */
export const SeverityLabel = ({ severity }: { readonly severity: Severity }) => (
  <span class="visually-hidden">{useMessages().messages[severity]}: </span>
)

export function Logo() {
  return (
    <span class="logo">
      cuadra
      <span class="logo-rule" aria-hidden="true" />
    </span>
  )
}

interface CodeLinkProps {
  readonly code: string
  readonly children: ComponentChildren
}

export function CodeLink({ code, children }: CodeLinkProps) {
  const { locale } = useMessages()
  const href = codeAddress(code, locale)
  if (href === undefined) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noreferrer" class="code-link">
      {children}
    </a>
  )
}

/** Whether a code has a page on the site. Codes of the playground have no page. */
const hasPage = (code: string): boolean => /^(?:schema\.)?\w+$/.test(code)

/** Returns the address of the site, or the root of the server that serves the page. */
export function siteRoot(): string {
  const address = document.querySelector<HTMLMetaElement>('meta[name="cuadra-site"]')?.content ?? ''
  return address === '' || address.endsWith('/') ? address : `${address}/`
}

/** Returns the address of the page of a code, or `undefined` if the code has no page. */
export const codeAddress = (code: string, locale: Locale): string | undefined =>
  hasPage(code) ? `${siteRoot()}${locale === 'es' ? 'es/' : ''}codes/${encodeURIComponent(code)}` : undefined

interface FindingsProps {
  readonly label: string
  readonly of: readonly {
    readonly severity: Severity
    readonly message: string
    readonly where: ComponentChildren
  }[]
}

export const Findings = ({ label, of }: FindingsProps) => (
  <ul class="found" aria-label={label}>
    {of.map(({ severity, message, where }, at) => (
      <li key={at}>
        <SeverityIcon severity={severity} />
        <span>
          <SeverityLabel severity={severity} />
          {message} <span class="found-place">{where}</span>
        </span>
      </li>
    ))}
  </ul>
)

interface OptionsProps {
  readonly of: readonly Choice[]
  /** Serialises a value. Default `String`. */
  readonly write?: (value: Choice['value']) => string
}

export const SelectOptions = ({ of, write = String }: OptionsProps) => (
  <>
    {of.map(({ value, name }) => (
      <option key={value} value={write(value)}>
        {name}
      </option>
    ))}
  </>
)

interface BannerProps {
  readonly text: string
  readonly onDismiss: () => void
}

export const Banner = ({ text, onDismiss }: BannerProps) => (
  <p class="note note-wrong banner" role="alert">
    {text} <LinkButton onClick={onDismiss}>{useMessages().messages.dismiss}</LinkButton>
  </p>
)

export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false }

  static override getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <LocaleContext.Consumer>
        {(locale) => <p class="note">{messagesOf(locale).failure}</p>}
      </LocaleContext.Consumer>
    )
  }
}

interface DialogProps {
  /** Prefix of the ids of the elements in the dialog. */
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
