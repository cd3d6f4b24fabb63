import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { warmUp } from './warm-up.ts'

describeOnBothDatabases('warming up', (server) => {
  test('reads without storing, counting or keeping anything', async () => {
    const person = await server().signUp()
    const { ctx } = server()
    const actor = { ...(await scopeOf(server(), person)), kind: 'local', userId: person.userId } as Actor
    const before = await person.rest.usage()
    const seq = await ctx.changes.currentSeq(actor)
    await warmUp(ctx, actor, new AbortController().signal)
    expect(await ctx.changes.currentSeq(actor)).toBe(seq)
    expect(await person.rest.usage()).toEqual(before)
    expect((await person.rest.listRecalls()).recalls).toEqual([])
  })

  test('ends with the agent', async () => {
    const stop = new AbortController()
    const warming = warmUp(server().ctx, {} as Actor, stop.signal)
    stop.abort()
    await expect(warming).rejects.toThrow('aborted')
  })
})
