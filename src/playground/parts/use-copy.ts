/** Copies a text; where the browser refuses, selects it so that it can be copied by hand. */
import { useEffect, useState } from 'preact/hooks'

export function useCopy(text: string, select: () => void) {
  const [copied, setCopied] = useState(false)
  useEffect(() => setCopied(false), [text])
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true), select)
  return { copied, copy }
}
