import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { openTwin } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import type { Context } from '../context.ts'
import { type Follower, type FollowerJob, startFollower } from './follower.ts'
import { LeaseLost } from './lease.ts'

const leaseMs = 10_000
const restMs = 10
const patience = { timeout: 60_000, interval: 10 }

describeOnBothDatabases('a follower', (server) => {
  const followers: Follower[] = []

  afterEach(async () => {
    for (const follower of followers.splice(0)) await follower.close()
  })

  function follow(ctx: Context, name: string, job: Partial<FollowerJob<string>>): Follower {
    const follower = startFollower<string>(ctx, {
      name,
      leaseMs,
      restMs,
      behind: async function* () {
        yield 'space'
      },
      catchUp: async () => false,
      onFailure: async () => undefined,
      ...job,
    })
    followers.push(follower)
    return follower
  }

  const newName = () => `follower-${randomUUID()}`

  it('works in one process at a time; another takes over when that one closes', async () => {
    const twin = await openTwin(server())
    const name = newName()
    const first = vi.fn(async () => false)
    const second = vi.fn(async () => false)
    const follower = follow(server().ctx, name, { catchUp: first })
    await vi.waitFor(() => expect(first).toHaveBeenCalled(), patience)
    const other = follow(twin.ctx, name, { catchUp: second })
    await sleep(20 * restMs)
    expect(second).not.toHaveBeenCalled()
    await follower.close()
    await vi.waitFor(() => expect(second).toHaveBeenCalled(), patience)
    await other.close()
    await twin.close()
  })

  it('looks again soon after a commit of another process, however long it would have rested', async () => {
    const twin = await openTwin(server())
    const behind = vi.fn(async function* () {})
    // Where commits are told of, a minute passes without one.
    follow(server().ctx, newName(), { behind, restMs: 1_000 })
    await vi.waitFor(() => expect(behind).toHaveBeenCalledOnce(), patience)
    await vi.waitFor(
      () => {
        twin.ctx.changes.announce({ accountId: 1, spaceId: 1 })
        expect(behind.mock.calls.length).toBeGreaterThan(1)
      },
      { timeout: 30_000, interval: 1_000 },
    )
    await twin.close()
  })

  it('then asks of the accounts that committed alone, where commits are told of', async () => {
    const { ctx } = server()
    const behind = vi.fn<FollowerJob<string>['behind']>(async function* () {})
    const asked = () => behind.mock.calls.map(([, accountIds]) => accountIds)
    const follower = follow(ctx, newName(), { behind })
    await vi.waitFor(() => expect(asked()).toContain(undefined), patience)
    follower.tell(7)
    ctx.changes.announce({ accountId: 8, spaceId: 1 })
    if (ctx.dialect.commitSignal.reachesOthers) {
      await vi.waitFor(() => expect(asked().flat()).toEqual([undefined, 7, 8]), patience)
    } else {
      await vi.waitFor(() => expect(asked().length).toBeGreaterThan(3), patience)
      expect(new Set(asked())).toEqual(new Set([undefined]))
    }
  })

  it('takes over from a stuck one when the lease has expired', async () => {
    const { ctx, clock } = server()
    const name = newName()
    const stuck = vi.fn(
      (_space: string, _lease: unknown, signal: AbortSignal) =>
        new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false))),
    )
    const next = vi.fn(async () => false)
    follow(ctx, name, { catchUp: stuck })
    await vi.waitFor(() => expect(stuck).toHaveBeenCalled(), patience)
    follow(ctx, name, { catchUp: next })
    await sleep(20 * restMs)
    expect(next).not.toHaveBeenCalled()
    clock.now += leaseMs
    await vi.waitFor(() => expect(next).toHaveBeenCalled(), patience)
  })

  it('visits the spaces in turn, and rests only when none has more', async () => {
    const left = new Map([
      ['a', 3],
      ['b', 2],
    ])
    const visited: string[] = []
    follow(server().ctx, newName(), {
      restMs: 60_000,
      behind: async function* () {
        for (const [space, count] of left) if (count > 0) yield space
      },
      catchUp: async (space) => {
        visited.push(space)
        left.set(space, left.get(space)! - 1)
        return left.get(space)! > 0
      },
    })
    await vi.waitFor(() => expect(visited).toEqual(['a', 'b', 'a', 'b', 'a']), patience)
  })

  it('retries after a failure, later each time, and starts over after a success', async () => {
    const startedAt = performance.now()
    const outcomes = ['fails', 'fails', 'succeeds', 'fails']
    const failures: { count: number; atMs: number }[] = []
    follow(server().ctx, newName(), {
      catchUp: async () => {
        if (outcomes.shift() === 'fails') throw new Error('no')
        return false
      },
      onFailure: async (_error, count) => {
        failures.push({ count, atMs: performance.now() - startedAt })
        throw new Error('nor can the failure be stored')
      },
    })
    await vi.waitFor(() => expect(failures.map(({ count }) => count)).toEqual([1, 2, 1]), patience)
    const [first, second, third] = failures.map(({ atMs }) => atMs)
    expect(second! - first!).toBeGreaterThan(990)
    expect(third! - second!).toBeGreaterThan(1_990)
  })

  it('waits as long as the failure demands', async () => {
    const catchUp = vi.fn(async () => {
      throw new Error('busy')
    })
    follow(server().ctx, newName(), { catchUp, onFailure: async () => 60_000 })
    await sleep(1_500)
    expect(catchUp).toHaveBeenCalledOnce()
  })

  it('does not treat a lost lease as a failure', async () => {
    const onFailure = vi.fn(async () => undefined)
    const catchUp = vi.fn(async () => {
      throw new LeaseLost()
    })
    follow(server().ctx, newName(), { catchUp, onFailure })
    await vi.waitFor(() => expect(catchUp.mock.calls.length).toBeGreaterThan(2), patience)
    expect(onFailure).not.toHaveBeenCalled()
  })

  it('is told when no space has work', async () => {
    const onIdle = vi.fn(async () => {})
    follow(server().ctx, newName(), { behind: async function* () {}, onIdle })
    await vi.waitFor(() => expect(onIdle).toHaveBeenCalled(), patience)
  })
})
