/**
 * Virtual time and chance for one process of Node: timers, clocks, random numbers and ids come from here, so that a
 * seed determines everything. Only for a process of its own, because it replaces builtins.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type crypto from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'

const require = createRequire(import.meta.url)

/** What runs, and owns the timers that it starts: a simulated process of the server. */
export interface Owner {
  readonly pid: number
  readonly isDead: boolean
}

/** The owner of the code that is running; undefined for the simulation itself. */
export const context = new AsyncLocalStorage<Owner>()

/** Random numbers from a seed (mulberry32). */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }
}

interface Pending {
  at: number
  readonly order: number
  readonly run: () => void
  readonly every: number | undefined
  readonly owner: Owner | undefined
}

const real = {
  immediate: setImmediate,
  timeout: setTimeout,
  subtle: globalThis.crypto.subtle,
  kill: process.kill.bind(process),
}

/** Requests to the operating system that have not ended. */
const SYSTEM = /^(FS|File|Random|PBKDF2|Zlib|Write|Sign|Verify|Cipher|Key)/

export class VirtualTime {
  /** Milliseconds since 1970. */
  now: number
  chance = new Chance(0)
  /** Rises with everything that happens, which distinguishes rest from work. */
  activity = 0
  /** Process ids of simulated processes that run. */
  readonly pids = new Set<number>()
  #timers = new Set<Pending>()
  #orders = 0
  #working = 0
  #lastSubtle: Promise<unknown> = Promise.resolve()

  constructor(now: number) {
    this.now = now
  }

  /** Starts anew at a time, without timers. */
  reset(now: number, seed: number): void {
    this.now = now
    this.chance = new Chance(seed)
    this.#timers = new Set()
    this.#orders = 0
    this.pids.clear()
  }

  #start(run: () => void, ms: number | undefined, repeats: boolean) {
    const delay = Math.max(1, Number(ms) || 0)
    const timers = this.#timers
    const pending: Pending = {
      at: this.now + delay,
      order: ++this.#orders,
      run,
      every: repeats ? delay : undefined,
      owner: context.getStore(),
    }
    this.activity++
    if (!pending.owner?.isDead) timers.add(pending)
    const timer = {
      pending,
      ref: () => timer,
      unref: () => timer,
      hasRef: () => false,
      refresh: () => {
        pending.at = this.now + delay
        timers.add(pending)
        return timer
      },
      close: () => void timers.delete(pending),
      [Symbol.toPrimitive]: () => pending.order,
      [Symbol.dispose ?? Symbol('dispose')]: () => void timers.delete(pending),
    }
    return timer
  }

  #stop(timer: { readonly pending?: Pending } | undefined): void {
    if (timer?.pending) this.#timers.delete(timer.pending)
  }

  /** Removes the timers of an owner. */
  drop(owner: Owner): void {
    for (const one of this.#timers) if (one.owner === owner) this.#timers.delete(one)
  }

  /** Replaces the builtins of this process of Node, for good. */
  install(): void {
    const timers = require('node:timers')
    const promises = require('node:timers/promises')
    const own = {
      setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
        this.#start(() => run(...args), ms, false),
      setInterval: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
        this.#start(() => run(...args), ms, true),
      clearTimeout: (timer: never) => this.#stop(timer),
      clearInterval: (timer: never) => this.#stop(timer),
    }
    Object.assign(timers, own)
    Object.assign(globalThis, own)
    promises.setTimeout = (ms?: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal?.reason ?? new Error('aborted'))
        if (signal?.aborted) return abort()
        const timer = this.#start(
          () => {
            signal?.removeEventListener('abort', end)
            resolve(value)
          },
          ms,
          false,
        )
        const end = () => {
          this.#stop(timer)
          abort()
        }
        signal?.addEventListener('abort', end, { once: true })
      })
    Date.now = () => this.now
    performance.now = () => this.now
    Math.random = () => this.chance.next()
    const library: typeof crypto = require('node:crypto')
    const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => this.chance.below(256)))
    const uuid = () => {
      const text = bytes(16).toString('hex')
      const variant = '89ab'[this.chance.below(4)]
      return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20)}`
    }
    Object.assign(library, { randomUUID: uuid, randomBytes: bytes })
    process.kill = (pid: number, signal?: number | NodeJS.Signals) => {
      if (signal !== 0) return real.kill(pid, signal)
      if (this.pids.has(pid)) return true
      throw Object.assign(new Error('no such process'), { code: 'ESRCH' })
    }
    this.#orderSubtle()
    syncBuiltinESMExports()
  }

  /** Counts the operations of WebCrypto, which run in threads, and runs them in order. */
  #orderSubtle(): void {
    const prototype = Object.getPrototypeOf(real.subtle)
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method = prototype[name]
      if (name === 'constructor' || typeof method !== 'function') continue
      // One after another, because threads end in an order that depends on the machine.
      const counted = (self: unknown, args: unknown[]) => {
        const done = this.#lastSubtle.then(() => method.apply(self, args))
        this.#lastSubtle = done.catch(() => undefined)
        return this.busy(done)
      }
      prototype[name] = function (this: unknown, ...args: unknown[]) {
        return counted(this, args)
      }
    }
  }

  /** Waits in real time for work of the operating system, before virtual time passes. */
  async busy<T>(work: Promise<T>): Promise<T> {
    this.#working++
    try {
      return await work
    } finally {
      this.#working--
      this.activity++
    }
  }

  /** Waits in real time. */
  real(ms: number): Promise<void> {
    return new Promise((resolve) => real.timeout(resolve, ms))
  }

  #isBusy(): boolean {
    return this.#working > 0 || process.getActiveResourcesInfo().some((name) => SYSTEM.test(name))
  }

  /** Waits until nothing more happens without time passing. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; ) {
      const before = this.activity
      await new Promise((resolve) => real.immediate(resolve))
      quiet = this.activity === before && !this.#isBusy() ? quiet + 1 : 0
    }
  }

  #earliest(owner?: Owner): Pending | undefined {
    let first: Pending | undefined
    for (const one of this.#timers)
      if (owner && one.owner !== owner) continue
      else if (!first || one.at < first.at || (one.at === first.at && one.order < first.order)) first = one
    return first
  }

  #fire(timer: Pending): void {
    this.now = Math.max(this.now, timer.at)
    this.activity++
    if (timer.every === undefined) this.#timers.delete(timer)
    else timer.at = this.now + timer.every
    if (timer.owner) context.run(timer.owner, timer.run)
    else context.exit(timer.run)
  }

  /** Runs timers for some milliseconds of virtual time. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms
    for (;;) {
      await this.settle()
      const next = this.#earliest()
      if (!next || next.at > end) break
      this.#fire(next)
    }
    this.now = end
  }

  /** Moves the time on at once. Timers that are due by then run afterwards, once. */
  leap(ms: number): void {
    this.now += ms
  }

  /**
   * Waits in real time until a promise is settled, for work of an owner with many files. Virtual time passes only if
   * that does not help: then the work waits for a timer of the owner.
   */
  async work<T>(owner: Owner, promise: Promise<T>): Promise<T> {
    let isDone = false
    const end = () => {
      isDone = true
    }
    promise.then(end, end)
    for (let idle = 0; ; idle++) {
      const before = this.activity
      await this.settle()
      if (isDone) return promise
      if (this.activity !== before) idle = 0
      if (idle > 2) await new Promise((resolve) => real.timeout(resolve, 1))
      const next = idle > 40 ? this.#earliest(owner) : undefined
      if (idle > 10_000) throw new Error('nothing came of it')
      if (next) this.#fire(next)
    }
  }

  /** Lets time pass until a promise is settled. Rejects if that takes longer than `limit` virtual milliseconds. */
  async until<T>(promise: Promise<T>, limit = 600_000): Promise<T> {
    let isDone = false
    const end = () => {
      isDone = true
    }
    promise.then(end, end)
    const last = this.now + limit
    for (;;) {
      await this.settle()
      if (isDone) return promise
      const next = this.#earliest()
      if (!next || next.at > last) throw new Error(`nothing came of it within ${limit / 1000} s`)
      this.#fire(next)
    }
  }
}

/** The time of this process of Node. */
export const time = new VirtualTime(Date.UTC(2026, 0, 7, 8))
