import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { openTwin } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import type { Db } from '../../store/db.ts'
import { transact } from '../../store/transact.ts'
import { releaseLease, takeLease } from './leases.repo.ts'

const leaseMs = 1_000

describeOnBothDatabases('a lease', (server) => {
  /** A new lease, and two holders that compete for it. */
  function newLease() {
    const name = `lease-${randomUUID()}`
    const take = (holder: string, now: number, db: Db = server().ctx.db) =>
      takeLease(db, name, holder, { now, expiresAt: now + leaseMs })
    const release = (holder: string) => releaseLease(server().ctx.db, name, holder)
    return { take, release }
  }

  it('belongs to one holder at a time, who may renew it', async () => {
    const { take } = newLease()
    expect(await take('a', 0)).toBe(true)
    expect(await take('b', leaseMs - 1)).toBe(false)
    expect(await take('a', leaseMs - 1)).toBe(true)
    expect(await take('b', leaseMs)).toBe(false)
  })

  it('goes to another holder when it has expired, and not back', async () => {
    const { take } = newLease()
    await take('a', 0)
    expect(await take('b', leaseMs)).toBe(true)
    expect(await take('a', leaseMs)).toBe(false)
  })

  it('goes to another holder at once when released, which only its holder can do', async () => {
    const { take, release } = newLease()
    await take('a', 0)
    await release('b')
    expect(await take('b', 1)).toBe(false)
    await release('a')
    expect(await take('b', 1)).toBe(true)
  })

  it('does not keep a holder from the lease of another name', async () => {
    await newLease().take('a', 0)
    expect(await newLease().take('b', 0)).toBe(true)
  })

  it('goes to one of many who want it at once, in any process', async () => {
    const { take } = newLease()
    const twin = await openTwin(server())
    const holders = Array.from({ length: 8 }, (_, i) => `holder ${i}`)
    const taken = await Promise.all(
      holders.map((holder, i) => take(holder, 0, i % 2 === 0 ? server().ctx.db : twin.ctx.db)),
    )
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(1)
    await twin.close()
  })

  it('stays with its holder if the transaction that took it is rolled back', async () => {
    const { take } = newLease()
    await take('a', 0)
    const undone = transact(server().ctx, async ({ db }) => {
      expect(await take('b', leaseMs, db)).toBe(true)
      throw new Error('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    expect(await take('a', leaseMs)).toBe(true)
  })
})
