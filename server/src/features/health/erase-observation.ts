import type { EraseObservationResponse } from '@loci/contract/health'
import type { Observation } from '@loci/contract/observations'
import { AppError } from '../../ground/errors/app-error.ts'
import { numberOf, toId, toNumber } from '../../ground/lib/ids.ts'
import { listFormerRows } from '../../memory/history/former-spaces.repo.ts'
import { eraseStoredObservation, listTextsOfObservation } from '../../memory/write/erase-observation.ts'
import { reviseObservationOf } from '../../memory/write/revise-observation.ts'
import { storeObservations } from '../../memory/write/store-entities.ts'
import { type GraphWrite, writeGraph } from '../../memory/write/write-graph.ts'
import { type StoredObservation, showObservation, toShownObservation } from '../../rows/codec.ts'
import { findObservations } from '../../rows/observations.repo.ts'
import { transact } from '../../store/transact.ts'
import { type Actor, actorOn } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { forgetAnswersWith } from '../../tenancy/forget-answers.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { forgetRecalls, storeWaitingRecalls } from '../../tenancy/usage/forget-recalls.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { removeFromTurns } from '../conversations/remove-from-turns.ts'
import { eraseTraces } from '../erasures/erase-traces.ts'
import { finishErasing } from '../erasures/finish-erasing.ts'
import { secretsIn } from './hide-secrets.rules.ts'

/**
 * Erases an observation permanently, including from stored responses, recalls, its former spaces and conversations. If it
 * is current, `content` takes its place, as a new observation of the same time that replaces the same ones and is
 * replaced by the same one. Throws `observation_not_found`.
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
  const former = await listFormerRows(ctx.db, actor, 'observations', [number])
  const scopes = [actor, ...[...former.keys()].map((spaceId) => ({ accountId, spaceId }))]
  // First, because nobody would know any more what to look for if the process ended in between.
  await removeFromConversations(ctx, scopes, number)
  const answer = await transact(ctx, accountId, async (inner) => {
    const observation = await eraseIn(inner, actor, number, content)
    for (const scope of scopes.slice(1)) await eraseIn(inner, actorOn(actor, scope), number)
    await recordAudit(inner, actor, {
      action: 'observation_erased',
      subject: { kind: 'observation', id },
      details: { space: toId('spc', actor.spaceId) },
    })
    return { observation }
  })
  await finishErasing(ctx, scopes)
  return answer
}

/** Removes the secrets of an observation from what was said, or all of its text if none is known. */
async function removeFromConversations(ctx: Context, scopes: readonly Scope[], id: number): Promise<void> {
  const texts: string[] = []
  for (const scope of scopes) texts.push(...(await listTextsOfObservation(ctx.db, scope, id)))
  const secrets = texts.flatMap(secretsIn)
  const removed = secrets.length > 0 ? secrets : texts
  for (const scope of scopes) await removeFromTurns(ctx, scope, [...new Set(removed)])
}

async function eraseIn(
  ctx: Context,
  actor: Actor,
  number: number,
  content?: string,
): Promise<Observation | null> {
  const left = await writeGraph(ctx, actor, async (write) => {
    const current = await eraseStoredObservation(write, number)
    const ids = new Set([toId('obs', number)])
    await forgetAnswersWith(write.ctx, write.scope.accountId, ids)
    await forgetRecalls(write.ctx, write.scope, { ids, names: [] })
    return current === undefined || content === undefined ? null : putInPlace(write, current, content)
  })
  await eraseTraces(ctx, actor)
  return left
}

async function putInPlace(
  write: GraphWrite,
  { id, entityId, createdAt, at, until, expiresAt, files, replaces = [], replacedBy }: StoredObservation,
  content: string,
): Promise<Observation> {
  const { db, scope } = write
  const linked = await findObservations(
    db,
    scope,
    replacedBy === undefined ? replaces : [...replaces, replacedBy],
  )
  const by = linked.find((one) => one.id === replacedBy)
  const isEnded = by !== undefined && until === (by.at ?? by.createdAt)
  const kept = linked.filter((one) => one !== by).map((one) => one.id)
  const fields = {
    ...{ at, until: isEnded ? undefined : until, expiresAt, files },
    replaces: kept.length > 0 ? kept : undefined,
  }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const observation = { content, createdAt: Date.parse(createdAt), ...given }
  const [[stored] = []] = await storeObservations(write, [
    { entity: numberOf('ent', entityId), observations: [observation] },
  ])
  if (by === undefined) return showObservation(stored!)
  const left = toId('obs', stored!.id)
  await reviseObservationOf(write, by, { replaces: by.replaces?.map((one) => (one === id ? left : one)) })
  const [replaced] = await findObservations(db, scope, [left])
  return toShownObservation(replaced!)
}
