/** Reports SARIF 2.1.0, the exchange format of code scanners. Results are written one by one, to bound memory. */
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { required } from '#core/errors/index.ts'
import { cite } from '#core/messages/index.ts'
import { codeAddress } from '#core/site/index.ts'
import { rules } from '#engine/index.ts'
import { version } from '../../../../package.json'
import { CLI_RULES } from '../input/input-faults.ts'
import type { Settings } from '../input/input-settings.ts'
import { locationsOf } from '../input/item-locations.ts'
import type { Reporter } from './reporter.ts'

const uriOf = (file: string): string =>
  isAbsolute(file) ? pathToFileURL(file).href : encodeURI(file.replaceAll('\\', '/')).replaceAll('#', '%23')

export function reportSarif({ locale }: Settings): Reporter {
  const records = [
    ...rules().map((rule) => ({
      id: rule.code,
      helpUri: codeAddress(rule.code, locale),
      shortDescription: { text: rule.message[locale] },
      help: { text: `${rule.fix[locale]} (${cite(rule.law, locale)})` },
      defaultConfiguration: { level: rule.severity },
      properties: { source: rule.source, origin: rule.origin, law: rule.law, reads: rule.reads },
    })),
    ...Object.entries(CLI_RULES).map(([id, text]) => ({
      id,
      helpUri: codeAddress(id, locale),
      shortDescription: { text: text[locale] },
      defaultConfiguration: { level: 'error' },
    })),
  ]
  const indexes = new Map(records.map(({ id }, index) => [id, index]))
  const driver = { name: 'cuadra', semanticVersion: version, rules: records }
  return {
    begin: `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":${JSON.stringify({ driver })},"columnKind":"utf16CodeUnits","results":[\n`,
    separator: ',\n',
    one(result) {
      const { lines, locations } = locationsOf(result)
      return result.outcome.errors
        .map((item, index) => {
          const { line, column, start, end } = required(locations[index])
          const last = lines.positionOf(end)
          const region = {
            startLine: line,
            startColumn: column,
            endLine: line + last.line - lines.positionOf(start).line,
            endColumn: last.column,
          }
          return JSON.stringify({
            ruleId: item.code,
            ruleIndex: indexes.get(item.code),
            level: item.severity,
            message: { text: item.message },
            locations: [
              {
                physicalLocation: { artifactLocation: { uri: uriOf(result.file) }, region },
                logicalLocations: [{ fullyQualifiedName: item.path || '/', kind: 'member' }],
              },
            ],
          })
        })
        .join(',\n')
    },
    end: ({ operations }) => `\n],"properties":${JSON.stringify({ operations })}}]}\n`,
  }
}
