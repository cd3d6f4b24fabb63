import type { RecalledEntity } from './recall-entities.ts'
import type { RecalledTurn, TurnsQuery } from './recall-turns.ts'

export type RecalledRelation = { from: string; relationType: string; to: string }

export type RecallQuery = {
  query: string
  /** Without one, as many as answer. */
  limit?: number | undefined
  /** Approximate length of the answer as JSON. */
  maxTokens: number
  types?: string[] | undefined
  after?: string | undefined
  before?: string | undefined
  storedAfter?: string | undefined
  storedBefore?: string | undefined
  /** Answers with what was known at this time. */
  asOf?: string | undefined
  /** `source` adds who wrote each fact and where it is from. */
  with?: string[] | undefined
  context: number
  expand: boolean
  /** Whether what was said is told too, and where the question is asked from. */
  conversations?: TurnsQuery['conversations']
  about?: TurnsQuery['about']
  /** A person previews what an agent would get: not kept. */
  isPreview?: boolean
}

/** The answer; empty fields are omitted. */
export type Recalled = {
  /** Standing rules that fit the question. */
  rules?: RecalledRule[]
  observations?: RecalledFact[]
  relations?: RecalledRelation[]
  entities?: RecalledEntity[]
  /** What was said about it, apart from the facts. */
  said?: RecalledTurn[]
  /** Number of matching observations, if not all are included. */
  total?: number
}

export type RecalledFact = {
  id: string
  entity: { name: string; entityType: string }
  content: string
  /** The date alone; with the time beside a later fact of the same date that may say something else. */
  createdAt: string
  at?: string
  until?: string
  replacedBy?: string
  /** A later fact of the entity that could say something else about the same. */
  newer?: string
  /** Which of its files have changed or gone. */
  stale?: string
  /** Who wrote it, if that was not the caller's own user, or if the caller asks. */
  by?: string
  /** Where it is from, likewise. */
  source?: string
  /** The entity's observations just before and just after it. */
  before?: string[]
  after?: string[]
}

export type RecalledRule = Pick<RecalledFact, 'id' | 'entity' | 'content' | 'createdAt'>
