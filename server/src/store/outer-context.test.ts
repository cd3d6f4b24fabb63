import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { scopeOf } from '../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../test/harness.ts'
import { storeEntities } from '../memory/write/store-entities.ts'
import { writeGraph } from '../memory/write/write-graph.ts'
import { getCounters } from '../rows/counters.repo.ts'
import { findEntity } from '../rows/entities.repo.ts'
import type { Actor } from '../tenancy/auth/actor.ts'
import type { Context } from '../tenancy/context.ts'
import { afterCommit, transact } from './transact.ts'

const refusal = 'Inside a transaction use its own context, not the outer one'

const slips: Record<string, (outer: Context, actor: Actor) => Promise<unknown>> = {
  'a prepared query': ({ db }, actor) => findEntity(db, actor, 'ent_1'),
  'a query of the builder': ({ db }, { accountId }) =>
    db.selectFrom('accounts').selectAll().where('account_id', '=', accountId).execute(),
  'raw SQL': ({ db }) => sql`select 1`.execute(db),
  'a transaction': (outer) => transact(outer, async ({ db }) => sql`select 1`.execute(db)),
  'a write of the graph': (outer, actor) => writeGraph(outer, actor, async () => {}),
  'a snapshot': ({ db, dialect }) => dialect.snapshot(db, (snapshot) => sql`select 1`.execute(snapshot)),
}

describeOnBothDatabases('the outer context inside a transaction', (server) => {
  const actorOf = async (person: Person): Promise<Actor> => ({
    ...(await scopeOf(server(), person)),
    kind: 'session',
    userId: person.userId,
    role: 'owner',
  })

  const store = (ctx: Context, actor: Actor, name: string, then?: () => unknown) =>
    writeGraph(ctx, actor, async (write) => {
      await storeEntities(write, [{ name, type: 'thing' }])
      await then?.()
    })

  const namesOf = async ({ rest }: Person) =>
    (await rest.listEntities({ query: {} })).entities.map(({ name }) => name).sort()

  it.each(Object.entries(slips))(
    'is refused %s; the write is undone and others continue',
    async (_, slip) => {
      const { ctx, signUp } = server()
      const alice = await signUp()
      const actor = await actorOf(alice)
      const write = store(ctx, actor, 'undone', () => slip(ctx, actor))
      await expect(write).rejects.toThrow(refusal)
      await alice.rest.createEntity({ body: { name: 'next', type: 'thing' } })
      expect(await namesOf(alice)).toEqual(['next'])
    },
  )

  it.each(Object.entries(slips))('is refused %s in a snapshot too', async (_, slip) => {
    const { ctx, signUp } = server()
    const actor = await actorOf(await signUp())
    const read = ctx.dialect.snapshot(ctx.db, () => slip(ctx, actor))
    await expect(read).rejects.toThrow(refusal)
    await slip(ctx, actor)
  })

  it('is refused to one of several works committed together, and to no other', async () => {
    const { ctx, signUp } = server()
    const alice = await signUp()
    const actor = await actorOf(alice)
    const outcomes = await Promise.allSettled([
      store(ctx, actor, 'a'),
      store(ctx, actor, 'b', () => getCounters(ctx.db, actor)),
      store(ctx, actor, 'c'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await namesOf(alice)).toEqual(['a', 'c'])
  })

  it('serves other calls during a transaction', async () => {
    const { ctx, signUp } = server()
    const alice = await signUp()
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const actor = await actorOf(alice)
    const write = store(ctx, actor, 'first', () => {
      begun.resolve()
      return mayEnd.promise
    })
    await begun.promise
    const others = Object.values(slips).map((slip) => slip(ctx, actor))
    const overRest = alice.rest.createEntity({ body: { name: 'second', type: 'thing' } })
    await sleep(50)
    mayEnd.resolve()
    await Promise.all([write, overRest, ...others])
    expect(await namesOf(alice)).toEqual(['first', 'second'])
  })

  it('serves what a transaction started and left running, once it has ended', async () => {
    const { ctx, signUp } = server()
    const actor = await actorOf(await signUp())
    const heard = vi.fn()
    let later: Promise<unknown> | undefined
    await transact(ctx, async ({ db }) => {
      afterCommit(db, () => void getCounters(ctx.db, actor).then(heard))
      later = sleep(100).then(() => Promise.all(Object.values(slips).map((slip) => slip(ctx, actor))))
    })
    await later
    await expect.poll(() => heard).toHaveBeenCalledOnce()
  })

  it('joins the running transaction when given the inner context', async () => {
    const { ctx, signUp } = server()
    const alice = await signUp()
    const actor = await actorOf(alice)
    await transact(ctx, async (inner) => {
      await store(inner, actor, 'inner')
      expect(await getCounters(inner.db, actor)).toMatchObject({ entities: 1 })
    })
    expect(await namesOf(alice)).toEqual(['inner'])
  })
})
