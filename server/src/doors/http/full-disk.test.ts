import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestServer } from '../../../test/harness.ts'

test('a full disk is reported as such, and existing data stays readable', async () => {
  const server = await startTestServer('sqlite')
  try {
    const { rest } = await server.signUp()
    const body = { name: 'Ada', type: 'person' }
    const { entity } = await rest.createEntity({ body })
    await sql`pragma max_page_count = 1`.execute(server.ctx.db)
    const observations = ['x'.repeat(60_000)]
    await expect(rest.createEntity({ body: { ...body, name: 'Bob', observations } })).rejects.toMatchObject({
      status: 503,
      code: 'database_unavailable',
      message: expect.stringContaining('database disk is full'),
    })
    expect((await rest.getEntity({ params: { id: entity.id } })).entity).toEqual(entity)
  } finally {
    await server.close()
  }
})
