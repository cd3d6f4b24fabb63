import { analyse } from '../analyse/analyser.ts'
import { metadataTerms } from '../analyse/index-text.ts'
import { type EntityFields, toFullNameTerms } from '../analyse/passages.ts'

/** The stored texts of an entity. */
export type EntityTexts = { name: string; type: string; aliases: string | null; metadata: string }

const cachedMax = 10_000
const cached = new Map<string, EntityFields>()

/** The indexed fields of an entity, as terms. Cached by text. */
export function readFields(texts: EntityTexts): EntityFields {
  const { name, type, aliases, metadata } = texts
  const key = `${name}\n${type}\n${aliases ?? ''}\n${metadata}`
  let fields = cached.get(key)
  if (fields === undefined) {
    if (cached.size >= cachedMax) cached.clear()
    fields = analyseFields(texts)
    cached.set(key, fields)
  }
  return fields
}

const addition = /\s*[(（][^()（）]*[)）]\s*$/u

/** A name without what tells it from others: "Gary Mills (footballer)" is asked for as "Gary Mills". */
export const withoutAddition = (name: string): string => name.replace(addition, '') || name

function analyseFields({ name, type, aliases, metadata }: EntityTexts): EntityFields {
  const others: string[] = aliases === null ? [] : JSON.parse(aliases)
  const short = withoutAddition(name)
  if (short !== name) others.push(short)
  const [ofName, ofType] = [analyse(name), analyse(type)]
  const ofOthers = others.map((alias) => analyse(alias).tokens)
  return {
    name: termsOnce(ofName.tokens),
    nameWholes: termsOnce(ofName.wholes),
    aliases: ofOthers.map(termsOnce).filter((terms) => terms.length > 0),
    type: termsOnce([...ofType.tokens, ...ofType.wholes]),
    metadata: [...new Set(metadataTerms(JSON.parse(metadata)))],
    written: writtenOf([...ofName.tokens, ...ofOthers.flat()]),
    fullNames: [name, ...others].flatMap(toFullNameTerms),
  }
}

type Word = { term: string; surface: string }

/** The words whose term differs from how they are written. */
const writtenOf = (words: readonly Word[]): Map<string, string> =>
  new Map(words.filter(({ term, surface }) => term !== surface).map(({ term, surface }) => [term, surface]))

const termsOnce = (found: readonly { term: string }[]) => [...new Set(found.map(({ term }) => term))]
