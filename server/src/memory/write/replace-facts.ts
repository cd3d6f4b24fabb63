import { isTold } from '@loci/contract/observations'
import type { StoredObservation } from '../../rows/codec.ts'
import { listObservationsOf } from '../../rows/observations.repo.ts'
import { reviseObservationOf } from './revise-observation.ts'
import type { GraphWrite } from './write-graph.ts'

/** More facts than a decision record has. */
const replacedMax = 1_000

/** Lets the first fact of an entity take the place of all that another one's facts still say. */
export async function replaceFactsOf(write: GraphWrite, old: string, by: string): Promise<void> {
  const [first] = await listTold(write, by)
  const ended = (await listTold(write, old)).slice(0, replacedMax)
  if (first === undefined || ended.length === 0) return
  await reviseObservationOf(write, first, {
    replaces: [...(first.replaces ?? []), ...ended.map(({ id }) => id)],
  })
}

async function listTold({ db, scope, at }: GraphWrite, entityId: string): Promise<StoredObservation[]> {
  return (await listObservationsOf(db, scope, entityId)).filter((row) => isTold(row, at))
}
