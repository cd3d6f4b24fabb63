import type { EraseObservationResponse } from '@loci/contract/health'
import type { Observation } from '@loci/contract/observations'
import { AppError } from '../../ground/errors/app-error.ts'
import { toId, toNumber } from '../../ground/lib/ids.ts'
import { listFormerRows } from '../../memory/history/former-spaces.repo.ts'
import { eraseStoredObservation } from '../../memory/write/erase-observation.ts'
import { storeObservations } from '../../memory/write/store-entities.ts'
import { type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import { type StoredObservation, showObservation } from '../../rows/codec.ts'
import { numberOf } from '../../rows/numbers-of.ts'
import { transact } from '../../store/transact.ts'
import { type Actor, actorOn } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { forgetAnswersWith } from '../../tenancy/forget-answers.ts'
import { forgetRecalls, storeWaitingRecalls } from '../../tenancy/usage/forget-recalls.ts'
import { recordAudit } from '../audit/record-audit.ts'

/**
 * Erases an observation permanently, including from stored responses, recalls and its former spaces. If it is current,
 * `content` takes its place, as a new observation of the same time. Throws `observation_not_found`.
 */
export async function eraseObservation(
  ctx: Context,
  actor: Actor,
  id: string,
  content: string | undefined,
): Promise<EraseObservationResponse> {
  const number = toNumber('obs', id)
  if (number === undefined) throw new AppError('observation_not_found', 'Observation not found')
  const { accountId } = actor
  await storeWaitingRecalls(ctx)
  return transact(
    ctx,
    async (inner) => {
      const former = await listFormerRows(inner.db, actor, 'observations', [number])
      const observation = await eraseIn(inner, actor, number, content)
      for (const spaceId of former.keys())
        await eraseIn(inner, actorOn(actor, { accountId, spaceId }), number)
      await recordAudit(inner, actor, {
        action: 'observation_erased',
        subject: { kind: 'observation', id },
        details: { space: toId('spc', actor.spaceId) },
      })
      return { observation }
    },
    accountId,
  )
}

async function eraseIn(
  ctx: Context,
  actor: Actor,
  number: number,
  content?: string,
): Promise<Observation | null> {
  return writeGraph(ctx, actor, async (write) => {
    const current = await eraseStoredObservation(write, number)
    const ids = new Set([toId('obs', number)])
    await forgetAnswersWith(write.ctx, write.scope.accountId, ids)
    await forgetRecalls(write.ctx, write.scope, { ids, names: [] })
    return current === undefined || content === undefined ? null : putInPlace(write, current, content)
  })
}

async function putInPlace(
  write: GraphWrite,
  { entityId, createdAt, at, until, expiresAt, files }: StoredObservation,
  content: string,
): Promise<Observation> {
  const fields = { at, until, expiresAt, files }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const observation = { content, createdAt: Date.parse(createdAt), ...given }
  const [[stored] = []] = await storeObservations(write, [
    { entity: numberOf('ent', entityId), observations: [observation] },
  ])
  return showObservation(stored!)
}
