import { setImmediate as nextTask } from 'node:timers/promises'
import { sql } from 'kysely'
import { chunksOf } from '../ground/lib/chunks.ts'
import { numberOf, numbersOf, toId, toNumber } from '../ground/lib/ids.ts'
import { mapPaced } from '../ground/lib/pace.ts'
import { toIso } from '../ground/lib/time.ts'
import type { Db } from '../store/db.ts'
import { dialectOf } from '../store/dialect-of.ts'
import { prepared } from '../store/prepared.ts'
import type { ObservationsTable } from '../store/schema.ts'
import { isIn } from '../tenancy/scope.repo.ts'
import type { Scope } from '../tenancy/scope.ts'
import { contentHashOf, type ObservationRow, type StoredObservation, toStoredObservation } from './codec.ts'
import { readColumns } from './columns.ts'

/** Each may have 64 KiB of text and of metadata, and SQLite reads them in one piece. */
const rowsPerRead = 100

const inScope = (db: Db, scope: Scope) =>
  db.selectFrom('observations').select(readColumns.observations).where(isIn(scope))

type OfEntities = Scope & { entities: readonly number[]; limit: number }
const selectOfEntities = prepared((db, values: OfEntities) =>
  inScope(db, values)
    .where(dialectOf(db).isOneOfNumbers('entity_id', values.entities))
    .orderBy('entity_id')
    .orderBy('id')
    .limit(values.limit),
)

/** Oldest first; observations of the same time in order of insertion. */
export async function listObservations(
  db: Db,
  { accountId, spaceId }: Scope,
  entityIds: readonly string[],
): Promise<StoredObservation[]> {
  const read: ObservationRow[] = []
  let entities = numbersOf('ent', entityIds)
  while (entities.length > 0) {
    const rows = await selectOfEntities(db, { accountId, spaceId, entities, limit: rowsPerRead })
    read.push(...rows)
    const last = rows.length < rowsPerRead ? undefined : rows.at(-1)
    if (last === undefined) break
    await nextTask()
    read.push(...(await listRowsAfter(db, { accountId, spaceId }, last.entity_id, last.id)))
    entities = entities.filter((id) => id > last.entity_id)
  }
  return mapPaced(read.sort(byAge), toStoredObservation)
}

export type Latest = {
  perEntity: number
  /** Only what is told at this time. */
  toldAt?: number
  /** Only what had been stored by then. */
  storedBy?: number
}

/** The observations of each entity that were stored last, in order of insertion. Each is an index lookup. */
export async function listLatestObservations(
  db: Db,
  scope: Scope,
  entityIds: readonly string[],
  { perEntity, toldAt, storedBy }: Latest,
): Promise<StoredObservation[]> {
  const entities = numbersOf('ent', entityIds)
  if (entities.length === 0) return []
  const { accountId, spaceId } = scope
  const wanted = dialectOf(db).rowsOf(
    'wanted',
    entities.map((id) => ({ wanted_id: id })),
  )
  const isTold =
    toldAt === undefined
      ? sql``
      : sql`and replaced_by is null and (expires_at is null or expires_at > ${toldAt})`
  const wasStored = storedBy === undefined ? sql`` : sql`and created_at <= ${storedBy}`
  const nth = Array.from(
    { length: perEntity },
    (_, place) => sql`(select id from observations where account_id = ${accountId} and space_id = ${spaceId}
      and entity_id = wanted.wanted_id ${isTold} ${wasStored} order by entity_id desc, id desc limit 1 offset ${place})
      as ${sql.ref(`nth_${place}`)}`,
  )
  const { rows } = await sql<Record<string, number | null>>`select ${sql.join(nth)} from ${wanted}`.execute(
    db,
  )
  const numbers = rows.flatMap((row) => Object.values(row).filter((id) => id !== null))
  return (await selectById(db, { accountId, spaceId, numbers })).map(toStoredObservation)
}

/** The same for one entity, without the round trip through JSON that a list takes. */
export async function listObservationsOf(
  db: Db,
  { accountId, spaceId }: Scope,
  entityId: string,
): Promise<StoredObservation[]> {
  const read = await listRowsAfter(db, { accountId, spaceId }, numberOf('ent', entityId), 0)
  return mapPaced(read.sort(byAge), toStoredObservation)
}

/** The observations of an entity with a higher number, in order of insertion. */
async function listRowsAfter(db: Db, scope: Scope, entity: number, after: number): Promise<ObservationRow[]> {
  const read: ObservationRow[] = []
  for (let from = after, isWhole = false; !isWhole; from = read.at(-1)?.id ?? from) {
    const rows = await selectAfter(db, { ...scope, entity, from, limit: rowsPerRead })
    read.push(...rows)
    isWhole = rows.length < rowsPerRead
    if (!isWhole) await nextTask()
  }
  return read
}

const byAge = (a: ObservationRow, b: ObservationRow) => a.created_at - b.created_at || a.id - b.id

const selectById = prepared((db, values: Scope & { numbers: readonly number[] }) =>
  inScope(db, values).where(dialectOf(db).isOneOfNumbers('id', values.numbers)).orderBy('id'),
)

export async function findObservations(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<StoredObservation[]> {
  const numbers = numbersOf('obs', ids)
  if (numbers.length === 0) return []
  const rows = await selectById(db, { accountId: scope.accountId, spaceId: scope.spaceId, numbers })
  return rows.map(toStoredObservation)
}

type WithHashes = Scope & { entity: number; hashes: readonly number[] }
const selectWithHashes = prepared((db, values: WithHashes) =>
  inScope(db, values)
    .where('entity_id', '=', values.entity)
    .where(dialectOf(db).isOneOfNumbers('content_hash', values.hashes)),
)

/** Observations of an entity with one of these texts, in order of insertion. */
export async function findObservationsWith(
  db: Db,
  { accountId, spaceId }: Scope,
  entityId: string,
  contents: readonly string[],
): Promise<StoredObservation[]> {
  const entity = toNumber('ent', entityId)
  if (entity === undefined || contents.length === 0) return []
  const wanted = new Set(contents)
  const hashes = [...wanted].map(contentHashOf)
  const rows = await selectWithHashes(db, { accountId, spaceId, entity, hashes })
  return rows
    .filter((row) => wanted.has(row.content))
    .sort((a, b) => a.id - b.id)
    .map(toStoredObservation)
}

type OnePage = Scope & { entity: number; from: number; limit: number }
const selectAfter = prepared((db, values: OnePage) =>
  inScope(db, values)
    .where('entity_id', '=', values.entity)
    .where('id', '>', values.from)
    .orderBy('id')
    .limit(values.limit),
)
const selectNewest = prepared((db, values: Omit<OnePage, 'from'>) =>
  inScope(db, values).where('entity_id', '=', values.entity).orderBy('id', 'desc').limit(values.limit),
)
const selectNewestBefore = prepared((db, values: OnePage) =>
  inScope(db, values)
    .where('entity_id', '=', values.entity)
    .where('id', '<', values.from)
    .orderBy('id', 'desc')
    .limit(values.limit),
)

/** Observations of an entity in order of insertion, after the id `after` if given. */
export async function listObservationsAfter(
  db: Db,
  { accountId, spaceId }: Scope,
  entityId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredObservation[]> {
  const from = after === undefined ? 0 : (toNumber('obs', after) ?? 0)
  const entity = numberOf('ent', entityId)
  const rows = await selectAfter(db, { accountId, spaceId, entity, from, limit })
  return rows.map(toStoredObservation)
}

/** Observations of an entity, most recently inserted first; only those before the id `before`, if given. */
export async function listNewestObservations(
  db: Db,
  { accountId, spaceId }: Scope,
  entityId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<StoredObservation[]> {
  const values = { accountId, spaceId, entity: numberOf('ent', entityId), limit }
  const rows = await (before === undefined
    ? selectNewest(db, values)
    : selectNewestBefore(db, { ...values, from: toNumber('obs', before) ?? 0 }))
  return rows.map(toStoredObservation)
}

/** The entity of each of these observations; missing observations are left out. */
export async function findObservationOwners(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const numbers = numbersOf('obs', ids)
  if (numbers.length === 0) return new Map()
  const rows = await db
    .selectFrom('observations')
    .select(['id', 'entity_id'])
    .where(isIn(scope))
    .where(dialectOf(db).isOneOfNumbers('id', numbers))
    .execute()
  return new Map(rows.map((row) => [toId('obs', row.id), toId('ent', row.entity_id)]))
}

/** A text to look for among an entity's observations. */
export type TextOfEntity = { entityId: string; content: string }

type FoundText = TextOfEntity & Pick<StoredObservation, 'replacedBy' | 'expiresAt'>

/** The texts that their entity has among its observations. */
export async function findObservationsByContent(
  db: Db,
  scope: Scope,
  wanted: readonly TextOfEntity[],
): Promise<FoundText[]> {
  const found: FoundText[] = []
  for (const chunk of chunksOf(wanted, textsPerLookUp)) {
    const asked = new Set(chunk.map(keyOfText))
    for (const row of await lookUpTexts(db, scope, chunk)) {
      const text: FoundText = { entityId: toId('ent', row.entity_id), content: row.content }
      if (row.replaced_by !== null) text.replacedBy = toId('obs', row.replaced_by)
      if (row.expires_at !== null) text.expiresAt = toIso(row.expires_at)
      if (asked.has(keyOfText(text))) found.push(text)
    }
  }
  return found
}

const textsPerLookUp = 500
const keyOfText = ({ entityId, content }: TextOfEntity) => `${entityId} ${content}`

type FoundRow = Pick<ObservationsTable, 'entity_id' | 'content' | 'replaced_by' | 'expires_at'>

async function lookUpTexts(
  db: Db,
  { accountId, spaceId }: Scope,
  texts: readonly TextOfEntity[],
): Promise<FoundRow[]> {
  const dialect = dialectOf(db)
  const owners = new Set(texts.map(({ entityId }) => entityId))
  if (owners.size === 1) {
    const [first] = texts
    const values = { accountId, spaceId, entity: numberOf('ent', first!.entityId) }
    const hashes = texts.map(({ content }) => contentHashOf(content))
    return selectWithHashes(db, { ...values, hashes })
  }
  const rows = texts.map(({ entityId, content }) => ({
    entity_id: numberOf('ent', entityId),
    content_hash: contentHashOf(content),
  }))
  const condition = sql`stored.account_id = ${accountId} and stored.space_id = ${spaceId}
    and stored.entity_id = wanted.entity_id and stored.content_hash = wanted.content_hash`
  const { rows: found } = await sql<FoundRow>`
    select stored.entity_id, stored.content, stored.replaced_by, stored.expires_at
    from ${dialect.rowsOf('wanted', rows)} ${dialect.lookUp('observations', 'stored', condition)}`.execute(db)
  return found
}

/** Observations of one entity. */
export type Expired = { scope: Scope; entityId: string; ids: string[] }

/** Observations of all accounts that expired before a time, by entity; also those of spaces that are being deleted. */
export async function listExpired(db: Db, before: number, limit: number): Promise<Expired[]> {
  const rows = await db
    .selectFrom('observations as o')
    .select(['o.account_id', 'o.space_id', 'o.entity_id', 'o.id'])
    .where('o.expires_at', '<=', before)
    .orderBy('o.expires_at')
    .limit(limit)
    .execute()
  const groups = Map.groupBy(rows, (row) => `${row.account_id} ${row.space_id} ${row.entity_id}`)
  return [...groups.values()].map((group) => {
    const { account_id, space_id, entity_id } = group[0]!
    const scope = { accountId: account_id, spaceId: space_id }
    return { scope, entityId: toId('ent', entity_id), ids: group.map(({ id }) => toId('obs', id)) }
  })
}
