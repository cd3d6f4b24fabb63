import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { patience } from '../../../test/socket.ts'
import { hourMs } from '../../ground/lib/time.ts'
import { createLease } from './lease.ts'
import { createLeasedRounds } from './leased-rounds.ts'
import { type GoOn, leaseMs } from './under-lease.ts'

describeOnBothDatabases('the lease of a job', (server) => {
  /** A job of its own name that counts its rounds; `step` is what it does in each. */
  function newJob(step: (goOn: GoOn) => Promise<void> = async () => {}) {
    const name = `job-${randomUUID()}`
    const rounds: number[] = []
    const run = async (goOn: GoOn) => {
      if (!(await goOn())) return
      rounds.push(server().ctx.now())
      await step(goOn)
    }
    const job = createLeasedRounds(
      server().ctx,
      { name, everyMs: hourMs, run, failure: 'the job failed' },
      { takeOverMs: 20, retryMinMs: 20 },
    )
    const holders = () => server().ctx.db.selectFrom('leases').selectAll().where('name', '=', name).execute()
    return { name, job, rounds, holders }
  }

  test('of a process that was killed is taken over within seconds, not in the next round', async () => {
    const { name, job, rounds } = newJob()
    await createLease(server().ctx, name, leaseMs).hold()
    job.start()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(rounds).toHaveLength(0)
    server().clock.now += leaseMs
    await vi.waitFor(() => expect(rounds).toHaveLength(1), patience)
    await job.close()
  })

  test('is released when the process stops in the middle of a round', async () => {
    const gate = Promise.withResolvers<void>()
    const { job, rounds, holders } = newJob(async (goOn) => {
      await gate.promise
      expect(await goOn()).toBe(false)
    })
    job.start()
    await vi.waitFor(() => expect(rounds).toHaveLength(1), patience)
    expect(await holders()).toHaveLength(1)
    const closed = job.close()
    gate.resolve()
    await closed
    expect(await holders()).toHaveLength(0)
  })

  test('is released when a round fails, and the round is tried again', async () => {
    const error = vi.spyOn(server().ctx.log, 'error').mockImplementation(() => {})
    const { job, rounds } = newJob(async () => {
      if (rounds.length === 1) throw new Error('the disk is away')
    })
    job.start()
    await vi.waitFor(() => expect(rounds).toHaveLength(2), patience)
    expect(error.mock.calls[0]?.[1]).toBe('the job failed')
    await job.close()
    error.mockRestore()
  })

  test('is renewed during a step that takes longer than it lasts', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const gate = Promise.withResolvers<void>()
    const { name, job, rounds } = newJob(() => gate.promise)
    job.start()
    await vi.waitFor(() => expect(rounds).toHaveLength(1), patience)
    const other = createLease(server().ctx, name, leaseMs)
    for (let i = 0; i < 8; i++) {
      server().clock.now += leaseMs / 4
      vi.advanceTimersByTime(leaseMs / 4)
      await vi.waitFor(async () => expect(await renewedAt(name)).toBe(server().clock.now), patience)
    }
    expect(await other.hold()).toBe(false)
    gate.resolve()
    await job.close()
    vi.useRealTimers()
  })

  async function renewedAt(name: string): Promise<number> {
    const row = await server()
      .ctx.db.selectFrom('leases')
      .select('expires_at')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    return row.expires_at - leaseMs
  }
})
