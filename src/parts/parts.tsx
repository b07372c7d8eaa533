/** What the pages are made of. Names of classes are those of `base.css` and of each page's own sheet. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

type ButtonProps = Omit<ButtonHTMLAttributes, 'type'>

const button = (kind: string) => (props: ButtonProps) => <button type="button" class={kind} {...props} />

export const Primary = button('primary')
export const Quiet = button('quiet')
/** A button that looks like a link. */
export const Plain = button('plain')
/** A small button for one value. */
export const Fix = button('fix')

interface FactsProps {
  readonly class?: string
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[]
}

/** Names and values. */
export const Facts = ({ class: kind, facts }: FactsProps) => (
  <dl class={kind}>
    {facts.map(([name, value], at) => (
      <div key={at}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const TONES: Readonly<Record<string, 'good' | 'wait' | 'warn' | 'bad'>> = {
  accepted: 'good',
  Correcto: 'good',
  Correcta: 'good',
  registered: 'good',
  settled: 'good',
  habilitado: 'good',
  pending: 'wait',
  sending: 'wait',
  submitted: 'wait',
  signature_pending: 'wait',
  unknown: 'wait',
  not_received: 'wait',
  accepted_with_errors: 'warn',
  partially_accepted: 'warn',
  AceptadoConErrores: 'warn',
  AceptadaConErrores: 'warn',
  ParcialmenteCorrecto: 'warn',
  failed: 'warn',
  pendiente_mandato: 'warn',
  rejected: 'bad',
  Incorrecto: 'bad',
  suspendido: 'bad',
  Fault: 'bad',
}

/** How good a state of a record or a message is. Its colour only repeats what its name says. */
export const toneOf = (state: string) => TONES[state] ?? 'plain'
