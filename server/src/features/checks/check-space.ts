import { toId } from '../../ground/lib/ids.ts'
import { readNumbers } from '../../rows/codec.ts'
import { getCounters } from '../../rows/counters.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { CheckedPart } from './checked-part.repo.ts'
import * as spaces from './spaces.repo.ts'

const rowsPerPage = 500

/** Checks a space's counters and aliases against the rows. */
export async function checkSpace(db: Db, scope: Scope): Promise<string[]> {
  return [
    ...(await checkCounters(db, scope)),
    ...(await checkTypes(db, scope)),
    ...(await checkEntities(db, scope)),
    ...(await checkOrphans(db, scope)),
    ...(await checkAliases(db, scope)),
    ...(await checkReplacements(db, scope)),
  ]
}

/** Whether no counter of the part differs from the rows, and no row lacks its entity. */
export async function areCountersRight(db: Db, part: CheckedPart): Promise<boolean> {
  for (const list of [
    spaces.listMiscounted,
    spaces.listTypeDifferences,
    spaces.listEntityDifferences,
    spaces.listOrphans,
  ])
    if ((await list(db, part)).length > 0) return false
  return true
}

async function checkCounters(db: Db, scope: Scope): Promise<string[]> {
  const stored = await getCounters(db, scope)
  const counted = await spaces.countRows(db, scope)
  const names = ['entities', 'relations', 'observations', 'seq'] as const
  return [
    ...names
      .filter((name) => stored[name] !== counted[name])
      .map((name) => `the space's counter of ${name} is ${stored[name]}, should be ${counted[name]}`),
    ...(counted.changes === counted.seq
      ? []
      : [`the change log has gaps: ${counted.changes} changes, the last is number ${counted.seq}`]),
  ]
}

async function checkTypes(db: Db, scope: Scope): Promise<string[]> {
  const differences = await spaces.listTypeDifferences(db, scope)
  return differences.map(
    ({ kind, type, stored, counted }) =>
      `the count of ${kind} type ${JSON.stringify(type)} is ${stored}, should be ${counted}`,
  )
}

async function checkEntities(db: Db, scope: Scope): Promise<string[]> {
  const differences = await spaces.listEntityDifferences(db, scope)
  return differences.flatMap(({ id, observations, observationsCounted, degree, degreeCounted }) => [
    ...(observations === observationsCounted
      ? []
      : [`${toId('ent', id)} counts ${observations} observations, should be ${observationsCounted}`]),
    ...(degree === degreeCounted
      ? []
      : [`${toId('ent', id)} counts ${degree} relation ends, should be ${degreeCounted}`]),
  ])
}

async function checkOrphans(db: Db, scope: Scope): Promise<string[]> {
  const orphans = await spaces.listOrphans(db, scope)
  return orphans.map(({ kind, id }) => `${toId(kind, id)} belongs to an entity that is not there`)
}

/** The merged names stored with entities must match the aliases used for look-ups. */
export async function checkAliases(db: Db, scope: Scope): Promise<string[]> {
  const said = new Map<string, number>()
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: { id: number; aliases: string[] }[] = await spaces.listMergedNames(db, scope, {
      after,
      limit: rowsPerPage,
    })
    for (const { id, aliases } of page) for (const name of aliases) said.set(name, id)
    after = page.length < rowsPerPage ? undefined : page.at(-1)?.id
  }
  const wrong = new Set<string>()
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: { name: string; id: number }[] = await spaces.listAliases(db, {
      ...scope,
      after,
      limit: rowsPerPage,
    })
    for (const { name, id } of page) if (said.get(name) !== id || !said.delete(name)) wrong.add(name)
    after = page.length < rowsPerPage ? undefined : page.at(-1)?.name
  }
  return [...wrong, ...[...said.keys()].filter((name) => !wrong.has(name))].map(
    (name) => `the merged name ${JSON.stringify(name)} and its entity disagree`,
  )
}

/** What an observation replaces must name it, and the other way round. */
export async function checkReplacements(db: Db, scope: Scope): Promise<string[]> {
  const replacedBy = new Map<number, number>()
  const replaces = new Map<number, number[]>()
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: { id: number; replaces: string | null; replaced_by: number | null }[] =
      await spaces.listReplacements(db, { ...scope, after, limit: rowsPerPage })
    for (const row of page) {
      if (row.replaced_by !== null) replacedBy.set(row.id, row.replaced_by)
      if (row.replaces !== null) replaces.set(row.id, readNumbers(row.replaces))
    }
    after = page.length < rowsPerPage ? undefined : page.at(-1)?.id
  }
  const oneSided = [...replacedBy].filter(([id, by]) => !replaces.get(by)?.includes(id))
  const claimed = [...replaces].flatMap(([by, ids]) =>
    ids.filter((id) => replacedBy.get(id) !== by).map((id) => [id, by] as const),
  )
  const current = await spaces.findCurrentObservations(
    db,
    scope,
    claimed.map(([id]) => id),
  )
  return [...oneSided, ...claimed.filter(([id]) => current.has(id))].map(
    ([id, by]) => `${toId('obs', id)} and ${toId('obs', by)} disagree on whether one replaced the other`,
  )
}
