import { sql } from 'kysely'
import { readIds } from '../../ground/lib/id-lists.ts'
import { breathe } from '../../ground/lib/pace.ts'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { blockOf, bytesPerId, firstIdOf, mergeIds, unpackIds } from './packed-ids.ts'
import type { OlderPassages, PostedTerm } from './postings.ts'

/** Postings of a term: ids of rows; of blocks their numbers, byte lengths and bytes. */
type Found = {
  term: string
  ids: string | null
  blocks: string | null
  sizes: string | null
  bytes: Buffer | null
}

const isIn = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`

/** The newest passages of each term with ids below a limit, at most as many as asked; terms without any are left out. */
export async function readBelow(
  db: Db,
  { accountId, spaceId }: Scope,
  asked: readonly OlderPassages[],
): Promise<PostedTerm[]> {
  const found = await selectBelow(db, {
    accountId,
    spaceId,
    terms: asked.map(({ term }) => term),
    below: asked.map(({ below }) => below),
    lastBlocks: asked.map(({ below }) => blockOf(below)),
    limits: asked.map(({ limit }) => limit),
  })
  const askedOf = new Map(asked.map((one) => [one.term, one]))
  const posted: PostedTerm[] = []
  for (const row of found) {
    const { term, below, limit } = askedOf.get(row.term)!
    const all = toIds(row).filter((id) => id < below)
    const ids = all.subarray(Math.max(0, all.length - limit)).reverse()
    if (ids.length > 0) posted.push({ term, ids })
  }
  return posted
}

type Below = Scope & {
  terms: readonly string[]
  /** For each term. */
  below: readonly number[]
  lastBlocks: readonly number[]
  limits: readonly number[]
}

/**
 * Takes as many blocks, newest first, as together have enough ids, and of each block only its last ids. It is unknown
 * how many ids of the block of `below` are below it, so that block is read whole and not counted.
 */
const selectBelow = prepared((db: Db, values: Below) =>
  statement<Found>(
    db,
    sql`select asked.term, posted.ids, packed.blocks, packed.sizes, packed.bytes
      from unnest(${values.terms}::text[], ${values.below}::bigint[], ${values.lastBlocks}::int[], ${values.limits}::int[])
        as asked (term, below, last_block, most)
      cross join lateral (
        select string_agg(passage_id::text, ',') as ids from (
          select passage_id from postings
          where ${isIn(values)} and term = asked.term and passage_id < asked.below
          order by passage_id desc limit asked.most
        ) as newest
      ) as posted
      cross join lateral (
        select string_agg(block::text, ',') as blocks, string_agg(octet_length(ids)::text, ',') as sizes,
          string_agg(ids, ''::bytea) as bytes
        from (
          select block, case when is_last then ids
            else substr(ids, greatest(1, octet_length(ids) + 1 - asked.most * ${sql.lit(bytesPerId)})) end as ids
          from (
            select block, ids, is_last, sum(size) over (order by block desc) - size as newer from (
              select block, ids, block = asked.last_block as is_last,
                case when block = asked.last_block then 0 else octet_length(ids) end as size
              from posting_blocks
              where ${isIn(values)} and term = asked.term and block <= asked.last_block
              order by block desc limit asked.most + 1
            ) as newest
          ) as counted
          where newer < asked.most * ${sql.lit(bytesPerId)}
        ) as cut
      ) as packed
      where posted.ids is not null or packed.blocks is not null`,
  ),
)

/** All passages of each term with ids from `from` to `to`; terms without passages are left out. */
export async function readBetween(
  db: Db,
  scope: Scope,
  terms: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<PostedTerm[]> {
  const { rows } = await sql<Found>`
    select asked.term, posted.ids, packed.blocks, packed.sizes, packed.bytes
    from unnest(${terms}::text[]) as asked (term)
    cross join lateral (
      select string_agg(passage_id::text, ',') as ids from postings
      where ${isIn(scope)} and term = asked.term and passage_id between ${from} and ${to}
    ) as posted
    cross join lateral (
      select string_agg(block::text, ',') as blocks, string_agg(octet_length(ids)::text, ',') as sizes,
        string_agg(ids, ''::bytea) as bytes
      from posting_blocks
      where ${isIn(scope)} and term = asked.term and block between ${blockOf(from)} and ${blockOf(to)}
    ) as packed
    where posted.ids is not null or packed.blocks is not null`.execute(db)
  const posted: PostedTerm[] = []
  for (const row of rows) {
    await breathe()
    const ids = toIds(row).filter((id) => id >= from && id <= to)
    if (ids.length > 0) posted.push({ term: row.term, ids: ids.reverse() })
  }
  return posted
}

/** Ascending. */
function toIds({ ids, blocks, sizes, bytes }: Found): Uint32Array {
  const lists = [readIds(ids ?? '')]
  const sizeOf = readIds(sizes ?? '')
  let start = 0
  for (const [place, block] of readIds(blocks ?? '').entries()) {
    const end = start + sizeOf[place]!
    lists.push(unpackIds(block, bytes!.subarray(start, end)))
    start = end
  }
  return mergeIds(...lists)
}

/** The newest passages that contain a term with this prefix, at most `limit`. */
export async function readStarting(
  db: Db,
  { accountId, spaceId }: Scope,
  { beginning, limit }: { beginning: string; limit: number },
): Promise<Uint32Array> {
  const [posted] = await selectStarting(db, { accountId, spaceId, beginning, limit })
  return readIds(posted?.ids ?? '')
}

/** Sorts after every continuation of a term. */
const afterAll = '\u{10fffd}'
const idsPerBlock = firstIdOf(1)

type Starting = Scope & { beginning: string; limit: number }

/** `ids || ''` is in memory: taking each byte from the stored value would read that value again. */
const selectStarting = prepared((db: Db, values: Starting) =>
  statement<{ ids: string | null }>(
    db,
    sql`select string_agg(id::text, ',') as ids from (
      select id from (
        select passage_id as id from postings where ${isStarting(values)}
        union
        select block::bigint * ${sql.lit(idsPerBlock)} + get_byte(ids, at) * 256 + get_byte(ids, at + 1) as id
        from (
          select block, ids || ''::bytea as ids from posting_blocks where ${isStarting(values)} offset 0
        ) as packed, generate_series(0, octet_length(ids) - 1, ${sql.lit(bytesPerId)}) as at
      ) as posted
      order by id desc limit ${values.limit}
    ) as newest`,
  ),
)

const isStarting = (values: Starting) => sql`${isIn(values)} and term >= ${values.beginning}::text
  and term < ${values.beginning}::text || ${afterAll}`
