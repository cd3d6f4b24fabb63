import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { zipOf } from '../../../test/zip-of.ts'
import { checkAll } from '../checks/checks.service.ts'

describeOnBothDatabases('imported decision records', (server) => {
  const files = {
    '0001-use-postgresql.md':
      '# 1. Use PostgreSQL\n\nDate: 2023-01-10\n\nStatus: Superseded by ADR-0002\n\nOrders are kept in PostgreSQL.',
    '0002-use-mysql.md':
      '# 2. Use MySQL\n\nDate: 2024-02-01\n\nStatus: Superseded by [3. Use SQLite](0003-use-sqlite.md)\n\nOrders are kept in MySQL.',
    '0003-use-sqlite.md':
      '# 3. Use SQLite\n\nDate: 2025-03-05\n\nStatus: Accepted\n\nOrders are kept in SQLite.',
  }

  test('take the place of what they supersede, from their date on', async () => {
    const { rest } = await server().signUp()
    const body = (await zipOf(files)) as never
    expect((await rest.import({ body })).import).toMatchObject({ state: 'finished' })
    const query = 'Where are orders kept?'
    const found = async (more = {}) =>
      (await rest.searchObservations({ query: { query, ...more } })).observations
    const contents = (await found()).map(({ content }) => content)
    expect(contents[0]).toBe('Orders are kept in SQLite.')
    expect(contents).not.toContain('Orders are kept in MySQL.')
    expect(contents).not.toContain('Orders are kept in PostgreSQL.')
    const replaced = await found({ states: 'replaced' })
    const untilOf = (text: string) => replaced.find(({ content }) => content === text)?.until?.slice(0, 10)
    expect(untilOf('Orders are kept in PostgreSQL.')).toBe('2024-02-01')
    expect(untilOf('Orders are kept in MySQL.')).toBe('2025-03-05')
    for await (const difference of checkAll(server().ctx)) expect.fail(JSON.stringify(difference))
    const { changes } = await rest.listChanges({ query: { limit: '1' } })
    await rest.import({ body })
    expect((await rest.listChanges({ query: { limit: '1' } })).changes[0]!.seq).toBe(changes[0]!.seq)
    await rest.undoChangeSet({ params: { setId: changes[0]!.setId } })
    expect((await rest.listEntities({ query: {} })).total).toBe(0)
  })
})
