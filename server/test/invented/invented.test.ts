import { expect, test } from 'vitest'
import type { ShownAnswer } from './answers.ts'
import { type InventedMemory, inventMemory } from './memory.ts'
import { inventQuestions } from './questions.ts'

const mondayMorning = Date.UTC(2026, 10, 23, 7)
const sunday = Date.UTC(2026, 10, 22, 18, 30)
const nothing: ShownAnswer = { notice: '', facts: [], relations: [], entities: [] }

/** Every answer of one fact, one entity, one relation, or two relations that share an end. */
function* smallAnswers({ entities, relations }: InventedMemory): Generator<ShownAnswer> {
  for (const { name, facts } of entities) {
    yield { ...nothing, entities: [name] }
    for (const { content } of facts) yield { ...nothing, facts: [{ entity: name, content }] }
  }
  for (const [i, relation] of relations.entries()) {
    yield { ...nothing, relations: [relation] }
    for (const other of relations.slice(0, i)) {
      const ends = new Set([relation.from, relation.to, other.from, other.to])
      if (ends.size < 4) yield { ...nothing, relations: [relation, other] }
    }
  }
}

test("no invented fact contains a word of its entity's name, and no name occurs twice", () => {
  const { entities } = inventMemory(sunday)
  const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const repeats = entities.flatMap(({ name, facts }) =>
    facts.filter(({ content }) =>
      wordsOf(content).some((word) => word.length > 3 && wordsOf(name).includes(word)),
    ),
  )
  expect(repeats).toEqual([])
  expect(entities.length).toBeGreaterThanOrEqual(200)
  expect(new Set(entities.map(({ name }) => name)).size).toBe(entities.length)
})

test.each([
  ['a Sunday evening', sunday],
  ['a Monday morning', mondayMorning],
])('on %s each question on the invented memory can be answered, and not by nothing', (_, now) => {
  const memory = inventMemory(now)
  const answers = smallAnswers(memory).toArray()
  const questions = inventQuestions(memory)
  const known = questions.filter(({ kind }) => kind !== 'unknown name')
  const cannot = known.filter(({ isRight }) => !answers.some(isRight)).map(({ text }) => text)
  expect(cannot).toEqual([])
  expect(known.filter(({ isRight }) => isRight(nothing))).toEqual([])
  expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length)
})
