/**
 * Every TypeScript example compiles as a stranger would write it: strictly, against the declarations that the package
 * publishes. All of them are one program, so that the declarations are read once.
 */
import { existsSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { documentedExamples } from './docstrings.ts'
import { blocksOf, PAGES, ROOT } from './markdown.ts'

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  allowImportingTsExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
}

/** Examples by the file that each is: in the root, from where `cuadra` is the package itself. */
const examples = new Map<string, string>()

/** What ran before on a page is part of a block that goes on from it. */
let before = { page: '', text: '' }
for (const { page, line, language, text } of PAGES.flatMap(blocksOf)) {
  const continued = language === 'ts continued'
  if (language !== 'ts' && !continued) continue
  const whole = continued ? `${before.text}\n${text}` : text
  before = { page, text: whole }
  examples.set(`${ROOT}${page.replaceAll(/[/.]/g, '-')}-${line}.ts`, whole)
}

/** What an example uses by name comes from its own module. */
for (const { file, examples: texts } of documentedExamples())
  for (const [index, text] of texts.entries())
    examples.set(`${ROOT}${file.replace(/\.ts$/, '')}--example-${index + 1}.ts`, text)
