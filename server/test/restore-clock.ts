import { afterEach, beforeEach } from 'vitest'
import type { TestServer } from './harness.ts'

/** Lets each test move the clock, which is set back after it. Tests begin at `begin`, if given. */
export function restoreClock(server: () => TestServer, begin?: number): void {
  let startedAt: number
  beforeEach(() => {
    startedAt = server().clock.now
    server().clock.now = begin ?? startedAt
  })
  afterEach(() => {
    server().clock.now = startedAt
  })
}
