import { findEntitiesById } from '../../rows/entities.repo.ts'
import { findObservationOwners, listNewestObservations } from '../../rows/observations.repo.ts'
import { foldCase } from '../../search/analyse/fold.ts'
import { findNearNames } from '../../search/find/find-near-names.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { isObservationId, type MissedObservation } from './delete-memories.ts'
import { findCalled } from './find-called.ts'
import type { NamedRelation } from './graph-part.ts'
import { relationInLine } from './in-line.ts'
import { quote, shorten, suggest } from './not-found.ts'
import { describeRelationsBetween } from './relations-between.ts'

/** Only the first missing items are described. */
const describedMax = 5
/** The nearest text is searched among the entity's newest observations. */
const comparedMax = 200

/** What entities that were not found are called, or similar names; sentences with a leading space, or an empty string. */
export async function describeMissedEntities(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
): Promise<string> {
  const called = await findCalled(ctx, scope, names)
  const others = [...called].map(
    ([name, entity]) => ` ${quote(name)} is another name of ${quote(entity.name)}.`,
  )
  const unknown = names.filter((name) => !called.has(name))
  return others.slice(0, describedMax).join('') + suggest(await findNearNames(ctx, scope, unknown), unknown)
}

/** Describes the texts and ids that matched nothing, and what each was likely meant to match. */
export async function describeMissedObservations(
  ctx: Context,
  scope: Scope,
  missed: readonly MissedObservation[],
): Promise<string> {
  const sentences: string[] = []
  for (const one of missed.slice(0, describedMax)) {
    sentences.push(
      await (isObservationId(one.asked) ? describeId(ctx, scope, one) : describeText(ctx, scope, one)),
    )
  }
  return sentences.join(' ') + restOf(missed)
}

async function describeId(
  ctx: Context,
  scope: Scope,
  { entityName, asked }: MissedObservation,
): Promise<string> {
  const owner = (await findObservationOwners(ctx.db, scope, [asked])).get(asked)
  if (owner === undefined) return `No observation has the id ${asked}.`
  const [other] = await findEntitiesById(ctx.db, scope, [owner])
  return `${asked} belongs to ${quote(other?.name ?? owner)}, not to ${quote(entityName)}.`
}

async function describeText(
  ctx: Context,
  scope: Scope,
  { entityName, entity, asked }: MissedObservation,
): Promise<string> {
  const stored =
    entity === undefined ? [] : await listNewestObservations(ctx.db, scope, entity.id, { limit: comparedMax })
  const nearest = findNearest(asked, stored)
  const missing = `${quote(entityName)} has no observation ${quote(asked)}`
  if (nearest !== undefined) return `${missing}; the nearest is ${nearest.id}: ${quote(nearest.content)}.`
  return stored.length === 0
    ? `${missing}; it has none at all.`
    : `${missing}; explore_entity shows what it has.`
}

/** Describes the relations that were not found, and those that exist between their ends. */
export async function describeMissedRelations(
  ctx: Context,
  scope: Scope,
  missed: readonly NamedRelation[],
): Promise<string> {
  const described = missed.slice(0, describedMax)
  const names = [...new Set(described.flatMap(({ from, to }) => [from, to]))]
  const byName = await findCalled(ctx, scope, names)
  const sentences: string[] = []
  for (const { from, to, relationType } of described) {
    const [source, target] = [byName.get(from), byName.get(to)]
    const why =
      source === undefined || target === undefined
        ? `no entity is named ${quote(source === undefined ? from : to)}.`
        : await describeRelationsBetween(ctx, scope, source, target)
    sentences.push(
      `Not found: ${relationInLine({ from: shorten(from), relationType: shorten(relationType), to: shorten(to) })}. ${capitalized(why)}`,
    )
  }
  const missing = names.filter((name) => !byName.has(name))
  const near = suggest(await findNearNames(ctx, scope, missing), missing)
  return sentences.join(' ') + near + restOf(missed)
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const restOf = (missed: readonly unknown[]) =>
  missed.length > describedMax ? ` And ${missed.length - describedMax} more matched nothing.` : ''

/** Number of characters compared in long texts. */
const textsComparedMax = 2_000
/** Texts with a smaller share of common words count as unrelated. */
const nearnessMin = 0.4

/**
 * The candidate that an inexact text likely meant: one that contains it, or else the one with the most words in common.
 */
export function findNearest<T extends { content: string }>(
  text: string,
  candidates: readonly T[],
): T | undefined {
  const part = text.replace(/^\.\.\. /, '').replace(/ ?(\.\.\.|…)$/, '')
  const containing = part === '' ? undefined : candidates.find(({ content }) => content.includes(part))
  if (containing !== undefined) return containing
  const words = wordsOf(text)
  let best: { candidate: T; nearness: number } | undefined
  for (const candidate of candidates) {
    const nearness = nearnessOf(words, wordsOf(candidate.content))
    if (nearness >= nearnessMin && nearness > (best?.nearness ?? 0)) best = { candidate, nearness }
  }
  return best?.candidate
}

const wordsOf = (text: string) =>
  new Set(foldCase(text.slice(0, textsComparedMax)).match(/[\p{L}\p{N}]+/gu) ?? [])

/** The share of words that two texts have in common (Dice). */
function nearnessOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let common = 0
  for (const word of words) if (others.has(word)) common += 1
  return (2 * common) / Math.max(1, words.size + others.size)
}
