/** Vitest runs this before each test file. */
import { afterAll } from 'vitest'
import { endFile } from '../folders.ts'

afterAll(endFile)

/** The message of a failed request is "fetch failed"; its reason is only in the cause, which reports do not show. */
const withReason =
  (request: typeof fetch): typeof fetch =>
  (...sent) =>
    request(...sent).catch((error: Error) => {
      const { code, message } = (error.cause ?? {}) as { readonly code?: string; readonly message?: string }
      if (message !== undefined) error.message += ` (${code ?? 'cause'}: ${message})`
      throw error
    })

// Files of one worker share its globals.
const shared = globalThis as { namesReasons?: true }
if (!shared.namesReasons) globalThis.fetch = withReason(globalThis.fetch)
shared.namesReasons = true
