import { entityNameMax } from '@loci/contract/entities'
import { AppError } from '../../ground/errors/app-error.ts'
import { inLine, shownName } from '../../ground/lib/for-models.ts'
import { findNearNames } from '../../search/find/find-near-names.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { describeDeleted } from './describe-deleted.ts'

type NearNames = ReadonlyMap<string, readonly { name: string; type: string }[]>

/** Advice about a missing name, by purpose of the call. */
export const advice = {
  write: 'Create it with create_entities, or use the exact name.',
  read: 'Use the exact name; recall and search_nodes find it.',
}

const namesTold = 10
const nearTold = 5
const nameCharactersMax = 120

/** The error for missing entities, in the words of the reference memory server, with similar names. */
export async function entityNotFound(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
  whatToDo: string,
): Promise<AppError> {
  const [first = '', ...others] = new Set(names)
  const also = others.length === 0 ? '' : ` Also not found: ${listNames(others)}.`
  const near = suggest(await findNearNames(ctx, scope, names), [first, ...others])
  const deleted = await describeDeleted(ctx, scope, [first, ...others])
  const message = `Entity with name ${shorten(first, entityNameMax)} not found.${also}${deleted}${near} ${whatToDo}`
  return new AppError('entity_not_found', message)
}

/** A sentence that offers similar names, with a leading space; empty if there are none. */
export function suggest(near: NearNames, names: readonly string[]): string {
  const offers = [...near].slice(0, nearTold).map(([asked, entities]) => {
    const named = entities.map(({ name, type }) => `${quote(name)} (${inLine(type)})`).join(' or ')
    return names.length === 1 ? named : `${named} for ${quote(asked)}`
  })
  return offers.length === 0 ? '' : ` Did you mean ${offers.join('; ')}?`
}

/** The first names, and how many more there are. */
export function listNames(names: readonly string[], max = namesTold): string {
  const told = names.slice(0, max).map((name) => inLine(shorten(name)))
  return names.length > max ? `${told.join(', ')} and ${names.length - max} more` : told.join(', ')
}

/** A text in quotes, cut if it is long. */
export const quote = (text: string, max = nameCharactersMax) => JSON.stringify(shorten(shownName(text), max))

export function shorten(text: string, max = nameCharactersMax): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}...`
}
