/** A fault that is said above everything until it is dismissed. */
import { Plain } from '../../parts/parts.tsx'
import { useWords } from '../words/ui.ts'

interface BannerProps {
  readonly text: string
  readonly onDismiss: () => void
}

export const Banner = ({ text, onDismiss }: BannerProps) => (
  <p class="note note-wrong banner" role="alert">
    {text} <Plain onClick={onDismiss}>{useWords().words.dismiss}</Plain>
  </p>
)
