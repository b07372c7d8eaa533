/** Names of templates: a design in a style. */
const DESIGNS = ['classic', 'modern', 'compact']
const STYLES = ['blue', 'green', 'wine', 'grey']

export const TEMPLATES: readonly string[] = DESIGNS.flatMap((design) =>
  STYLES.map((style) => `${design}-${style}`),
)
