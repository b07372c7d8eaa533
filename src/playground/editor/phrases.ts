/** What CodeMirror itself says, in Spanish. */
import type { Locale } from '../../api/index.ts'

const SPANISH = {
  'Fold line': 'Plegar la línea',
  'Unfold line': 'Desplegar la línea',
  'Folded lines': 'Líneas plegadas',
  'Unfolded lines': 'Líneas desplegadas',
  'folded code': 'código plegado',
  unfold: 'desplegar',
  to: 'a',
  Completions: 'Sugerencias',
  Diagnostics: 'Problemas',
  'No diagnostics': 'Sin problemas',
  close: 'cerrar',
}

export const phrasesOf = (locale: Locale): Readonly<Record<string, string>> =>
  locale === 'es' ? SPANISH : {}
