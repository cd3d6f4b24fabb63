import type { Relation } from '@loci/contract/relations'
import { foldName } from '../../search/analyse/name-letters.ts'

/** The search text: a part of a name or of a type. */
export type Asked = {
  /** Folded for comparison with names. */
  name: string
  /** Folded for comparison with types. */
  type: string
}

/** The whole text is one substring, however many words it has. */
export const toAsked = (query: string): Asked => ({
  name: foldName(query.trim()),
  type: foldType(query.trim()),
})

/** Types are written with `-` or `_` and shown with spaces. */
const foldType = (type: string) => foldName(type).replaceAll(/[-_\s]/g, ' ')

export const isInName = ({ name }: Asked, text: string) => foldName(text).includes(name)

export const isInType = ({ type }: Asked, text: string) => foldType(text).includes(type)

export const isInRelation = (asked: Asked, { type, fromEntity, toEntity }: Relation) =>
  isInType(asked, type) || isInName(asked, fromEntity.name) || isInName(asked, toEntity.name)
