import type { ChangeActor } from '@loci/contract/change-actor'
import { type Expression, type SqlBool, sql } from 'kysely'
import { type Operation, operationOfNumber } from '../../rows/operations.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared } from '../../store/prepared.ts'
import { isIn } from '../../tenancy/scope.repo.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** A row of the log with its set's time and actor; the subject's states are in current and past rows. */
export type LoggedChange = {
  seq: number
  setSeq: number
  /** Milliseconds. */
  at: number
  actor: ChangeActor
  /** Whose proposal the actor accepted. */
  behalf?: ChangeActor
  /** The MCP tool that made it; null if none did. */
  tool: string | null
  operation: Operation
  subjectId: number
}

/** From one number to another, both exclusive. */
export type SeqRange = { after: number; before: number }

const changesOf = (db: Db, scope: Scope) =>
  db
    .selectFrom('changes')
    .where('changes.account_id', '=', scope.accountId)
    .where('changes.space_id', '=', scope.spaceId)

type Changes = ReturnType<typeof changesOf>

const withSets = (changes: Changes) =>
  changes.innerJoin('change_sets', (join) =>
    join
      .onRef('change_sets.account_id', '=', 'changes.account_id')
      .onRef('change_sets.space_id', '=', 'changes.space_id')
      .onRef('change_sets.seq', '=', 'changes.set_seq'),
  )

const withAuthors = (changes: Changes) =>
  withSets(changes)
    .innerJoin('actors', (join) =>
      join
        .onRef('actors.account_id', '=', 'change_sets.account_id')
        .onRef('actors.actor_id', '=', 'change_sets.actor_id'),
    )
    .leftJoin('actors as behalf', (join) =>
      join
        .onRef('behalf.account_id', '=', 'change_sets.account_id')
        .onRef('behalf.actor_id', '=', 'change_sets.behalf_id'),
    )
    .select([
      'changes.seq',
      'changes.set_seq',
      'changes.operation',
      'changes.subject_id',
      'change_sets.at',
      'change_sets.tool',
    ])
    .select(['actors.kind', 'actors.ref', 'actors.name', 'actors.client', 'actors.actor_id'])
    .select([
      'behalf.kind as behalfKind',
      'behalf.ref as behalfRef',
      'behalf.name as behalfName',
      'behalf.client as behalfClient',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof withAuthors>['execute']>>[number]

type Window = Scope & SeqRange & { limit: number }
export type Order = 'asc' | 'desc'

/**
 * Limited before they are joined: PostgreSQL expects few changes to be left by the joins, and would join and sort all
 * of the table. A cluster sees only conditions outside, and would ask all nodes.
 */
const within = (db: Db, values: Window, order: Order) => {
  const changes = changesOf(db, values)
    .selectAll()
    .where('changes.seq', '>', values.after)
    .where('changes.seq', '<', values.before)
    .orderBy('changes.seq', order)
    .limit(values.limit)
  return withAuthors(db.selectFrom(changes.as('changes')))
    .where('change_sets.account_id', '=', values.accountId)
    .orderBy('changes.seq', order)
}
const selectWithin = {
  asc: prepared((db, values: Window) => within(db, values, 'asc')),
  desc: prepared((db, values: Window) => within(db, values, 'desc')),
}

/** At most `limit` changes of a range, from its start or (`desc`) its end. */
export async function listLogged(
  db: Db,
  { accountId, spaceId }: Scope,
  { after, before }: SeqRange,
  { order, limit }: { order: Order; limit: number },
): Promise<LoggedChange[]> {
  const rows = await selectWithin[order](db, { accountId, spaceId, after, before, limit })
  return rows.map(toLogged)
}

/** Conditions on a change; an omitted condition matches all. */
export type LogFilter = {
  operations?: readonly number[] | undefined
  actors?: readonly number[] | undefined
  tool?: string | undefined
}

/** Adding nothing to a number keeps its condition from affecting the choice of index. */
const conditions: {
  [Name in keyof Required<LogFilter>]: (db: Db, value: NonNullable<LogFilter[Name]>) => Expression<SqlBool>
} = {
  operations: (db, operations) => dialectOf(db).isOneOfNumbers(sql`changes.operation + 0`, operations),
  actors: (db, actors) => {
    const isAmong = (column: string) => dialectOf(db).isOneOfNumbers(sql`${sql.ref(column)} + 0`, actors)
    return sql<SqlBool>`(${isAmong('change_sets.actor_id')} or ${isAmong('change_sets.behalf_id')})`
  },
  tool: (_, tool) => sql<SqlBool>`change_sets.tool = ${tool}`,
}
const conditionNames = Object.keys(conditions) as (keyof LogFilter)[]

export const isFiltering = (filter: LogFilter) => conditionNames.some((name) => filter[name] !== undefined)

function matching(db: Db, scope: Scope, filter: LogFilter) {
  const given = conditionNames.flatMap((name) =>
    filter[name] === undefined ? [] : conditions[name](db, filter[name] as never),
  )
  return withAuthors(changesOf(db, scope))
    .where((eb) => eb.and(given))
    .orderBy('changes.seq')
}

/** All matching changes of a range, which must be short. */
export async function listFitting(
  db: Db,
  scope: Scope,
  { after, before }: SeqRange,
  filter: LogFilter,
): Promise<LoggedChange[]> {
  const query = matching(db, scope, filter).where('changes.seq', '>', after).where('changes.seq', '<', before)
  return (await query.execute()).map(toLogged)
}

/** The matching ones of these numbers. */
export async function findFitting(
  db: Db,
  scope: Scope,
  seqs: readonly number[],
  filter: LogFilter,
): Promise<LoggedChange[]> {
  const query = matching(db, scope, filter).where(dialectOf(db).isOneOfNumbers('changes.seq', seqs))
  return (await query.execute()).map(toLogged)
}

const selectCounts = prepared((db, values: Scope & SeqRange) =>
  withSets(changesOf(db, values))
    .select(['change_sets.actor_id', 'changes.operation'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('changes.seq', '>', values.after)
    .where('changes.seq', '<', values.before)
    .groupBy(['change_sets.actor_id', 'changes.operation']),
)

/** A number of changes by one actor. */
export type ActorCount = { actorNumber: number; operation: Operation; count: number }

/** The changes of a range, which must be short, counted by actor and operation. */
export async function countLogged(
  db: Db,
  { accountId, spaceId }: Scope,
  { after, before }: SeqRange,
): Promise<ActorCount[]> {
  const rows = await selectCounts(db, { accountId, spaceId, after, before })
  return rows.map(({ actor_id, operation, count }) => ({
    actorNumber: actor_id,
    operation: operationOfNumber(operation),
    count: Number(count),
  }))
}

/** Actors by their numbers. */
export async function findActorsByNumber(
  db: Db,
  accountId: number,
  numbers: readonly number[],
): Promise<Map<number, ChangeActor>> {
  const rows = await db
    .selectFrom('actors')
    .select(['actor_id', 'kind', 'ref', 'name', 'client'])
    .where('account_id', '=', accountId)
    .where(dialectOf(db).isOneOfNumbers('actor_id', numbers))
    .execute()
  return new Map(rows.map((row) => [row.actor_id, toActor(row)]))
}

const actorsMax = 1_000

/** Kinds whose reference is a person, whose agents can write with the person's own key. */
const kindsOfPeople: ChangeActor['kind'][] = ['session', 'personal_key']

/**
 * Numbers of the actors with this reference, this client name, or both. A person's reference alone excludes
 * the agents that used the person's key.
 */
export async function findActors(
  db: Db,
  accountId: number,
  { ref, client }: { ref?: string | undefined; client?: string | undefined },
): Promise<number[]> {
  let query = db.selectFrom('actors').select('actor_id').where('account_id', '=', accountId)
  if (ref !== undefined) query = query.where('ref', '=', ref)
  if (client !== undefined) query = query.where('client', '=', client)
  else query = query.where((eb) => eb.or([eb('client', '=', ''), eb('kind', 'not in', kindsOfPeople)]))
  return (await query.limit(actorsMax).execute()).map((row) => row.actor_id)
}

const selectSetFrom = prepared((db, values: Scope & { seq: number }) =>
  db
    .selectFrom('change_sets')
    .select(['seq', 'at'])
    .where(isIn(values))
    .where('seq', '>=', values.seq)
    .orderBy('seq')
    .limit(1),
)

/** The first set with the number `seq` or a later one. */
export async function findSetFrom(
  db: Db,
  { accountId, spaceId }: Scope,
  seq: number,
): Promise<{ seq: number; at: number } | undefined> {
  const [set] = await selectSetFrom(db, { accountId, spaceId, seq })
  return set
}

/** The changes of a set: from `first` to `last`; undefined if there is no such set. */
export async function findSetRange(
  db: Db,
  scope: Scope,
  seq: number,
): Promise<{ first: number; last: number } | undefined> {
  const set = await findSetFrom(db, scope, seq)
  if (set?.seq !== seq) return undefined
  const next = await findSetFrom(db, scope, seq + 1)
  return { first: seq, last: next === undefined ? await findNewestSeq(db, scope) : next.seq - 1 }
}

const selectNewest = prepared((db, values: Scope) =>
  db.selectFrom('spaces').select('seq').where(isIn(values)),
)

export async function findNewestSeq(db: Db, { accountId, spaceId }: Scope): Promise<number> {
  const [space] = await selectNewest(db, { accountId, spaceId })
  return space?.seq ?? 0
}

/**
 * The number of the last change at or before a moment (milliseconds), 0 if none. Found by binary
 * search: time increases with the number, so an index by time would only add cost to every write.
 */
export async function findSeqAt(db: Db, scope: Scope, at: number): Promise<number> {
  const newest = await findNewestSeq(db, scope)
  let [known, first, last] = [0, 1, newest]
  // Sets that begin before `first` are not later than the moment; those from `last + 1` on are.
  while (first <= last) {
    const middle = Math.floor((first + last) / 2)
    const set = await findSetFrom(db, scope, middle)
    if (set === undefined || set.seq > last || set.at > at) last = middle - 1
    else {
      known = set.seq
      first = set.seq + 1
    }
  }
  return known === 0 ? 0 : ((await findSetRange(db, scope, known))?.last ?? newest)
}

function toLogged(row: Row): LoggedChange {
  return {
    seq: row.seq,
    setSeq: row.set_seq,
    at: row.at,
    actor: toActor(row),
    ...behalfIn(row),
    tool: row.tool,
    operation: operationOfNumber(row.operation),
    subjectId: row.subject_id,
  }
}

function behalfIn({ behalfKind: kind, behalfRef: ref, behalfName: name, behalfClient: client }: Row) {
  if (kind === null || ref === null) return {}
  return { behalf: toActor({ kind, ref, name: name ?? '', client: client ?? '' }) }
}

function toActor({ kind, ref, name, client }: Pick<Row, 'kind' | 'ref' | 'name' | 'client'>): ChangeActor {
  const actor = { kind: kind as ChangeActor['kind'], id: ref, name }
  return client === '' ? actor : { ...actor, client }
}
