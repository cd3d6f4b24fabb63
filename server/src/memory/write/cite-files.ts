import type { Observation } from '@loci/contract/observations'
import { numberOf } from '../../ground/lib/ids.ts'
import { type StoredObservation, toObservationColumns } from '../../rows/codec.ts'
import { touchEntities } from './rows.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'
import { resetObservations } from './write-rows.ts'

type Citing = Pick<Observation, 'files' | 'stale'>

/** The files of a fact that is true although they changed: as they are now, without those that have gone. */
export function confirmFiles({ files = [], stale = [] }: Citing): Observation['files'] {
  const confirmed = files.flatMap((file) => {
    const found = stale.find(({ path, lines }) => path === file.path && lines === file.lines)
    if (found === undefined) return [file]
    return found.reason === 'gone' || found.hash === undefined ? [] : [{ ...file, hash: found.hash }]
  })
  return confirmed.length === 0 ? undefined : confirmed
}

/** Sets what an observation rests on, and which of that is stale. Its text and times stay, so it is not analysed anew. */
export async function citeFiles(
  write: GraphWrite,
  before: StoredObservation,
  { files, stale }: Citing,
): Promise<StoredObservation> {
  const { db, scope, at } = write
  const { files: _, stale: __, ...rest } = before
  const after: StoredObservation = { ...rest, ...(files && { files }), ...(stale && { stale }) }
  const id = numberOf('obs', before.id)
  await resetObservations(write, [
    { before: { id, ...toObservationColumns(before) }, after: { id, ...toObservationColumns(after) } },
  ])
  await touchEntities(db, scope, [{ id: numberOf('ent', before.entityId), at, observations: 0 }])
  return after
}
