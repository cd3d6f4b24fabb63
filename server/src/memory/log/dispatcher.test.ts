import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '@loci/contract/changes'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { scopeOf as findScope, openTwin } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { transact } from '../../store/transact.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type EntityToStore, storeEntities } from '../write/store-entities.ts'
import { writeGraph } from '../write/write-graph.ts'
import { changesPerPage } from './scope-reader.ts'

const patience = { timeout: 60_000, interval: 20 }

function listen(ctx: Context, scope: Scope, seq: number) {
  const changes: Change[] = []
  const stop = ctx.changes.subscribe(scope, seq, { receive: (page) => void changes.push(...page) })
  return {
    changes,
    stop,
    seqs: () => changes.map((change) => change.seq),
    heard: (last: number) => vi.waitFor(() => expect(changes.at(-1)?.seq).toBe(last), patience),
  }
}

const store = (ctx: Context, actor: Actor, entity: EntityToStore) =>
  writeGraph(ctx, actor, (write) => storeEntities(write, [entity]))
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => first + i)
const observations = (count: number) => Array.from({ length: count }, (_, i) => `fact ${i}`)

describeOnBothDatabases('the change dispatcher', (server, dialect) => {
  const scopeOf = (person: Person) => findScope(server(), person)
  const actorOf = async (person: Person): Promise<Actor> => ({
    ...(await scopeOf(person)),
    kind: 'session',
    userId: person.userId,
    role: 'owner',
  })

  it('delivers every change once and in order to every listener, whenever it joined and whoever wrote', async () => {
    const alice = await server().signUp()
    const twin = await openTwin(server())
    const scope = await scopeOf(alice)
    const listeners = [listen(server().ctx, scope, 0), listen(twin.ctx, scope, 0)]
    const actor = await actorOf(alice)
    const write = async (ctx: Context, writer: string) => {
      for (let i = 0; i < 20; i++) {
        await store(ctx, actor, {
          name: `${writer} ${i}`,
          type: 'thing',
          observations: ['one', 'two'],
        })
        listeners.push(listen(i % 2 === 0 ? server().ctx : twin.ctx, scope, i))
      }
    }
    await Promise.all([
      write(server().ctx, 'a'),
      write(twin.ctx, 'b'),
      write(server().ctx, 'c'),
      write(twin.ctx, 'd'),
    ])
    const last = await server().ctx.changes.currentSeq(scope)
    expect(last).toBe(4 * 20 * 3)
    for (const listener of listeners) {
      await listener.heard(last)
      expect(listener.seqs()).toEqual(upTo(last, listener.seqs()[0]))
      listener.stop()
    }
    expect(listeners[0]!.seqs()).toEqual(upTo(last))
    await twin.close()
  })

  it('takes a listener that is far behind through the log page by page at its own pace', async () => {
    const alice = await server().signUp()
    const scope = await scopeOf(alice)
    const last = changesPerPage * 2 + 11
    await alice.rest.createEntity({
      body: { name: 'long story', type: 'thing', observations: observations(last - 1) },
    })
    const sizes: number[] = []
    let letOn = () => {}
    const stop = server().ctx.changes.subscribe(scope, 0, {
      receive: (page) => void sizes.push(page.length),
      ready: () =>
        new Promise((resolve) => {
          letOn = resolve
        }),
    })
    const present = listen(server().ctx, scope, last)
    await alice.rest.createEntity({ body: { name: 'news', type: 'thing' } })
    await present.heard(last + 1)
    expect(sizes).toEqual([])
    await vi.waitFor(() => {
      letOn()
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(last + 1)
    }, patience)
    expect(Math.max(...sizes)).toBe(changesPerPage)
    stop()
    present.stop()
  })

  it('delivers nothing that was not committed', async () => {
    const alice = await server().signUp()
    const scope = await scopeOf(alice)
    const listener = listen(server().ctx, scope, 0)
    const actor = await actorOf(alice)
    const refused = transact(server().ctx, async (inner) => {
      await store(inner, actor, { name: 'never was', type: 'thing' })
      throw new Error('changed my mind')
    })
    await expect(refused).rejects.toThrow('changed my mind')
    await alice.rest.createEntity({ body: { name: 'is', type: 'thing' } })
    await listener.heard(1)
    expect(listener.changes[0]?.after).toMatchObject({ name: 'is' })
    listener.stop()
  })

  it("never shows one account another's changes", async () => {
    const alice = await server().signUp('alice')
    const bob = await server().signUp('bob')
    const bobs = listen(server().ctx, await scopeOf(bob), 0)
    await alice.rest.createEntity({ body: { name: 'secret', type: 'thing' } })
    await bob.rest.createEntity({ body: { name: 'mine', type: 'thing' } })
    await bobs.heard(1)
    expect(bobs.changes.map((change) => change.after?.name)).toEqual(['mine'])
    bobs.stop()
  })

  it('continues after a listener fails', async () => {
    const alice = await server().signUp()
    const fail = server().ctx.changes.subscribe(await scopeOf(alice), 0, {
      receive: () => {
        throw new Error('no')
      },
    })
    const listener = listen(server().ctx, await scopeOf(alice), 0)
    await alice.rest.createEntity({ body: { name: 'one', type: 'thing' } })
    await alice.rest.createEntity({ body: { name: 'two', type: 'thing' } })
    await listener.heard(2)
    fail()
    listener.stop()
  })

  it('loses nothing while the log cannot be read', async () => {
    const alice = await server().signUp()
    const twin = await openTwin(server())
    const listener = listen(server().ctx, await scopeOf(alice), 0)
    const warned = vi.spyOn(server().ctx.log, 'warn')
    const actor = await actorOf(alice)
    await transact(twin.ctx, async (inner) => {
      await store(inner, actor, { name: 'meanwhile', type: 'thing' })
      await run(inner, 'alter table changes rename to hidden_changes')
    })
    await vi.waitFor(() => expect(warned).toHaveBeenCalled(), patience)
    await run(twin.ctx, 'alter table hidden_changes rename to changes')
    await listener.heard(1)
    warned.mockRestore()
    listener.stop()
    await twin.close()
  })

  it.runIf(dialect === 'postgres')('hears of other processes again after its connections broke', async () => {
    const alice = await server().signUp()
    const twin = await openTwin(server())
    const listener = listen(server().ctx, await scopeOf(alice), 0)
    await alice.rest.createEntity({ body: { name: 'before', type: 'thing' } })
    await listener.heard(1)
    const actor = await actorOf(alice)
    await run(
      twin.ctx,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await store(twin.ctx, actor, { name: 'after', type: 'thing' })
    await listener.heard(2)
    listener.stop()
    await twin.close()
  })

  it.runIf(dialect === 'postgres')('asks nothing while it hears of the commits of others', async () => {
    const alice = await server().signUp()
    const twin = await openTwin(server())
    const listener = listen(server().ctx, await scopeOf(alice), 0)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const countLooks = () => query.mock.calls.map(textOf).filter((text) => text.includes('"news"')).length
    await sleep(3_500)
    const before = countLooks()
    await sleep(3_500)
    expect(countLooks()).toBe(before)
    query.mockRestore()
    await store(twin.ctx, await actorOf(alice), { name: 'told', type: 'thing' })
    await listener.heard(1)
    listener.stop()
    await twin.close()
  })

  it.runIf(dialect === 'postgres')('looks every second behind a pooler that lets nobody listen', async () => {
    const alice = await server().signUp()
    const { query } = pg.Client.prototype
    const deaf = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      return textOf(args).startsWith('listen') ? Promise.resolve() : Reflect.apply(query, this, args)
    } as typeof query)
    const twin = await openTwin(server())
    const actor = await actorOf(alice)
    const listener = listen(twin.ctx, actor, 0)
    for (let seq = 1; seq <= 3; seq++) {
      await sleep(1_500)
      await store(server().ctx, actor, { name: `found ${seq}`, type: 'thing' })
      await listener.heard(seq)
    }
    listener.stop()
    await twin.close()
    deaf.mockRestore()
  })
})

const textOf = ([query]: unknown[]) =>
  typeof query === 'string' ? query : ((query as { text?: string })?.text ?? '')
const run = (ctx: Context, statement: string) => ctx.db.executeQuery(CompiledQuery.raw(statement))
