import { entityNameMax } from '@loci/contract/entities'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Scope } from '../../scope.ts'
import { findNearNames } from '../search/find-near-names.ts'

type NearNames = ReadonlyMap<string, readonly { name: string; type: string }[]>

/** What to do about a name that is missing, by what the call is for. */
export const advice = {
  write: 'Create it with create_entities, or use the exact name.',
  read: 'Use the exact name; recall and search_nodes find it.',
}

const namesTold = 10
const nearTold = 5
const nameCharactersMax = 120

/** That there are no entities of these names, in the reference memory server's words, and what may have been meant. */
export async function entityNotFound(
  ctx: Context,
  scope: Scope,
  names: readonly string[],
  whatToDo: string,
): Promise<AppError> {
  const [first = '', ...others] = new Set(names)
  const also = others.length === 0 ? '' : ` Also not found: ${listNames(others)}.`
  const near = suggest(await findNearNames(ctx, scope, names), [first, ...others])
  const message = `Entity with name ${shorten(first, entityNameMax)} not found.${also}${near} ${whatToDo}`
  return new AppError('entity_not_found', message)
}

/** The sentence that offers what is near to names that were asked for, a space before it; empty when nothing is. */
export function suggest(near: NearNames, names: readonly string[]): string {
  const offers = [...near].slice(0, nearTold).map(([asked, entities]) => {
    const named = entities.map(({ name, type }) => `${quote(name)} (${type})`).join(' or ')
    return names.length === 1 ? named : `${named} for ${quote(asked)}`
  })
  return offers.length === 0 ? '' : ` Did you mean ${offers.join('; ')}?`
}

/** The first of many names, and how many there are besides. */
export function listNames(names: readonly string[], max = namesTold): string {
  const told = names.slice(0, max).map((name) => shorten(name))
  return names.length > max ? `${told.join(', ')} and ${names.length - max} more` : told.join(', ')
}

/** A text in quotes, cut where it is long. */
export const quote = (text: string, max = nameCharactersMax) => JSON.stringify(shorten(text, max))

export function shorten(text: string, max = nameCharactersMax): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}...`
}
