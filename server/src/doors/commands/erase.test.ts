import { beforeEach, expect, test } from 'vitest'
import { addMember } from '../../../test/accounts.ts'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { environmentOf, runLoci } from '../../../test/loci-command.ts'

describeOnBothDatabases('erasing on the command line', (server) => {
  let alice: Person
  let account: string[]
  const erase = (...args: string[]) =>
    runLociInProcess(['erase', ...args], { env: environmentOf(server().config) })
  const create = async (name: string, fact: string) =>
    (await alice.rest.createEntity({ body: { name, type: 'person', observations: [fact] } })).entity.id
  const history = async () => JSON.stringify(await alice.rest.listChanges({ query: { limit: '500' } }))
  beforeEach(async () => {
    alice = await server().signUp()
    account = ['--account', alice.email]
  })

  test('removes entities of a name from memory and history, deleted ones too', async () => {
    const gone = await create('Ada', 'Was born in London')
    await alice.rest.deleteEntity({ params: { id: gone } })
    const now = await create('Ada', 'Lives in Porto')
    await create('Bob', 'Knows nobody')
    const asked = await erase('Ada', ...account)
    expect([asked.code, asked.stderr]).toEqual([
      1,
      `This erases for good, also from history: "Ada" (person, ${now}), "Ada" (person, deleted, ${gone}). Add --yes if that ` +
        'is what you want.\n',
    ])
    expect(await history()).toContain('Lives in Porto')
    const env = environmentOf(server().config)
    const erased = await runLoci(['erase', 'Ada', '--yes', ...account], { env })
    expect(erased).toMatchObject({ code: 0, stdout: 'Erased 2 entities.\n' })
    const left = await history()
    for (const text of ['Porto', 'London', '"Ada"']) expect(left).not.toContain(text)
    expect(left).toContain('Knows nobody')
    expect((await alice.rest.listEntities({})).entities.map(({ name }) => name)).toEqual(['Bob'])
  })

  test('takes ids, refuses unknown names and aliases, and then erases nothing', async () => {
    const [ada, bob] = [await create('Ada', 'Lives in Porto'), await create('Bob', 'Knows Ada')]
    const unknown = await erase('Ada', 'Nobody', '--yes', ...account)
    expect([unknown.code, unknown.stderr]).toEqual([1, 'No entity is or was named "Nobody".\n'])
    await alice.rest.mergeEntity({ params: { id: bob }, body: { into: ada } })
    const alias = await erase('Bob', '--yes', ...account)
    expect([alias.code, alias.stderr]).toEqual([
      1,
      `"Bob" is another name of "Ada" (${ada}). Erase that entity, by its name or id.\n`,
    ])
    expect((await erase('--yes', ...account)).stderr).toBe(
      'Name the entities to erase, or give their ids with --id.\n',
    )
    expect((await erase('--id', 'ent_zzzz', '--yes', ...account)).stderr).toBe(
      'No entity has or had the id ent_zzzz.\n',
    )
    expect(await erase('--id', ada, '--yes', ...account)).toMatchObject({
      code: 0,
      stdout: 'Erased 1 entity.\n',
    })
    expect(await history()).not.toContain('Porto')
  })

  test('is for the owner', async () => {
    await create('Ada', 'Lives in Porto')
    const member = await addMember(server(), alice)
    const { email } = await member.me()
    const refused = await erase('Ada', '--yes', '--account', email)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('account:manage')
    expect(await history()).toContain('Porto')
  })
})
