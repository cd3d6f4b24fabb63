import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/harness.ts'

/** The named statements of a PostgreSQL connection that has been used. */
async function listNamed({ ctx }: TestServer): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
    ctx.db,
  )
  return rows.map(({ statement }) => statement)
}

test.each([true, false])(
  'on postgres the queries of calls are kept by name, unless told not to: %s',
  async (on) => {
    const server = await startTestServer('postgres', { namedStatements: on })
    const { rest } = await server.signUp()
    await rest.createEntity({ body: { name: 'Ada', type: 'person', observations: ['counts engines'] } })
    const { observations } = await rest.searchObservations({ query: { query: 'engines' } })
    expect(observations).toHaveLength(1)
    expect((await listNamed(server)).some((text) => text.includes('"account_id" = $1'))).toBe(on)
    await server.close()
  },
)

test('on postgres calls go on when another process gives a table one more column', async () => {
  const server = await startTestServer('postgres')
  const { rest } = await server.signUp()
  const { entity } = await rest.createEntity({ body: { name: 'Ada', type: 'person' } })
  const params = { id: entity.id }
  const read = () => rest.getEntity({ params })
  const write = () => rest.createObservations({ params, body: { content: 'counts engines' } })
  for (const [index, first] of [read, write, read].entries()) {
    await read()
    await write()
    await sql`alter table entities add column ${sql.ref(`later_${index}`)} text`.execute(server.ctx.db)
    await first()
  }
  await server.close()
})
