import { expect, test } from 'vitest'
import { customTypeOption, initialValues, newBox, toInput, validateEntity } from './entity-form.rules.ts'

test('the form starts with one empty field', () => {
  expect(initialValues().observations.map(({ text }) => text)).toEqual([''])
})

test('name and type are required, metadata must be a JSON object', () => {
  const values = { ...initialValues(), name: '  ', metadata: '{"a":' }
  expect(validateEntity(values)).toEqual({
    name: 'Name is required',
    type: 'Type is required',
    metadata: 'Invalid JSON format',
  })
  expect(validateEntity({ ...values, metadata: '[1]' }).metadata).toBe('Metadata must be a JSON object')
})

test('a custom type is the text that was typed', () => {
  const values = { ...initialValues(), name: 'Paper', type: customTypeOption }
  expect(validateEntity(values)).toEqual({ type: 'Type is required' })
  expect(toInput({ ...values, customType: ' research paper ' }).type).toBe('research paper')
})

test('the name is trimmed, blank observations are dropped, others stay as typed', () => {
  const input = toInput({
    ...initialValues(),
    name: ' Ada ',
    type: 'person',
    metadata: ' ',
    observations: [newBox(' kept as typed '), newBox('   '), newBox()],
  })
  expect(input).toEqual({ name: 'Ada', type: 'person', metadata: {}, observations: [' kept as typed '] })
})

test('an existing observation is sent with its id, so that an edited one keeps it', () => {
  const at = '2026-11-22T08:00:00.000Z'
  const values = initialValues({
    id: 'ent_1',
    name: 'Ada',
    type: 'person',
    metadata: {},
    observations: [{ id: 'obs_2', content: 'wrong', createdAt: at }],
    observationsCount: 1,
    createdAt: at,
    updatedAt: at,
  })
  const [box] = values.observations
  const observations = [{ ...box!, text: 'right' }, newBox('new')]
  expect(toInput({ ...values, observations }).observations).toEqual([
    { id: 'obs_2', content: 'right' },
    'new',
  ])
})
