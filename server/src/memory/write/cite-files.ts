import type { Observation } from '@loci/contract/observations'
import { numberOf } from '../../ground/lib/ids.ts'
import { bytesOf, type StoredObservation, toObservationColumns } from '../../rows/codec.ts'
import { copyToPast } from '../versions/past-rows.writes.repo.ts'
import { touchEntities, updateRow } from './rows.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'

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
  const since = write.record({ operation: 'observation_updated', subjectId: id })
  await copyToPast(db, scope, 'observations', [{ id, until: since }])
  const columns = toObservationColumns(after)
  write.addBytes(bytesOf('observations', columns) - bytesOf('observations', toObservationColumns(before)))
  await updateRow(db, scope, { table: 'observations', id }, { ...columns, since })
  await touchEntities(db, scope, [{ id: numberOf('ent', before.entityId), at, observations: 0 }])
  return after
}
