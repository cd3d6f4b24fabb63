import { isBefore } from '@loci/contract/fact-times'
import { AppError } from '../../ground/errors/app-error.ts'
import { inLine } from '../../ground/lib/for-models.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { fromIso, toIso } from '../../ground/lib/time.ts'
import { readNumbers, type StoredObservation, toObservationColumns } from '../../rows/codec.ts'
import type { Versions } from '../../rows/columns.ts'
import type { ObservationsTable } from '../../store/schema.ts'
import { findCurrent, findLastPast } from '../versions/versions.repo.ts'
import type { Step } from './row-changes.ts'
import { touchEntities } from './rows.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'
import { resetObservations } from './write-rows.ts'

/*
 * An observation lists what it replaces; each replaced one names it in `replaced_by`. Of current rows, both always agree:
 * `a.replaced_by` is `b` if and only if `b.replaces` has `a`. A replaced row that was deleted stays in the list.
 */

type Row = Versions['observations']

/** What makes a row a replacing one. */
export type Replacing = Pick<
  ObservationsTable,
  'id' | 'replaces' | 'replaced_by' | 'true_from' | 'created_at'
>

export const replacingOf = (id: number, observation: StoredObservation) => ({
  id,
  ...toObservationColumns(observation),
  created_at: fromIso(observation.createdAt),
})

/** Throws `observation_not_found` for texts that are no ids. */
export function requireIds(ids: readonly string[] = []): void {
  const other = ids.find((id) => toNumber('obs', id) === undefined)
  if (other !== undefined) throw notFound(other)
}

const notFound = (id: string) => new AppError('observation_not_found', `Observation ${inLine(id)} not found`)

/**
 * Ends the rows that new or revised rows say they replace. `known` are numbers that they replaced before. Throws
 * `observation_not_found`, and `observation_replaced` if one of both is replaced already.
 */
export async function linkReplaced(
  write: GraphWrite,
  rows: readonly Replacing[],
  known: ReadonlySet<number> = new Set(),
): Promise<void> {
  const replacing = rows.filter(({ replaces }) => replaces !== null)
  if (replacing.length === 0) return
  const targets = await readReplaced(write, replacing)
  for (const row of replacing) {
    for (const id of readNumbers(row.replaces)) {
      const target = targets.get(id)
      if (target === undefined && known.has(id)) continue
      if (target === undefined) throw notFound(toId('obs', id))
      if (row.id === id || (row.replaced_by !== null && !known.has(id))) throw cannotReplace(row)
      if (target.replaced_by !== null && target.replaced_by !== row.id) throw isReplaced(target)
      targets.set(id, await link(write, target, row))
    }
  }
}

const isReplaced = ({ id, replaced_by }: Row) => {
  const [replaced, by] = [toId('obs', id), toId('obs', replaced_by ?? 0)]
  return new AppError('observation_replaced', `${replaced} was replaced by ${by}: replace that one instead`, {
    details: [{ observationId: replaced, replacedBy: by }],
  })
}

const cannotReplace = ({ id }: Replacing) =>
  new AppError('observation_replaced', `${toId('obs', id)} cannot replace others, or itself: it is replaced`)

/** Lets what these rows replaced be current again, after they were deleted or before they replace other rows. */
export async function unlinkReplaced(write: GraphWrite, rows: readonly Replacing[]): Promise<void> {
  const replacing = rows.filter(({ replaces }) => replaces !== null)
  if (replacing.length === 0) return
  const targets = await readReplaced(write, replacing)
  for (const row of replacing) {
    for (const id of readNumbers(row.replaces)) {
      const target = targets.get(id)
      if (target?.replaced_by === row.id) await unlink(write, target, row)
    }
  }
}

/** Lets a row be current again, with its former end if `by` had ended it. */
async function unlink(
  write: GraphWrite,
  target: Row,
  by?: Pick<Row, 'true_from' | 'created_at'>,
): Promise<void> {
  const isEnded = by !== undefined && target.true_until === beginOf(by)
  const true_until = isEnded ? target.until_before : target.true_until
  await revise(write, target, { replaced_by: null, true_until, until_before: null })
}

const readReplaced = ({ db, scope }: GraphWrite, rows: readonly Replacing[]) =>
  findCurrent(
    db,
    scope,
    'observations',
    rows.flatMap(({ replaces }) => readNumbers(replaces)),
  )

const beginOf = ({ true_from, created_at }: Pick<Row, 'true_from' | 'created_at'>) =>
  true_from ?? toIso(created_at)

async function link(write: GraphWrite, target: Row, row: Replacing): Promise<Row> {
  const begin = beginOf(row)
  const isOver = target.true_until !== null && !isBefore(begin, target.true_until)
  const hasNotBegun = target.true_from !== null && isBefore(begin, target.true_from)
  const true_until = isOver || hasNotBegun ? target.true_until : begin
  return revise(write, target, { replaced_by: row.id, true_until, until_before: target.true_until })
}

async function revise(
  write: GraphWrite,
  row: Row,
  columns: Partial<Pick<Row, 'replaces' | 'replaced_by' | 'true_until' | 'until_before'>>,
): Promise<Row> {
  const { db, scope, at } = write
  const after = { ...row, ...columns }
  await resetObservations(write, [{ before: row, after }])
  await touchEntities(db, scope, [{ id: row.entity_id, at, observations: 0 }])
  return after
}

/** Ends what imported rows replace, now or when it is read later. */
export async function linkImported(write: GraphWrite, rows: readonly ObservationsTable[]): Promise<void> {
  for (const row of rows) {
    if (row.replaced_by !== null) await settleReplaced(write, row.id)
    for (const id of readNumbers(row.replaces)) await settleTarget(write, { ...row, until: null }, id)
  }
}

/** Makes both sides agree after rows came, went or were reset as they once were. */
export async function settleReplacements(
  write: GraphWrite,
  steps: readonly Step<'observations'>[],
): Promise<void> {
  const changed = steps.filter(({ before, after }) => linksOf(before) !== linksOf(after))
  if (changed.length === 0) return
  await unlinkReplaced(
    write,
    changed.flatMap(({ before, after }) => withoutCommon(before, after)),
  )
  const after = changed.flatMap((step) => step.after ?? [])
  for (const { id } of after) await settleReplaced(write, id)
  for (const { id } of after) await settleReplacing(write, id)
}

const linksOf = (row: Row | undefined) =>
  row === undefined ? 'null null' : `${row.replaces} ${row.replaced_by}`

/** The row before, with what it replaced then and no longer does. */
function withoutCommon(before: Row | undefined, after: Row | undefined): Replacing[] {
  if (before === undefined) return []
  const kept = new Set(readNumbers(after?.replaces ?? null))
  const gone = readNumbers(before.replaces).filter((id) => !kept.has(id))
  return [{ ...before, replaces: toColumn(gone) }]
}

const toColumn = (ids: readonly number[]) => (ids.length === 0 ? null : JSON.stringify(ids))

/** A row is replaced only by a current one that says so. */
async function settleReplaced(write: GraphWrite, id: number): Promise<void> {
  const row = await find(write, id)
  if (row === undefined || row.replaced_by === null) return
  const by = await find(write, row.replaced_by)
  if (by !== undefined && readNumbers(by.replaces).includes(id)) return
  const { db, scope } = write
  const past = await findLastPast(db, scope, 'observations', [row.replaced_by])
  await unlink(write, row, by ?? past.get(row.replaced_by))
}

/** A row replaces what is not replaced by another, and what is deleted but was replaced by it. */
async function settleReplacing(write: GraphWrite, id: number): Promise<void> {
  const row = await find(write, id)
  if (row === undefined || row.replaces === null) return
  const wanted = readNumbers(row.replaces)
  const kept: number[] = []
  for (const target of wanted) if (await settleTarget(write, row, target)) kept.push(target)
  if (kept.length < wanted.length) await revise(write, row, { replaces: toColumn(kept) })
}

async function settleTarget(write: GraphWrite, row: Row, id: number): Promise<boolean> {
  const target = await find(write, id)
  if (target === undefined) {
    const { db, scope } = write
    return (await findLastPast(db, scope, 'observations', [id])).get(id)?.replaced_by === row.id
  }
  if (target.replaced_by === row.id) return true
  if (target.replaced_by !== null || (await leadsTo(write, row, id))) return false
  await link(write, target, row)
  return true
}

/** True if `row` was replaced by a row, or by one that replaced that one, and so on. */
async function leadsTo(write: GraphWrite, row: Row, id: number): Promise<boolean> {
  for (let next: Row | undefined = row; next !== undefined; ) {
    if (next.id === id) return true
    next = next.replaced_by === null ? undefined : await find(write, next.replaced_by)
  }
  return false
}

async function find({ db, scope }: GraphWrite, id: number): Promise<Row | undefined> {
  return (await findCurrent(db, scope, 'observations', [id])).get(id)
}

/** Removes rows that left the space from the lists of those that stay. */
export async function forgetReplaced(write: GraphWrite, gone: readonly Row[]): Promise<void> {
  for (const { id, replaced_by } of gone) {
    const by = replaced_by === null ? undefined : await find(write, replaced_by)
    if (by === undefined) continue
    await revise(write, by, { replaces: toColumn(readNumbers(by.replaces).filter((one) => one !== id)) })
  }
}
