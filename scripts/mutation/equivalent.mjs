/**
 * Rules that recognise changes without any effect on a result. They apply only to changes that no test has noticed:
 * `original` is the line of the source and `line` the changed one, both without repeated blanks.
 */
const isNarrower = (mutatorName, line) =>
  mutatorName === 'EqualityOperator' ||
  />=? \+(?:MAX_EXACT|1e15)|\bif \(false\)|\bif \(true\) return null|&& (?:true|false)\b|\((?:true|false) \?/.test(
    line,
  )

/**
 * Returns the line with each run of its conditions `x !== undefined` replaced by `true`, where an order comparison of
 * these values follows.
 */
function withoutGuards(original) {
  const [, guards, left, right] = /((?:\b\w+ !== undefined && )+)(\w+) (?:[<>]=?) (\w*)/.exec(original) ?? []
  if (guards === undefined) return []
  const all = guards.split(' && ').slice(0, -1)
  if (!all.every((guard) => [left, right].includes(guard.split(' ')[0]))) return []
  const runs = [...all, all.join(' && ')]
  return runs.map((run) => original.replace(run, 'true'))
}

export const EQUIVALENT = [
  {
    reason: 'the exact calculation that follows gives the same amount, only more slowly',
    matches: ({ file, original, line, mutatorName }) =>
      /^src\/money\/(?:money|scale|allocate)\.ts$/.test(file) &&
      ((/MAX_EXACT|1e15|surplus|scaled/.test(original) && isNarrower(mutatorName, line)) ||
        /Math\.round\(value \/ power\)|scaled \* power === value/.test(line) ||
        // A number without a scale gives NaN, which is not within the limit.
        (/\bscale[AB]? >= 0/.test(original) && !/percent > -100/.test(original)) ||
        (/\bscale >= 0/.test(original) && /percent > -100/.test(line))),
  },
  {
    reason: 'zero and a single share give the same without the early return, and zero has no sign',
    matches: ({ file, original, line, mutatorName }) =>
      /^src\/money\//.test(file) &&
      ((/=== 0 \|\| \w+ === 0\) return (?:0|gross)$/.test(original) && /false|&&/.test(line)) ||
        (/return \[total\]$/.test(original) && /false/.test(line)) ||
        (original === 'if (missing !== 0) {' && line === 'if (true) {') ||
        (/< 0 \? -(\w+) : \1$/.test(original) && mutatorName === 'EqualityOperator')),
  },
  {
    reason: 'a difference of zero changes nothing',
    matches: ({ file, original, line }) =>
      /^src\/calculate\//.test(file) && /^if \(\w+ === 0\) return$/.test(original) && /false/.test(line),
  },
  {
    reason: 'how a group is found only saves time',
    matches: ({ file, original }) =>
      /^src\/calculate\/lines\.ts$/.test(file) && /FEW_GROUPS|byKey\.size|last && isOfGroup/.test(original),
  },
  {
    reason: 'a record that the fast path refuses is checked by the full audit, with the same result',
    matches: ({ file, original, line }) =>
      /^src\/verifactu\/chain\//.test(file) &&
      (/\bfast-path\.ts$/.test(file)
        ? (/\bfalse\b/.test(line) && !/\bfalse\b/.test(original)) ||
          /^if \(true\b|&& Number\.NaN|sums\.loose &&/.test(line) ||
          line === original.replace('>=', '>') ||
          line === original.replace('<=', '<')
        : (/fastPath\./.test(original) && /\bfalse\b/.test(line)) ||
          (/\.knows\(number\)/.test(original) && /^if \(true\)/.test(line))),
  },
  {
    reason:
      'the parser reads a record that the fast path refuses; how much text waits or is searched changes no record',
    matches: ({ file, original, line }) =>
      /^src\/verifactu\/message\/record-reader\.ts$/.test(file) &&
      (/^if \(true\) return begin$|^if \(false\) this\.#blank|\) > to$/.test(line) ||
        line === original.replace('tagEnd > before', 'tagEnd >= before') ||
        /LONGEST_|#searched/.test(original)),
  },
  {
    reason: 'a comparison with undefined is false anyway',
    matches: ({ original, line }) => withoutGuards(original).includes(line),
  },
  {
    reason: 'only the names of the table are read',
    matches: ({ file, original }) =>
      /^src\/sii\/record\/(?:issued|received)\.ts$/.test(file) && /^'?[A-Z][\w.]*'?: true,$/.test(original),
  },
  {
    reason: 'the first element of a match is not read, and undefined orders like 0',
    matches: ({ original, line }) =>
      (/^const \[, .* \?\? \[\]$/.test(original) && line.endsWith("?? ['Stryker was here']")) ||
      (/\(\) => 0\)/.test(original) && /\(\) => undefined\)/.test(line)),
  },
  {
    reason: 'equal texts are of entries or groups that are alike',
    matches: ({ original, line }) => /\ba < b \? -1 : 1\b/.test(original) && /a <= b/.test(line),
  },
  {
    reason: 'a cache or a list of known values only saves time',
    matches: ({ original }) => /\.clear\(\)$|return (?:known|last)$|if \((?:known|last)\b/.test(original),
  },
  {
    reason: 'a placeholder, which keeps the order of members, is overwritten before it is read',
    matches: ({ file, original }) =>
      (/^src\/(?:normalise\/(?:lines|issue-data)|calculate\/write)\.ts$/.test(file) &&
        /^\w+: (?:NaN|''|true|false|0|0\.5),$/.test(original)) ||
      (/^src\/normalise\/issue-data\.ts$/.test(file) && /tax_country_code: ''/.test(original)),
  },
  {
    reason: 'a feature that is set too often only lets more rules run, which find nothing',
    matches: ({ file, line }) =>
      (/^(?:src\/normalise\/|rules\/features\.ts)/.test(file) &&
        /^\w+: true,$|^(?:uses|rare)\b.*= true/.test(line)) ||
      (/^src\/normalise\/lines\.ts$/.test(file) && /^if \(true\) (?:uses|roundOptional|\{)/.test(line)) ||
      (/^rules\//.test(file) && /^if \(true\)$/.test(line)) ||
      (/^rules\/features\.ts$/.test(file) && /^\w+: .*(?:>= 0|\|\| true)/.test(line)),
  },
  {
    reason: 'the lines to which a rule applies are chosen to save time; the rule finds nothing in the others',
    matches: ({ file, original }) => /^rules\//.test(file) && /^applies: /.test(original),
  },
  {
    reason: 'a member that is undefined is not written to the JSON',
    matches: ({ original, line }) =>
      /=== undefined \? (?:\{|undefined)/.test(original) && /\b(?:true|false) \?|^false$/.test(line),
  },
  {
    reason: 'there is always such an element: the operator is for the type checker',
    matches: ({ file, mutatorName, original }) =>
      mutatorName === 'OptionalChaining' &&
      /^src\/(?:calculate|normalise)\//.test(file) &&
      /\?\./.test(original),
  },
  {
    reason:
      'the encoder of the engine and that of the host write the same bytes, into a buffer of any size that suffices',
    matches: ({ file, original }) =>
      /^src\/verifactu\/model\/hash\.ts$/.test(file) &&
      /^if \((?:scratch\.length <|encoder === undefined)|TextEncoder \?|encoder \? encoder/.test(original),
  },
]
