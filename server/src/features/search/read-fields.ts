import { analyse } from '../../search-index/analyser.ts'
import { metadataTerms } from '../../search-index/metadata-terms.ts'
import { type EntityFields, toAliasTerms, toEntityTerms, toFields } from '../../search-index/passages.ts'

/** An entity as it is stored. */
export type EntityTexts = { name: string; type: string; aliases: string | null; metadata: string }

const cachedMax = 10_000
const cached = new Map<string, EntityFields>()

/** What an entity is found by besides its observations, as terms. Those of the same texts are made once. */
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

function analyseFields({ name, type, aliases, metadata }: EntityTexts): EntityFields {
  const others: string[] = aliases === null ? [] : JSON.parse(aliases)
  return toFields([
    ...toEntityTerms(analyse(name), analyse(type), metadataTerms(JSON.parse(metadata))),
    ...toAliasTerms(others.map((alias) => analyse(alias))),
  ])
}
