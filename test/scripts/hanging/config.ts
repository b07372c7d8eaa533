/** Runs the test that never ends: `run-folder.test.ts` stops it. */
import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../../../vitest.config.ts'

const { test, ...rest } = base
export default mergeConfig(
  { ...rest, test: { ...test, include: [] } },
  defineConfig({ test: { include: ['test/scripts/hanging/hanging.run.ts'] } }),
)
