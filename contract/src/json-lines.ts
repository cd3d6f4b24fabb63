import { z } from 'zod'
import { listOf } from './checked-first.ts'
import { EntityName, entityAliasesMax } from './entities.ts'
import { entityTypeMax } from './entity-types.ts'
import { hasControls } from './hidden-characters.ts'
import { Metadata } from './metadata.ts'
import { ObservationContent, observationFields, StaleFiles } from './observations.ts'
import { RelationType } from './relations.ts'
import { nameText, text } from './text.ts'

/* The lines of our export. They are a superset of the reference memory server's, whose observations are
   plain texts without ids, times or metadata: one reader handles both. */

/** First line of our own export. All ids in the file are made from numbers below `nextNumber`. */
export const HeaderLine = z.object({
  type: z.literal('loci'),
  version: z.number().int(),
  nextNumber: z.number().int().positive().optional().catch(undefined),
})

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{1,11}$`))
const Moment = z.iso.datetime({ offset: true }).transform((value) => Date.parse(value))

/** An id or moment that is not in our form is ignored; the import reports a bad moment. */
const kept = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)

const ObservationObject = z.object({
  content: ObservationContent,
  id: kept(id('obs')),
  createdAt: kept(Moment),
  updatedAt: kept(Moment),
  ...observationFields,
  at: kept(observationFields.at),
  until: kept(observationFields.until),
  expiresAt: kept(observationFields.expiresAt),
  files: kept(observationFields.files),
  source: kept(observationFields.source),
  replaces: kept(observationFields.replaces),
  replacedBy: kept(id('obs')),
  stale: kept(StaleFiles),
})
export type ObservationLine = z.output<typeof ObservationObject>

export const ObservationLine = z.union([
  ObservationContent.transform((content): ObservationLine => ({ content })),
  ObservationObject,
])

const breaks = /\s*(?!\0)[\p{Cc}\p{Zl}\p{Zp}]+\s*/gu

/** Other programs' names may have line breaks and control characters: a space takes their place. */
const onOneLine = (value: unknown) =>
  typeof value === 'string' && hasControls(value) ? value.replace(breaks, ' ').trim() : value
const inOneLine = <S extends z.ZodType>(name: S) => z.preprocess(onOneLine, name)

/** The reference server stores entities without a type. */
const TypeOfEntity = z.preprocess(
  (value) =>
    value === undefined || (typeof value === 'string' && value.trim() === '') ? 'unknown' : onOneLine(value),
  nameText(entityTypeMax, 'Type'),
)

const Problem = z.string().max(4096)

/** Source of a line that was converted from a note or another export, and problems found there. */
const Origin = {
  file: kept(z.string().max(4096)),
  line: kept(z.number().int()),
  item: kept(z.number().int()),
  problem: kept(z.union([Problem, z.array(Problem).max(100)])),
}

/** An entity with its observations, or the first of them. Each observation is validated separately. */
export const EntityLine = z.object({
  type: z.literal('entity'),
  id: kept(id('ent')),
  name: inOneLine(EntityName),
  aliases: kept(listOf(inOneLine(EntityName), entityAliasesMax)),
  entityType: TypeOfEntity,
  metadata: Metadata.optional(),
  createdAt: kept(Moment),
  updatedAt: kept(Moment),
  observations: z.array(z.unknown()).default([]),
  ...Origin,
})

/** More observations of an entity from an earlier line. */
export const ObservationsLine = z.object({
  type: z.literal('observations'),
  entity: inOneLine(EntityName),
  observations: z.array(z.unknown()),
  ...Origin,
})

/** A relation; its ends are entity names. */
export const RelationLine = z.object({
  type: z.literal('relation'),
  id: kept(id('rel')),
  from: inOneLine(text(1, 512, 'Source entity')),
  to: inOneLine(text(1, 512, 'Target entity')),
  relationType: inOneLine(RelationType),
  /** The first fact of `to` takes the place of those of `from`; only in lines converted from decision records. */
  endsFacts: kept(z.literal(true)),
  createdAt: kept(Moment),
  ...Origin,
})

/** A problem that belongs to no entity or relation; only in lines converted from another export. */
export const ProblemLine = z.object({ type: z.literal('problem'), message: Problem, ...Origin })

export const JsonLine = z.discriminatedUnion(
  'type',
  [HeaderLine, EntityLine, ObservationsLine, RelationLine, ProblemLine],
  {
    error: 'Must be a JSON object with the type entity or relation',
  },
)
export type JsonLine = z.output<typeof JsonLine>
