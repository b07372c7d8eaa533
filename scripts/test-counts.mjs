/** Returns the names of the skipped tests of a report, each with its file below `root`. */
export const skippedTests = (report, root) =>
  report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'skipped' || status === 'pending' || status === 'todo')
      .map(({ fullName }) => `${name.replace(root, '')}: ${fullName.trim()}`),
  )

/**
 * Counts the tests of a Vitest JSON report for the last line of the test command. A file that does not load counts as
 * one failed test, because its tests are unknown. An error outside of any test counts as one failed test too.
 *
 * @param report the report, or undefined if the runner ended before writing one
 * @param isPassed whether the runner exited with 0
 * @returns {{ passed: number, failed: number, skipped: number, faults: string[] }}
 */
export function countTests(report, isPassed) {
  if (report === undefined)
    return { passed: 0, failed: 1, skipped: 0, faults: ['the test runner ended without a report'] }
  const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests, testResults } = report
  const faults = testResults
    .filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
    )
    .map(({ name, message }) => `failed outside of its tests: ${name}: ${(message ?? '').split('\n')[0]}`)
  if (!isPassed && numFailedTests + faults.length === 0) faults.push('an error outside of any test file')
  if (passed + numFailedTests + faults.length === 0) faults.push('no test ran')
  return {
    passed,
    failed: numFailedTests + faults.length,
    skipped: numPendingTests + (numTodoTests ?? 0),
    faults,
  }
}

/** Matches files with tests of servers, which depend on clocks, connections and the load of the machine. */
const TIMED =
  /^(?:packages\/(?:authority|pdf|recognition|server|simulator|storage)\/test|packages\/web\/test\/status|test\/conformance)\//
/** Matches the failure of a property with a counterexample. Repeated, it may pass only because random cases differ. */
const COUNTEREXAMPLE = /Property failed after/

/**
 * Returns the failed tests of a report, each with its file below `root` and the first line of its message. For a
 * property, the message has three lines: the failure, the seed and the counterexample.
 *
 * @returns {{ file: string, name: string, message: string, mayPass: boolean }[]}
 */
export const failedTests = (report, root) =>
  report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages = [] }) => {
        const mayPass = !failureMessages.some((message) => COUNTEREXAMPLE.test(message))
        const lines = (failureMessages[0] ?? '').split('\n').slice(0, mayPass ? 1 : 3)
        return {
          file: name.replace(root, ''),
          name: fullName.trim(),
          message: lines.map((line) => line.slice(0, 500)).join(' / '),
          mayPass,
        }
      }),
  )

/**
 * Returns the failed tests if they may be repeated: if there are at most three, all of them tests of servers, and none
 * has a counterexample. Otherwise returns an empty list.
 */
export function repeatable(report, root) {
  if (report === undefined || countTests(report, true).faults.length > 0) return []
  const failed = failedTests(report, root)
  return failed.length <= 3 && failed.every(({ file, mayPass }) => TIMED.test(file) && mayPass)
    ? failed.map(({ file, name, message }) => ({ file, name, message }))
    : []
}
