import { linesOfFact, ruleInLines } from './fact-lines.ts'
import { entityWithMetadata, relationInLine } from './in-line.ts'
import { turnInLines } from './recall-turns.ts'
import type { Recalled, RecalledFact } from './recalled.ts'

/** The facts of an entity as lines, best first; `day` if all were stored on it, else each line has its own. */
export type FactsOfEntity = { entity: string; type: string; day?: string; facts: string[] }

/** The answer as a model reads it, in lines that are the same in the text and in the structured form. */
export type RecalledForm = {
  rules?: string[]
  facts?: FactsOfEntity[]
  relations?: string[]
  entities?: string[]
  said?: string[]
  total?: number
}

const forms = new WeakMap<Recalled, RecalledForm>()

/** Keeps the order of the parts. Made once of an answer, which is sent as text and in the structured form. */
export function toForm(recalled: Recalled): RecalledForm {
  const form = forms.get(recalled) ?? toFormAnew(recalled)
  forms.set(recalled, form)
  return form
}

function toFormAnew(recalled: Recalled): RecalledForm {
  const { rules, observations, relations, entities, said, total } = recalled
  const parts: Record<keyof Recalled, RecalledForm> = {
    rules: { rules: rules?.map(ruleInLines) ?? [] },
    observations: { facts: groupFacts(observations ?? []) },
    relations: { relations: relations?.map(relationInLine) ?? [] },
    entities: { entities: entities?.map(entityWithMetadata) ?? [] },
    said: { said: said?.map(turnInLines) ?? [] },
    total: { total: total ?? 0 },
  }
  return Object.assign({}, ...Object.keys(recalled).map((key) => parts[key as keyof Recalled]))
}

function groupFacts(facts: readonly RecalledFact[]): FactsOfEntity[] {
  const groups = Map.groupBy(facts, ({ entity }) => entity.name)
  return [...groups].map(([name, own]) => {
    const days = new Set(own.map(({ createdAt }) => createdAt))
    const day = own.length > 1 && days.size === 1 ? own[0]?.createdAt : undefined
    return {
      ...{ entity: name, type: own[0]?.entity.entityType ?? '' },
      ...(day === undefined ? {} : { day }),
      facts: own.flatMap((fact) => linesOfFact(fact, day === undefined ? fact.createdAt : undefined)),
    }
  })
}
