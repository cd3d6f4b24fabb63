import type { GraphRelation } from '@loci/contract/graph'
import { isTold } from '@loci/contract/observations'
import type { MapPlace } from '@loci/contract/place-codec'
import { numberOf, toId } from '../../ground/lib/ids.ts'
import { sha256 } from '../../ground/lib/secrets.ts'
import { toIso } from '../../ground/lib/time.ts'
import { findEntitiesAsOf } from '../../memory/history/as-of.ts'
import { listHeldObservations, listHeldRelations } from '../../memory/history/valid-rows.repo.ts'
import { toSeq } from '../../memory/log/seq-of-moment.ts'
import { findVersionsAt } from '../../memory/versions/versions.repo.ts'
import type { StoredObservation } from '../../rows/codec.ts'
import type { Versions } from '../../rows/columns.ts'
import { listEntityTypes } from '../../rows/counters.repo.ts'
import { findEntitiesById } from '../../rows/entities.repo.ts'
import { findObservations, listLatestObservations } from '../../rows/observations.repo.ts'
import { listRelationsAmong } from '../../rows/traversal.repo.ts'
import type { Db } from '../../store/db.ts'
import { findCredential } from '../../tenancy/auth/credentials.repo.ts'
import { readShareSubject } from '../../tenancy/auth/share-subjects.ts'
import { listSpaceNames } from '../../tenancy/auth/spaces.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { listPlaces } from '../maps/maps.service.ts'
import { findShare, type StoredShare } from './shares.repo.ts'

const factsPerEntity = 12
const relationsMax = 1_000

export type SharedFact = { content: string; at: string }
export type SharedEntity = {
  number: number
  name: string
  type: string
  /** The slot of the type's colour. */
  colour: number
  facts: SharedFact[]
  place: MapPlace | undefined
}
export type SharedRelation = { from: number; to: number; type: string }
/** Everything that a shared page shows. */
export type SharedPage = {
  share: StoredShare
  entities: SharedEntity[]
  relations: SharedRelation[]
}

/** What the address of a page leads to; undefined if it is wrong, has expired or was ended, or nothing of it is left. */
export async function readShared(ctx: Context, token: string): Promise<SharedPage | undefined> {
  const credential = await findCredential(ctx.db, sha256(token))
  if (credential?.kind !== 'share') return undefined
  const { spaceId, id } = readShareSubject(credential.subject)
  const scope = { accountId: credential.accountId, spaceId }
  const share = await findShare(ctx.db, scope, id)
  if (share === undefined || (share.expiresAt ?? Number.POSITIVE_INFINITY) <= ctx.now()) return undefined
  if (!(await listSpaceNames(ctx.db, scope.accountId)).some((space) => space.spaceId === spaceId))
    return undefined
  const [said, places, types] = [
    share.asOf === null
      ? await readPresent(ctx, scope, share)
      : await readPast(ctx, scope, share, share.asOf),
    await listPlaces(ctx, scope, share.entities),
    await listEntityTypes(ctx.db, scope),
  ]
  if (said.entities.size === 0) return undefined
  const placeOf = new Map(places.map((place) => [place.entity, place]))
  const colourOf = new Map(types.map(({ type, colour }) => [type, colour]))
  const numbers = share.entities.filter((number) => said.entities.has(number))
  return {
    share,
    entities: numbers.map((number) => ({
      number,
      ...said.entities.get(number)!,
      colour: colourOf.get(said.entities.get(number)!.type) ?? 16,
      facts: isShown(share, number) ? (said.facts.get(number) ?? []) : [],
      place: placeOf.get(number),
    })),
    relations: said.relations.filter(({ from, to }) => isShown(share, from) || isShown(share, to)),
  }
}

/** The page of one entity shows only the names of others. */
const isShown = ({ kind, entities }: StoredShare, number: number) =>
  kind !== 'entity' || entities[0] === number

type Said = {
  entities: Map<number, { name: string; type: string }>
  facts: Map<number, SharedFact[]>
  relations: SharedRelation[]
}

/** What is told now, of what these entities had when the page was made. */
async function readPresent({ db, now }: Context, scope: Scope, share: StoredShare): Promise<Said> {
  const seq = await toSeq(db, scope, toIso(share.createdAt))
  const ids = share.entities.map((number) => toId('ent', number))
  const entities = await findEntitiesById(db, scope, ids)
  const numberOf = new Map(share.entities.map((number) => [toId('ent', number), number]))
  const found = entities.map(({ id }) => id)
  const shown = found.filter((id) => isShown(share, numberOf.get(id)!))
  const newest = { perEntity: factsPerEntity, toldAt: now(), storedBy: share.createdAt }
  const observations = await listLatestObservations(db, scope, shown, newest)
  const relations = await listRelationsAmong(db, scope, { ids: found, limit: relationsMax })
  const then = await readThen(db, scope, seq, { observations, relations })
  const known = observations.filter(({ id, entityId }) => then.observations.get(id) === entityId)
  return {
    entities: new Map(entities.map(({ id, name, type }) => [numberOf.get(id)!, { name, type }])),
    facts: byEntity(
      known.toReversed().map(({ entityId, content, createdAt }) => ({
        entity: numberOf.get(entityId)!,
        content,
        at: createdAt,
      })),
    ),
    relations: relations.filter((one) => then.relations.get(one.id) === endsOf(one)).map(toShared(numberOf)),
  }
}

type Shown = { observations: readonly StoredObservation[]; relations: readonly GraphRelation[] }

/** Whose these were: what came by an import or a merge can be older than the page. */
async function readThen(db: Db, scope: Scope, seq: number, { observations, relations }: Shown) {
  const at = (kind: 'obs' | 'rel', rows: readonly { id: string }[]) =>
    rows.map(({ id }) => ({ id: numberOf(kind, id), seq }))
  const facts = await findVersionsAt(db, scope, 'observations', at('obs', observations))
  const links = await findVersionsAt(db, scope, 'relations', at('rel', relations))
  return {
    observations: new Map(
      [...facts.values()].map((row) => [toId('obs', row.id), toId('ent', row.entity_id)]),
    ),
    relations: new Map([...links.values()].map((row) => [toId('rel', row.id), endsOf(showEnds(row))])),
  }
}

const showEnds = ({ from_id, to_id }: Versions['relations']) => ({
  fromEntityId: toId('ent', from_id),
  toEntityId: toId('ent', to_id),
})
const endsOf = ({ fromEntityId, toEntityId }: ReturnType<typeof showEnds>) => `${fromEntityId} ${toEntityId}`

/** What was true at a moment, of what is still told: nothing that was deleted or erased, or has expired since. */
async function readPast({ db, now }: Context, scope: Scope, share: StoredShare, at: number): Promise<Said> {
  const seq = await toSeq(db, scope, toIso(at))
  const ids = share.entities.map((number) => toId('ent', number))
  const present = new Set((await findEntitiesById(db, scope, ids)).map(({ id }) => id))
  const numbers = share.entities.filter((number) => present.has(toId('ent', number)))
  const entities = await findEntitiesAsOf(db, scope, numbers, seq)
  const held = await listHeldObservations(db, scope, numbers, seq)
  const left = await findObservations(
    db,
    scope,
    held.map(({ id }) => toId('obs', id)),
  )
  const still = new Set(left.filter(({ expiresAt }) => isTold({ expiresAt }, now())).map(({ id }) => id))
  const ends = { seq, limit: relationsMax, among: numbers }
  const relations = await listHeldRelations(db, scope, 'from_id', numbers, ends)
  return {
    entities: new Map([...entities].map(([number, { name, type }]) => [number, { name, type }])),
    facts: byEntity(
      held
        .filter(({ id, replaced_by }) => replaced_by === null && still.has(toId('obs', id)))
        .toReversed()
        .map((row) => ({ entity: row.entity_id, content: row.content, at: toIso(row.created_at) })),
    ),
    relations: relations.map(({ from_id, to_id, type }) => ({ from: from_id, to: to_id, type })),
  }
}

/** The newest facts of each entity first, and not all of many. */
function byEntity(facts: readonly (SharedFact & { entity: number })[]): Map<number, SharedFact[]> {
  const groups = Map.groupBy(facts, ({ entity }) => entity)
  return new Map([...groups].map(([entity, own]) => [entity, own.slice(0, factsPerEntity)]))
}

const toShared =
  (numberOf: ReadonlyMap<string, number>) =>
  ({ fromEntityId, toEntityId, relationType }: GraphRelation): SharedRelation => ({
    from: numberOf.get(fromEntityId)!,
    to: numberOf.get(toEntityId)!,
    type: relationType,
  })
