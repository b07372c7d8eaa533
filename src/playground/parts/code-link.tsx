/** A code, or words in its place, that lead to its page on the site. */
import type { ComponentChildren } from 'preact'
import { codeAddress } from '../words/code-link.ts'
import { useWords } from '../words/ui.ts'

interface CodeLinkProps {
  readonly code: string
  readonly children: ComponentChildren
}

export function CodeLink({ code, children }: CodeLinkProps) {
  const { locale } = useWords()
  const href = codeAddress(code, locale)
  if (href === undefined) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noreferrer" class="code-link">
      {children}
    </a>
  )
}
