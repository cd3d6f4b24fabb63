import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'

describeOnBothDatabases('an account that has used up its numbers', (server) => {
  test('stores nothing more, since its postings would belong to the next account', async () => {
    const [alice, bob] = [await server().signUp('Alice'), await server().signUp('Bob')]
    const { db } = server().ctx
    const { accountId } = await scopeOf(server(), alice)
    const entity = { name: 'Ada', type: 'person', observations: ['Plays chess'] }
    await db
      .updateTable('accounts')
      .set({ next_id: 2 ** 32 - 2 })
      .where('account_id', '=', accountId)
      .execute()
    await expect(alice.rest.createEntity({ body: entity })).rejects.toMatchObject({ status: 500 })
    await bob.rest.createEntity({ body: entity })
    const ask = (person: typeof bob) => person.rest.searchObservations({ query: { query: 'chess' } })
    expect((await ask(alice)).observations).toEqual([])
    expect((await ask(bob)).observations).toHaveLength(1)
  })
})
