/** Components of all pages. Class names are from `base.css` and the style sheet of each page. */
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'

type ButtonProps = Omit<ButtonHTMLAttributes, 'type'>

export const button = (kind: string) => (props: ButtonProps) => (
  <button type="button" class={kind} {...props} />
)

export const PrimaryButton = button('primary')
export const QuietButton = button('quiet')
/** A button that looks like a link. */
export const LinkButton = button('plain')
/** A small button that applies a fix. */
export const FixButton = button('fix')

interface FactsProps {
  readonly class?: string
  readonly facts: readonly (readonly [name: string, value: ComponentChildren, tone?: string])[]
}

/** A list of names and values. */
export const DefinitionList = ({ class: kind, facts }: FactsProps) => (
  <dl class={kind}>
    {facts.map(([name, value, tone], at) => (
      <div key={at}>
        <dt class={tone}>{name}</dt>
        <dd class={tone}>{value}</dd>
      </div>
    ))}
  </dl>
)

export interface Column {
  readonly label: string
  readonly class?: string
  /** Id of the element, to which the style sheet refers. */
  readonly id?: string
}

export const TableHead = ({ columns }: { readonly columns: readonly Column[] }) => (
  <thead>
    <tr>
      {columns.map(({ id, label, class: kind }, at) => (
        <th scope="col" class={kind} data-key={id} key={at}>
          {label}
        </th>
      ))}
    </tr>
  </thead>
)

interface TableProps {
  readonly class?: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly ComponentChildren[])[]
}

export const Table = ({ class: kind, columns, rows }: TableProps) => (
  <table class={kind}>
    <TableHead columns={columns} />
    <tbody>
      {rows.map((cells, index) => (
        <tr key={index}>
          {cells.map((cell, at) => (
            <td class={columns[at]?.class} key={at}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
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
  stopped: 'bad',
  Incorrecto: 'bad',
  suspendido: 'bad',
  Fault: 'bad',
}

/** Returns the tone, and so the colour, of a state of a record or a message. */
export const toneOf = (state: string) => TONES[state] ?? 'plain'
