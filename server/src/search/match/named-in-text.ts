import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { analyse, type Token } from '../analyse/analyser.ts'
import { isEnglishWord } from '../analyse/dictionary.ts'
import { foldCase } from '../analyse/fold.ts'
import { lettersOf } from '../analyse/name-letters.ts'
import { nameMark, toFullNameTerm } from '../analyse/passages.ts'
import { type PostingLists, readLists } from '../store/posting-lists.ts'
import { findIndexedEntities } from '../store/search.repo.ts'
import { findIndexedSpace, type IndexedSpace } from '../store/search-index.repo.ts'
import { findTurnIndex } from '../store/turn-index.repo.ts'

/**
 * What a text names of what a space knows: entities by their numbers, each with the words that name it, and names that
 * stand in facts and turns only; words in lower case.
 */
export type NamedInText = { entities: ReadonlyMap<number, string>; words: readonly string[] }

const tokensMax = 300
const wordsOfNameMax = 6
/** Names can have the same letters ("C", "C++", "C#"), but only a few do. */
const namedMax = 20
/** A part of a name that is shorter is an abbreviation of anything. */
const partLengthMin = 4
/** A word of more passages than these is a subject of its own, not a name in some facts. */
const passagesMax = 60
/** Asks about what is one's own or was settled before, rather than about the world. */
const asksAboutOurs =
  /\b(?:we|we've|our|ours|us|my|again|remember|recall|already|decid\w+|agreed?|last (?:time|week|month|session)|used to)\b/iu

/**
 * Finds names in a text that may be about anything, such as the prompt of a person. Stricter than a search, which
 * answers any question as well as it can: words of a dictionary are no names, nor are words that only occur apart.
 */
export async function findNamedInText(
  ctx: Context,
  scope: Scope,
  text: string,
  { withTurns }: { withTurns: boolean },
): Promise<NamedInText> {
  const tokens = analyse(text).tokens.slice(0, tokensMax)
  const space = await findIndexedSpace(ctx.db, scope)
  const entities =
    space === undefined ? new Map<number, string>() : await listEntities(ctx, space, text, tokens)
  if (!asksAboutOurs.test(text)) return { entities, words: [] }
  const turns = withTurns ? await findTurnIndex(ctx.db, scope) : undefined
  const words = new Set<string>()
  for (const index of [space, turns]) {
    const found = index === undefined ? [] : await listNamesInTexts(ctx, index, text, tokens)
    for (const word of found) words.add(word)
  }
  return { entities, words: [...words] }
}

/** The entities that a text names, by their numbers, each with the words that name it. */
export const findEntitiesIn = (
  ctx: Context,
  space: IndexedSpace,
  text: string,
): Promise<Map<number, string>> => listEntities(ctx, space, text, analyse(text).tokens.slice(0, tokensMax))

async function listEntities(
  ctx: Context,
  space: IndexedSpace,
  text: string,
  tokens: readonly Token[],
): Promise<Map<number, string>> {
  const inNames = await readLists(ctx, space, tokens.flatMap(termsInNames), namedMax)
  const inFull = await listNamedInFull(ctx, space, text, tokens, inNames)
  return new Map([...(await listNamedInPart(ctx, space, text, tokens, inNames)), ...inFull])
}

const termsInNames = ({ term, surface }: Token) => [nameMark + term, nameMark + surface]
const isIn = (lists: PostingLists, token: Token) => termsInNames(token).some((term) => lists.has(term))

/** The entities whose name or alias stands in the text, word by word. */
async function listNamedInFull(
  ctx: Context,
  space: IndexedSpace,
  text: string,
  tokens: readonly Token[],
  inNames: PostingLists,
): Promise<[number, string][]> {
  const asked = new Map<string, string>()
  for (const [first, token] of tokens.entries()) {
    let letters = ''
    for (const [count, { start, end, isStop }] of tokens.slice(first, first + wordsOfNameMax).entries()) {
      const next = tokens[first + count]!
      if (!isIn(inNames, next)) break
      letters += lettersOf(text.slice(start, end))
      const isWord = count === 0 && (isStop || isOrdinary(text, token))
      if (!isWord) asked.set(toFullNameTerm(letters), foldCase(text.slice(token.start, end)))
      letters += lettersOf(text.slice(end, tokens[first + count + 1]?.start ?? end))
    }
  }
  const found = await readLists(ctx, space, asked.keys(), namedMax)
  return [...found].flatMap(([term, { ids }]) =>
    [...ids].map((id): [number, string] => [id, asked.get(term)!]),
  )
}

/**
 * The entities of which a word of the text is the one that only they have ("Lena" for "Lena Hautala"). A word that is
 * not written as a name counts only for names without ordinary words: "config" is not the "config loader".
 */
async function listNamedInPart(
  { db }: Context,
  space: IndexedSpace,
  text: string,
  tokens: readonly Token[],
  inNames: PostingLists,
): Promise<[number, string][]> {
  const parts = tokens.flatMap((token) => {
    if (token.isStop || token.surface.length < partLengthMin || isOrdinary(text, token)) return []
    const ids = new Set(termsInNames(token).flatMap((term) => [...(inNames.get(term)?.ids ?? [])]))
    const written = foldCase(text.slice(token.start, token.end))
    return ids.size === 1 ? [...ids].map((id) => ({ id, written, isName: isWrittenAsName(text, token) })) : []
  })
  const doubtful = parts.filter(({ isName }) => !isName).map(({ id }) => id)
  const found = await findIndexedEntities(db, space, [...new Set(doubtful)])
  const own = new Set(found.filter(({ name }) => isOwnName(name)).map(({ id }) => id))
  return parts.flatMap(({ id, written, isName }) => (isName || own.has(id) ? [[id, written]] : []))
}

/** A name of which no word is one of the dictionary. */
const isOwnName = (name: string) => analyse(name).tokens.every(({ surface }) => !isEnglishWord(surface))

/** Names that some texts of an index have, and not very many. */
async function listNamesInTexts(
  ctx: Context,
  space: IndexedSpace,
  text: string,
  tokens: readonly Token[],
): Promise<string[]> {
  const names = tokens.filter((token) => !token.isStop && isWrittenAsName(text, token))
  const lists = await readLists(
    ctx,
    space,
    names.map(({ term }) => term),
    passagesMax,
  )
  return names.flatMap((token) =>
    lists.get(token.term)?.isCut === false ? [foldCase(text.slice(token.start, token.end))] : [],
  )
}

/** A word of the dictionary, unless it is written as a name. */
const isOrdinary = (text: string, token: Token) =>
  isEnglishWord(token.surface) && !isWrittenAsName(text, token)

/** Capitalised within a sentence, in capitals, or with a digit between letters. */
function isWrittenAsName(text: string, { start, end }: Token): boolean {
  const written = text.slice(start, end)
  if (/^\p{Lu}[\p{Lu}\p{N}]+$/u.test(written) || /\p{L}.*\p{N}|\p{Ll}\p{Lu}/u.test(written)) return true
  return /^\p{Lu}\p{L}/u.test(written) && !/(?:^|[.!?:;"“(\n]\s*)$/u.test(text.slice(0, start))
}
