import { expect, test } from 'vitest'
import { readLives } from './lives.ts'

test('each question is asked once and has a fact that answers it, and each relation has its ends', () => {
  const { entities, relations, questions } = readLives()
  const facts = entities.flatMap(({ observations }) => observations)
  const names = new Set(entities.map(({ name }) => name))
  expect(names.size).toBe(entities.length)
  expect(questions.length).toBeGreaterThan(400)
  const unanswered = questions.filter(({ wanted }) =>
    wanted.some((part) => !facts.some((fact) => fact.includes(part))),
  )
  expect(unanswered).toEqual([])
  expect(relations.filter(({ from, to }) => !names.has(from) || !names.has(to))).toEqual([])
})
