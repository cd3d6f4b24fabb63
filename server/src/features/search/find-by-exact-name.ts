import type { Context } from '../../context.ts'
import { findEntitiesByName } from '../../graph/entities.repo.ts'
import { numberOf } from '../../graph/numbers-of.ts'
import type { Scope } from '../../scope.ts'
import { asksInFirstPerson } from '../../search-index/first-person.ts'
import { noFields } from '../../search-index/passages.ts'
import type { Findings, Inquiry } from './findings.ts'
import { createPassageBook } from './passage-book.ts'
import { noParts } from './ranking.ts'

/** Names that agents use for the entity of the person they talk to. */
const ownNames = ['default_user', 'user', 'User', 'me']
const passagesMax = 50

/**
 * The entity whose name is the whole query, for names of symbols or function words, which are not indexed. For
 * questions about oneself ("Who am I?"), the entity that stands for the user.
 */
export async function findByExactName(
  { db, dialect }: Context,
  scope: Scope,
  inquiry: Inquiry,
): Promise<Partial<Findings> | undefined> {
  const asked = [inquiry.query.trim(), ...(asksInFirstPerson(inquiry.query) ? ownNames : [])]
  const entities = await findEntitiesByName(db, scope, asked)
  if (entities.length === 0) return undefined
  const found = entities.map(({ id, name, type }) => ({ id: numberOf('ent', id), name, type }))
  const book = createPassageBook({ db, dialect }, { ...scope, hasFurther: false }, inquiry)
  const entityIds = found.map(({ id }) => id)
  const passages = await book.findOpenings(entityIds, passagesMax)
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
