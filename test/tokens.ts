/**
 * Splits a text at blanks, such as the arguments of a command: tokens`company create --file ${path}`. An inserted
 * text stays one word, and an inserted list is several.
 */
export const tokens = (
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string[] =>
  texts.flatMap((text, at) => [
    ...text.split(/\s+/).filter((word) => word !== ''),
    ...(at < values.length ? [values[at] ?? ''].flat().map(String) : []),
  ])
