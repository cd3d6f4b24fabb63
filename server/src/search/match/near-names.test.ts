import { beforeAll, expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findNearNames } from '../find/find-near-names.ts'

const names = [
  'user',
  ...[
    'default_user',
    'John_Smith',
    'Ada Lovelace',
    'checkout-service',
    'Session 11',
    'PostgreSQL',
    'IT',
    '東京',
  ],
  ...Array.from({ length: 500 }, (_, i) => `user ${i}`),
]

describeOnBothDatabases('for a name that no entity has', (server) => {
  let scope: Scope
  beforeAll(async () => {
    const person = await server().signUp()
    const entities = names.map((name) => ({ name, type: 'thing' }))
    await person.rest.createBatch({ body: { entities, relations: [] } })
    scope = await scopeOf(server(), person)
    await (await server().signUp('bob')).rest.createEntity({ body: { name: 'Grace Hopper', type: 'person' } })
  })

  test.each([
    ['other case', 'ADA LOVELACE', 'Ada Lovelace'],
    ['other case, among hundreds that have the word', 'User', 'user'],
    ['a space for an underscore', 'john smith', 'John_Smith'],
    ['no space at all', 'CheckoutService', 'checkout-service'],
    ['a slip', 'Ada Lovlace', 'Ada Lovelace'],
    ['letters that changed places', 'PostgerSQL', 'PostgreSQL'],
    ['a slip in a short word', 'Adda Lovelace', 'Ada Lovelace'],
    ['a part of it', 'Lovelace', 'Ada Lovelace'],
    ['more than it', 'Ada Lovelace, mathematician', 'Ada Lovelace'],
    ['a word that says nothing', 'it', 'IT'],
    ['another script', '東 京', '東京'],
  ])('that has %s, the nearest comes first: %s', async (_, asked, expected) => {
    const near = await findNearNames(server().ctx, scope, [asked])
    expect(near.get(asked)?.[0]).toEqual({ name: expected, type: 'thing' })
  })

  test.each([
    ['another number', 'Session 12'],
    ['words of its own', 'Ada Byron'],
    ['nothing alike', 'zebra'],
    ['an entity of another account', 'grace hopper'],
    ['no letters', '???'],
    ['no end', 'x'.repeat(100_000)],
  ])('that has %s, nothing is offered: %s', async (_, asked) => {
    expect(await findNearNames(server().ctx, scope, [asked])).toEqual(new Map())
  })

  test('at most three are offered, and never the name itself', async () => {
    const near = (await findNearNames(server().ctx, scope, ['user', 'user x'])).get('user')
    expect(near?.length).toBe(3)
    expect(near?.map(({ name }) => name)).not.toContain('user')
  })
})
