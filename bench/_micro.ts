import { makeMemory, withMemory } from './lib/loci.ts'
import { findEntity } from '../server/src/graph/entities.repo.ts'
import { listObservations } from '../server/src/graph/observations.repo.ts'
import { authenticateToken } from '../server/src/auth/authenticate.ts'
import { getEntity } from '../server/src/features/entities/entities.service.ts'
import { DatabaseSync } from 'node:sqlite'
const m = await makeMemory(500)
await withMemory(m.config, async (ctx) => {
  const { id } = await ctx.db.selectFrom('entities').select('id').limit(1).executeTakeFirstOrThrow()
  const q = () => ctx.db.selectFrom('entities').selectAll().where('account_id', '=', m.actor.accountId).where('space_id', '=', 'default').where('id', '=', id)
  const compiled = q().compile()
  const raw = new DatabaseSync(m.config.dataDir + '/loci.db')
  const st = raw.prepare(compiled.sql)
  const time = async (name: string, f: () => unknown, n = 3000) => {
    for (let i = 0; i < n; i++) await f()
    const t = performance.now()
    for (let i = 0; i < n; i++) await f()
    console.log(name, ((performance.now() - t) * 1000 / n).toFixed(1), 'us')
  }
  await time('build', () => q())
  await time('build+compile', () => q().compile())
  await time('executeQuery(compiled)', () => ctx.db.executeQuery(compiled))
  await time('builder execute', () => q().execute())
  await time('raw', () => st.all(...compiled.parameters as any))
  await time('findEntity', () => findEntity(ctx.db, m.actor, id))
  await time('listObservations', () => listObservations(ctx.db, ctx.dialect, m.actor, [id]))
  await time('auth key', () => authenticateToken(ctx, m.apiKey))
  await time('auth session', () => authenticateToken(ctx, m.token))
  await time('getEntity', () => getEntity(ctx, m.actor, id))
  await time('begin/commit', () => ctx.db.transaction().execute(async () => {}), 1000)
})
m.remove()
