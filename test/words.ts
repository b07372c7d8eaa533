/**
 * Returns the words of a text, such as the arguments of a command: words`company create --file ${path}`. An inserted
 * text stays one word, and an inserted list is several.
 */
export const words = (
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string[] =>
  texts.flatMap((text, at) => [
    ...text.split(/\s+/).filter((word) => word !== ''),
    ...(at < values.length ? [values[at] ?? ''].flat().map(String) : []),
  ])
