import { createRandom } from '../random.ts'
import type { Judge } from './judges.ts'
import type { InventedMemory } from './memory.ts'
import { askForAttributes, askForMissingFacts, askOtherwise } from './questions-facts.ts'
import { askByMetadata, askByObservationMetadata, askForTypes, askWhatHappened } from './questions-lists.ts'
import {
  askAboutUnknown,
  askBareNames,
  askForAllKnown,
  askPartsOfNames,
  askVariantsOfNames,
  askWhoIs,
} from './questions-names.ts'
import { askBackward, askForward, askPaths } from './questions-relations.ts'

export type InventedQuestion = {
  kind: string
  text: string
  /** Describes the expected answer, for debugging. */
  wanted: string
  isRight: Judge
}
export type Asked = Omit<InventedQuestion, 'kind'>

const kinds = {
  'bare name': askBareNames,
  'who is': askWhoIs,
  'what is known': askForAllKnown,
  attribute: askForAttributes,
  'attribute in other words': askOtherwise,
  'relation, forward': askForward,
  'relation, backward': askBackward,
  'entity metadata': askByMetadata,
  'observation metadata': askByObservationMetadata,
  'list of a type': askForTypes,
  'name in another spelling': askVariantsOfNames,
  'part of a name': askPartsOfNames,
  'two relations': askPaths,
  time: askWhatHappened,
  'no such fact': askForMissingFacts,
  'unknown name': askAboutUnknown,
}

/** Questions of each kind, the same every time except for the dates. */
export function inventQuestions(memory: InventedMemory): InventedQuestion[] {
  const random = createRandom(34)
  return Object.entries(kinds).flatMap(([kind, ask]) =>
    ask(random, memory).map((question) => ({ kind, ...question })),
  )
}
