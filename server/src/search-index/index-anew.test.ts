import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../test/harness.ts'
import { closeContext, openContext } from '../open-context.ts'
import { indexVersion } from './search-index.repo.ts'

describeOnBothDatabases('an index that an older program made', (server) => {
  test('is made anew at the next start, for each account', async () => {
    const [alice, bob] = [await server().signUp('Alice'), await server().signUp('Bob')]
    for (const { rest } of [alice, bob]) {
      await rest.createEntity({
        body: {
          name: 'Ferry',
          type: 'ship',
          metadata: { harbour: 'Oslo' },
          observations: ['Leaves at nine'],
        },
      })
    }
    const { ctx, config } = server()
    await sql`update passages set terms = 'rubbish', pieces = 7`.execute(ctx.db)
    await sql`update spaces set index_version = ${indexVersion - 1}`.execute(ctx.db)
    await closeContext(await openContext(config, pino({ level: 'silent' })))
    for (const { rest } of [alice, bob]) {
      for (const query of ['leaves nine', 'Oslo', 'ship']) {
        const { observations } = await rest.searchObservations({ query: { query } })
        expect(observations.map(({ content }) => content)).toEqual(['Leaves at nine'])
      }
    }
    const { rows } = await sql<{ version: number }>`
      select distinct index_version as version from spaces`.execute(ctx.db)
    expect(rows).toEqual([{ version: indexVersion }])
  })
})
