import { numberOf } from '../../ground/lib/ids.ts'
import { findEntitiesByName } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { asksInFirstPerson } from '../analyse/first-person.ts'
import { noFields } from '../analyse/passages.ts'
import { type Inquiry, subjectOf } from '../ask/question.ts'
import { createPassageReader } from '../match/passage-reader.ts'
import { userNames } from '../match/subjects.ts'
import { noParts } from '../rank/ranking.ts'
import type { Findings } from './findings.ts'

const passagesMax = 50

/**
 * The entity whose name is the whole query, for names of symbols or function words, which are not indexed. For
 * questions about oneself ("Who am I?"), the entity that stands for the user.
 */
export async function findByExactName(
  ctx: Context,
  scope: Scope,
  inquiry: Inquiry,
): Promise<Partial<Findings> | undefined> {
  const asked = [inquiry.query.trim(), ...(asksInFirstPerson(subjectOf(inquiry.query)) ? userNames : [])]
  const entities = await findEntitiesByName(ctx.db, scope, asked)
  if (entities.length === 0) return undefined
  const found = entities.map(({ id, name, type }) => ({ id: numberOf('ent', id), name, type }))
  const reader = createPassageReader(ctx, { ...scope, hasFurther: false }, inquiry)
  const entityIds = found.map(({ id }) => id)
  const passages = await reader.findOpenings(entityIds, passagesMax)
  const first = new Map(passages.toReversed().map((passage) => [passage.observationId, passage]))
  return {
    names: found.map(({ id, name, type }) => ({
      ...{ id, name, type, fields: noFields, words: new Set<number>() },
      ...{ score: 1, isNamed: true, isOfType: false },
    })),
    labels: new Map(found.map(({ id, name, type }) => [id, { id, name, type }])),
    ranked: [...first.values()].map((passage) => ({ passage, score: 1, parts: { ...noParts, named: 1 } })),
    unknown: [],
    guessed: new Map(),
    isBare: false,
  }
}
