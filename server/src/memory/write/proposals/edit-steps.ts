import { endsTooSoon, endsTooSoonMessage } from '@loci/contract/fact-times'
import type { EditedChange } from '@loci/contract/proposals'
import { invalidField } from '../../../ground/errors/app-error.ts'
import { toNumber } from '../../../ground/lib/ids.ts'
import { readNumbers, toObservationColumns } from '../../../rows/codec.ts'
import type { VersionedTable, Versions } from '../../../rows/columns.ts'
import { findCurrent } from '../../versions/versions.repo.ts'
import { isNone } from '../revise-observation.ts'
import type { GraphWrite } from '../write-graph.ts'
import { type ProposedStep, type ProposedSteps, versionedTables } from './proposed-steps.ts'

type Edits = EditedChange['after']

/** Steps as a reviewer edited them. Throws `validation_failed` for a change that is not one of the proposal's. */
export function editSteps(proposed: ProposedSteps, edits: readonly EditedChange[]): ProposedSteps {
  const steps = structuredClone(proposed)
  for (const [i, { subject, leaveOut, after }] of edits.entries()) {
    const id = toNumber('ent', subject.id) ?? toNumber('obs', subject.id) ?? toNumber('rel', subject.id)
    const table = versionedTables.find((name) => steps[name].some((step) => step.id === id))
    if (table === undefined || id === undefined) throw notPartOf(i)
    if (leaveOut) leaveStepOut(steps, table, id)
    else if (after != null) editStep(steps, table, id, after)
  }
  return steps
}

const notPartOf = (place: number) =>
  invalidField(`changes.${place}.subject.id`, 'The proposal does not change this')

/** With a new entity its observations and relations are left out, with a new fact what it replaces. */
function leaveStepOut(steps: ProposedSteps, table: VersionedTable, id: number): void {
  const isNew = steps[table].some((step) => step.id === id && step.add !== undefined)
  for (const name of versionedTables)
    steps[name] = (steps[name] as ProposedStep<VersionedTable>[]).filter((step) => step.id !== id) as never
  if (!isNew) return
  steps.observations = steps.observations.filter(({ add }) => add?.entity_id !== id)
  steps.relations = steps.relations.filter(({ add }) => add?.from_id !== id && add?.to_id !== id)
  if (table === 'observations') forgetReplacedBy(steps, id)
}

/** What a fact replaces is settled when it is applied. */
function forgetReplacedBy(steps: ProposedSteps, id: number): void {
  steps.observations = steps.observations.filter(({ set }) => set?.replaced_by !== id)
}

function editStep(steps: ProposedSteps, table: VersionedTable, id: number, after: NonNullable<Edits>): void {
  for (const step of steps[table]) {
    if (step.id !== id) continue
    const columns = columnsOf(table, step, after)
    const changed = Object.entries(columns).filter(([column, value]) => valueIn(step, column) !== value)
    if (changed.some(([column]) => column === 'replaces' || column === 'true_from'))
      forgetReplacedBy(steps, id)
    Object.assign(step.add ?? step.set ?? {}, Object.fromEntries(changed))
  }
}

/** Undefined for a column of a row that stays as it is. */
const valueIn = ({ add, set }: ProposedStep<VersionedTable>, column: string): unknown =>
  Reflect.get(add ?? set ?? {}, column)

function columnsOf(
  table: VersionedTable,
  step: ProposedStep<VersionedTable>,
  after: NonNullable<Edits>,
): Record<string, unknown> {
  if (table === 'observations') return observationColumns(after)
  if (table === 'relations') {
    const types = [after.relationType, after.type].filter((type) => type !== undefined)
    const type = types.find((one) => one !== valueIn(step, 'type')) ?? types[0]
    return type === undefined ? {} : { type }
  }
  const { name, type, metadata } = after
  return {
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata ?? {}) }),
  }
}

const columnsOfField = {
  content: ['content', 'content_hash'],
  metadata: ['metadata'],
  at: ['true_from'],
  until: ['true_until'],
  expiresAt: ['expires_at'],
  source: ['source'],
  files: ['files', 'cited_repository'],
  replaces: ['replaces'],
} as const satisfies Partial<Record<keyof NonNullable<Edits>, readonly (keyof Versions['observations'])[]>>

function observationColumns({ content, ...after }: NonNullable<Edits>): Record<string, unknown> {
  const fields = Object.entries(after).filter(([name]) => name in columnsOfField)
  const written: Record<string, unknown> = toObservationColumns({
    content: content ?? '',
    ...Object.fromEntries(fields.filter(([, value]) => !isNone(value))),
  })
  const given = new Map([['content', content], ...fields])
  return Object.fromEntries(
    Object.entries(columnsOfField).flatMap(([field, columns]) =>
      given.get(field) === undefined ? [] : columns.map((column) => [column, written[column]]),
    ),
  )
}

/**
 * Throws `validation_failed` for a fact that a reviewer's edit ends before it begins, or lets replace what is not there
 * or replaced already. The steps were applied.
 */
export async function checkEdited({ db, scope }: GraphWrite, edits: readonly EditedChange[]): Promise<void> {
  const edited = edits.map(({ subject, after }) => ({ id: toNumber('obs', subject.id) ?? 0, after }))
  const ids = edited.map(({ id }) => id)
  const rows = ids.some((id) => id > 0) ? await findCurrent(db, scope, 'observations', ids) : new Map()
  for (const [i, { id, after }] of edited.entries()) {
    const row: Versions['observations'] | undefined = rows.get(id)
    if (row === undefined || after == null) continue
    if ((after.at ?? after.until) != null && endsTooSoon({ at: row.true_from, until: row.true_until }))
      throw invalidField(`changes.${i}.after.until`, endsTooSoonMessage)
    const replaced = readNumbers(row.replaces)
    if (after.replaces?.some((one) => !replaced.includes(toNumber('obs', one) ?? 0)))
      throw invalidField(
        `changes.${i}.after.replaces`,
        'Must be facts that are there and not replaced already',
      )
  }
}
