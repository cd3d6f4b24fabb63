import { expect, test } from 'vitest'
import {
  begins,
  endsSubject,
  kindOf,
  type Operation,
  operationNumbers,
  operationOfNumber,
} from './operations.ts'

const operations = Object.keys(operationNumbers) as Operation[]

test('every stored number is read back as the operation it was written for', () => {
  expect(operations.map((operation) => operationOfNumber(operationNumbers[operation]))).toEqual(operations)
})

test.each([0, -1, 1.5, 99])('%d is no operation', (number) =>
  expect(() => operationOfNumber(number)).toThrow(`No operation has the number ${number}`),
)

test('every operation is about one kind of thing', () => {
  expect(kindOf('entity_merged')).toBe('entity')
  expect(kindOf('observation_added')).toBe('observation')
  expect(kindOf('relation_updated')).toBe('relation')
})

test('things of each kind begin in one way, and no operation both begins and ends one', () => {
  expect(operations.filter(begins).map(kindOf)).toEqual(['entity', 'observation', 'relation'])
  expect(operations.filter((operation) => begins(operation) && endsSubject(operation))).toEqual([])
})

test('corrections neither begin nor end anything', () => {
  const others = operations.filter((operation) => !begins(operation) && !endsSubject(operation))
  expect(others).toEqual(['entity_updated', 'observation_updated', 'relation_updated'])
})
