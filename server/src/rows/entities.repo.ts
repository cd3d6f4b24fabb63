import { sql } from 'kysely'
import { chunksOf } from '../ground/lib/chunks.ts'
import type { Cursor } from '../ground/lib/cursors.ts'
import { numbersOf, toId, toNumber } from '../ground/lib/ids.ts'
import { mapPaced } from '../ground/lib/pace.ts'
import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import { prepared, statement } from '../store/prepared.ts'
import { isIn } from '../tenancy/scope.repo.ts'
import type { Scope } from '../tenancy/scope.ts'
import { findAliases } from './aliases.repo.ts'
import { type EntityRow, type StoredEntity, toStoredEntity } from './codec.ts'
import { readColumns } from './columns.ts'

/** Each may have 64 KiB of metadata. */
const rowsPerRead = 100

const inScope = (db: Db, scope: Scope) =>
  db.selectFrom('entities').select(readColumns.entities).where(isIn(scope))

type WithNumber = Scope & { number: number }
const selectEntity = prepared((db, values: WithNumber) => inScope(db, values).where('id', '=', values.number))

export async function findEntity(db: Db, scope: Scope, id: string): Promise<StoredEntity | undefined> {
  const number = toNumber('ent', id)
  if (number === undefined) return undefined
  const [row] = await selectEntity(db, { accountId: scope.accountId, spaceId: scope.spaceId, number })
  return row === undefined ? undefined : toStoredEntity(row)
}

const selectById = prepared((db, values: Scope & { numbers: readonly number[] }) =>
  inScope(db, values).where(dialectOf(db).isOneOfNumbers('id', values.numbers)).orderBy('id'),
)
const selectByName = prepared((db, values: Scope & { names: readonly string[] }) =>
  inScope(db, values).where(dialectOf(db).isOneOf('name', values.names)).orderBy('id'),
)

/** In order of insertion. */
export async function findEntitiesById(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<StoredEntity[]> {
  const numbers = numbersOf('ent', ids)
  if (numbers.length === 0) return []
  const { accountId, spaceId } = scope
  const found: StoredEntity[] = []
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  for (const some of chunksOf(sorted, rowsPerRead)) {
    const rows = await selectById(db, { accountId, spaceId, numbers: some })
    found.push(...(await mapPaced(rows, toStoredEntity)))
  }
  return found
}

/** The fields of relation ends, by name. */
export async function findEndsByName(
  db: Db,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, { id: string; name: string; type: string }>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('entities')
    .select(['id', 'name', 'type'])
    .where(isIn(scope))
    .where(dialectOf(db).isOneOf('name', names))
    .execute()
  return new Map(rows.map(({ id, name, type }) => [name, { id: toId('ent', id), name, type }]))
}

/** In order of insertion. */
export async function findEntitiesByName(
  db: Db,
  scope: Scope,
  names: readonly string[],
): Promise<StoredEntity[]> {
  if (names.length === 0) return []
  return (await selectByName(db, { ...scope, names })).map(toStoredEntity)
}

const selected = sql.join(readColumns.entities.map((column) => sql.ref(column)))
/** Looked up one by one: a planner that knows nothing of the tables yet would compare all entities with all. */
const selectNamed = prepared((db, { accountId, spaceId, name }: Scope & { name: string }) => {
  const condition = sql`entity.account_id = ${accountId} and entity.space_id = ${spaceId} and entity.id = called`
  return statement<EntityRow>(
    db,
    sql`select ${selected} from (
      select id as called from entities where account_id = ${accountId} and space_id = ${spaceId} and name = ${name}
      union all
      select entity_id from aliases where account_id = ${accountId} and space_id = ${spaceId} and name = ${name}
    ) as named ${dialectOf(db).lookUp('entities', 'entity', condition)}`,
  )
})

/** The entity with this name, or else the one with it as an alias. */
export async function findEntityNamed(
  db: Db,
  { accountId, spaceId }: Scope,
  name: string,
): Promise<StoredEntity | undefined> {
  const rows = await selectNamed(db, { accountId, spaceId, name })
  const row = rows.find((one) => one.name === name) ?? rows[0]
  return row && toStoredEntity(row)
}

type Page = Scope & Cursor & { type: string; limit: number }
const newestFirst = (db: Db, values: Page) =>
  inScope(db, values)
    .select((eb) => eb.selectFrom('spaces').select('entities').where(isIn(values)).as('total'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(values.limit)
const newestOfType = (db: Db, values: Page) => newestFirst(db, values).where('type', '=', values.type)
const after = (query: ReturnType<typeof newestFirst>, { at, id }: Cursor) =>
  query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(at, id)))
const selectPage = {
  ofAll: prepared(newestFirst),
  ofAllAfter: prepared((db, values: Page) => after(newestFirst(db, values), values)),
  ofType: prepared(newestOfType),
  ofTypeAfter: prepared((db, values: Page) => after(newestOfType(db, values), values)),
}

type AskedPage = { type?: string; cursor: Cursor | undefined; limit: number }

/** Newest first, all or of one type, after `cursor`; at most `limit`. */
export async function listEntityRows(db: Db, scope: Scope, page: AskedPage): Promise<StoredEntity[]> {
  return (await listCountedEntities(db, scope, page)).entities
}

/** The same with the number of all entities of the space; without it if there is nothing on the page. */
export async function listCountedEntities(
  db: Db,
  scope: Scope,
  { type, cursor, limit }: AskedPage,
): Promise<{ entities: StoredEntity[]; total: number | undefined }> {
  const select =
    selectPage[`${type === undefined ? 'ofAll' : 'ofType'}${cursor === undefined ? '' : 'After'}`]
  const asked = Math.min(limit, rowsPerRead)
  const rows = await select(db, { ...scope, limit: asked, type: type ?? '', ...(cursor ?? { at: 0, id: 0 }) })
  const entities = await mapPaced(rows, toStoredEntity)
  const last = rows.at(-1)
  const total = rows[0]?.total ?? undefined
  if (last === undefined || rows.length < asked || asked === limit) return { entities, total }
  const next = { at: last.created_at, id: last.id }
  const page = { limit: limit - asked, cursor: next, ...(type === undefined ? {} : { type }) }
  return { entities: [...entities, ...(await listEntityRows(db, scope, page))], total }
}

/** In the order of the database's collation. */
export async function listEntityNames(db: Db, scope: Scope, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('entities')
    .select('name')
    .where(isIn(scope))
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

/** In order of insertion, after the id `after` if given. */
export async function listEntitiesInOrder(
  db: Db,
  scope: Scope,
  after: string | undefined,
  limit: number,
): Promise<StoredEntity[]> {
  const number = after === undefined ? 0 : (toNumber('ent', after) ?? 0)
  const rows = await inScope(db, scope).where('id', '>', number).orderBy('id').limit(limit).execute()
  return rows.map(toStoredEntity)
}

/** Most connected first. */
export async function listEntitiesByDegree(
  db: Db,
  scope: Scope,
  page: { cursor: Cursor | undefined; limit: number },
): Promise<StoredEntity[]> {
  let query = inScope(db, scope)
  if (page.cursor !== undefined) {
    const { at, id } = page.cursor
    query = query.where((eb) => eb(eb.refTuple('degree', 'id'), '<', eb.tuple(at, id)))
  }
  const rows = await query.orderBy('degree', 'desc').orderBy('id', 'desc').limit(page.limit).execute()
  return rows.map(toStoredEntity)
}

/** The entities with these names or aliases, in order of insertion. */
export async function findNamed(
  db: Db,
  scope: Scope,
  names: readonly string[],
): Promise<Map<string, StoredEntity>> {
  const wanted = [...new Set(names)]
  if (wanted.length === 1) {
    const [name] = wanted as [string]
    const entity = await findEntityNamed(db, scope, name)
    return new Map(entity === undefined ? [] : [[name, entity]])
  }
  const found = new Map((await findEntitiesByName(db, scope, wanted)).map((entity) => [entity.name, entity]))
  const missing = wanted.filter((name) => !found.has(name))
  const aliases = await findAliases(db, scope, missing)
  if (aliases.size === 0) return found
  const ids = [...new Set(aliases.values())].map((id) => toId('ent', id))
  const merged = new Map((await findEntitiesById(db, scope, ids)).map((entity) => [entity.id, entity]))
  for (const [name, id] of aliases) {
    const entity = merged.get(toId('ent', id))
    if (entity !== undefined) found.set(name, entity)
  }
  return found
}
