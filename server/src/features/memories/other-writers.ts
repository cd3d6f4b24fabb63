import type { ChangeActor } from '@loci/contract/change-actor'
import { inLine } from '../../ground/lib/for-models.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { findAuthors, findCorrectors } from '../../memory/history/authors.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { findPeople, hasOtherPeople } from './writers.repo.ts'

/**
 * Who wrote these observations, by their id, where that was not the caller's own user: "Ada Lovelace through codex". A
 * correction by somebody else counts as theirs. In an account that only ever had this user there is nothing to tell.
 */
export async function findOtherWriters(
  ctx: Context,
  actor: Actor,
  observationIds: readonly string[],
): Promise<Map<string, string>> {
  if (observationIds.length === 0 || !(await hasOtherPeople(ctx.db, actor.accountId, actor.userId)))
    return new Map()
  return readWriters(ctx, actor, observationIds, (userId) => userId !== actor.userId)
}

/** Who wrote these observations, or last corrected them. */
export const findWriters = (ctx: Context, actor: Actor, observationIds: readonly string[]) =>
  readWriters(ctx, actor, observationIds, () => true)

async function readWriters(
  { db }: Context,
  actor: Actor,
  observationIds: readonly string[],
  isWanted: (userId: string | undefined) => boolean,
): Promise<Map<string, string>> {
  const numbers = observationIds.map((id) => numberOf('obs', id))
  const authors = await findAuthors(db, actor, 'observations', numbers)
  const correctors = await findCorrectors(db, actor, numbers)
  const people = await findPeople(db, actor.accountId, [...authors.values(), ...correctors.values()])
  const isOne = (one: ChangeActor | undefined) => one !== undefined && isWanted(people.get(one.id)?.userId)
  return new Map(
    observationIds.flatMap((id, index) => {
      const wrote = [correctors.get(numbers[index]!), authors.get(numbers[index]!)].find(isOne)
      return wrote === undefined ? [] : [[id, toWriter(wrote, people.get(wrote.id)?.name)]]
    }),
  )
}

/** A person by name, and the program; a key that is gone by its own name. */
export function toWriter({ kind, name, client }: ChangeActor, person = ''): string {
  const who = person || name || 'somebody'
  const credential = kind === 'api_key' || kind === 'oauth' ? name : ''
  const through = [client, credential].find((one) => one !== undefined && one !== '' && one !== who)
  return through === undefined ? inLine(who) : `${inLine(who)} through ${inLine(through)}`
}
