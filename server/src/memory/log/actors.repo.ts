import type { Db } from '../../store/db.ts'
import { prepared } from '../../store/prepared.ts'
import type { Caller } from '../../tenancy/auth/actor.ts'

/** The author of changes: an API key or a person, with the program used. */
export type ActorKey = { kind: string; ref: string; client: string }

type OfAccount = ActorKey & { accountId: number }
const selectActor = prepared((db, values: OfAccount) =>
  db
    .selectFrom('actors')
    .select('actor_id')
    .where('account_id', '=', values.accountId)
    .where('kind', '=', values.kind)
    .where('ref', '=', values.ref)
    .where('client', '=', values.client),
)

export async function findActorNumber(
  db: Db,
  accountId: number,
  { kind, ref, client }: ActorKey,
): Promise<number | undefined> {
  const [row] = await selectActor(db, { accountId, kind, ref, client })
  return row?.actor_id
}

export async function insertActor(
  db: Db,
  accountId: number,
  actor: ActorKey & { number: number; name: string },
): Promise<void> {
  await db
    .insertInto('actors')
    .values({
      account_id: accountId,
      actor_id: actor.number,
      kind: actor.kind,
      ref: actor.ref,
      name: actor.name,
      client: actor.client,
    })
    .execute()
}

/** The name of the caller's key or connected app, or of the person; empty if there is none. */
export async function findCallerName(
  db: Db,
  accountId: number,
  { keyId, connectionId, userId }: Pick<Caller, 'keyId' | 'connectionId' | 'userId'>,
): Promise<string> {
  if (keyId !== undefined) {
    const key = db
      .selectFrom('api_keys')
      .select('name')
      .where('account_id', '=', accountId)
      .where('id', '=', keyId)
    return (await key.executeTakeFirst())?.name ?? ''
  }
  if (connectionId !== undefined) {
    const connection = db
      .selectFrom('oauth_grants')
      .select('client_name')
      .where('account_id', '=', accountId)
      .where('id', '=', connectionId)
    return (await connection.executeTakeFirst())?.client_name ?? ''
  }
  const person = await db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return person === undefined ? '' : `${person.first_name} ${person.last_name}`.trim()
}
