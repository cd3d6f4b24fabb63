import { z } from 'zod'

const Named = z.union([z.string(), z.looseObject({ name: z.string() }).transform(({ name }) => name)])

/** The common part of the REST and MCP results, whatever else they contain. */
const Answer = z.looseObject({
  notice: z.string().default(''),
  understood: z.looseObject({ unknown: z.array(z.string()).default([]) }).optional(),
  observations: z.array(z.looseObject({ entity: Named, content: z.string() })).default([]),
  relations: z.array(z.looseObject({ from: Named, relationType: z.string(), to: Named })).default([]),
  entities: z.array(Named).default([]),
})

/** The answer to a question, each list best first, by names. */
export type ShownAnswer = {
  /** The notice about the answer, and the words that were not found. */
  notice: string
  facts: { entity: string; content: string }[]
  relations: { from: string; type: string; to: string }[]
  /** Found, but without a fact in the answer. */
  entities: string[]
}

/** Reads the structured result of the recall tool and that of `GET /api/search/observations`. */
export function readAnswer(answer: unknown): ShownAnswer {
  const { notice, understood, observations, relations, entities } = Answer.parse(answer)
  return {
    notice: [notice, ...(understood?.unknown ?? [])].join(' ').trim(),
    facts: observations.map(({ entity, content }) => ({ entity, content })),
    relations: relations.map(({ from, relationType, to }) => ({ from, type: relationType, to })),
    entities,
  }
}

/** Formats an answer as one line, for debugging. */
export function describeAnswer({ notice, facts, relations, entities }: ShownAnswer): string {
  const parts = [
    ...facts.slice(0, 2).map(({ entity, content }) => `${entity}: ${content}`),
    ...relations.slice(0, 3).map(({ from, type, to }) => `(${from} ${type} ${to})`),
    ...entities.slice(0, 2).map((name) => `[${name}]`),
    ...(notice === '' ? [] : [`"${notice.slice(0, 120)}"`]),
  ]
  return parts.length === 0 ? 'nothing' : parts.join(' | ')
}
