import type { Db } from '../../store/db.ts'
import { afterCommit } from '../../store/transact.ts'
import type { Caller } from '../../tenancy/auth/actor.ts'
import { type ActorKey, findActorNumber, findCallerName, insertActor } from './actors.repo.ts'

/** The stored form of a key or person; `''` for fields that a caller lacks. */
const keyOf = ({ kind, keyId, connectionId, userId, client = '' }: Caller): ActorKey => ({
  kind,
  ref: keyId ?? connectionId ?? userId,
  client,
})

const known = new WeakMap<object, Map<string, number>>()
const knownMax = 10_000

/**
 * The number of a caller among the actors of an account; a new caller gets the number `next`. Requires
 * the account's lock.
 */
export async function internActor(db: Db, accountId: number, caller: Caller, next: number): Promise<number> {
  const actor = keyOf(caller)
  const memory = memoryOf(db)
  const memoryKey = JSON.stringify([accountId, actor.kind, actor.ref, actor.client])
  const remembered = memory.get(memoryKey)
  if (remembered !== undefined) return remembered
  const found = await findActorNumber(db, accountId, actor)
  const number = found ?? next
  if (found === undefined) {
    await insertActor(db, accountId, { ...actor, number, name: await findCallerName(db, accountId, caller) })
  }
  afterCommit(db, () => {
    if (memory.size >= knownMax) memory.clear()
    memory.set(memoryKey, number)
  })
  return number
}

/** By database; a committed actor keeps its number for as long as its account exists. */
function memoryOf(db: Db): Map<string, number> {
  const { adapter } = db.getExecutor()
  const memory = known.get(adapter) ?? new Map<string, number>()
  known.set(adapter, memory)
  return memory
}
