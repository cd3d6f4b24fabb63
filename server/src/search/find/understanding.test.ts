import { describe, expect, test } from 'vitest'
import { emptyFindings, type Findings } from './findings.ts'
import { toUnderstanding } from './understanding.ts'

const told = (query: string, findings: Partial<Findings>) =>
  toUnderstanding(query, { ...emptyFindings, ...findings })
const names = (...given: string[]) =>
  given.map((name) => ({
    ...{ id: 1, name, type: 'person', score: 1 },
    fields: { name: name.toLowerCase().split(' ') },
  })) as unknown as Findings['names']

describe('what is told of how a question was read', () => {
  test('is nothing where all was plain', () => {
    expect(told('who is Ada', {})).toEqual({})
  })

  test.each([
    ['Who likes Zebras?', ['zebras'], ['Zebras']],
    ['where is the Café', ['cafe'], ['Café']],
    ["what of Ravi's car", ['ravi'], ["Ravi's"]],
    ['GRÖSSE?', ['grosse'], ['GRÖSSE']],
    ['the kubernets', ['kubernets', 'the'], ['kubernets']],
    ['日本の何', ['象'], ['象']],
    ['サーバーのバスは何ですか', ['さーばー', 'の', 'ばす', 'は', '何', 'です'], ['サーバー', 'バス']],
    ['咖啡是什么', ['咖啡', '是', '什么'], ['咖啡']],
    ['How long do I need to bake?', ['long', 'need', 'bake'], ['bake']],
    ['Which long sofa?', ['long', 'sofa'], ['long', 'sofa']],
  ])('in %j are the unknown words %j, as written: %j', (query, unknown, written) => {
    expect(told(query, { unknown }).unknown).toEqual(written)
  })

  test('is at most ten words and five times, each time once', () => {
    const words = Array.from({ length: 15 }, (_, i) => `wordy${i}`)
    expect(told(words.join(' '), { unknown: words }).unknown).toHaveLength(10)
    const day = { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 10, 2) }
    const times = [day, day, ...Array.from({ length: 9 }, (_, i) => ({ from: i, to: i + 1 }))]
    const { times: shown } = told('', { times })
    expect(shown).toHaveLength(5)
    expect(shown?.[0]).toEqual({ from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' })
    expect(shown?.[1]?.from).toBe('1970-01-01T00:00:00.000Z')
  })

  test('has guesses under the word as written', () => {
    const guessed = new Map([['lisbn', ['lisbon', 'lisboa']]])
    expect(told('hotels in Lisbn', { guessed }).guesses).toEqual([
      { word: 'Lisbn', taken: ['lisbon', 'lisboa'] },
    ])
  })

  test('has a type that was listed and how many there are', () => {
    const listed = { types: ['decision'], total: 40, entities: [] }
    expect(told('list the decisions', { listed }).listed).toEqual({ types: ['decision'], total: 40 })
  })
})

describe('entities near a misspelt name', () => {
  const near = (query: string, missing: string, taken: string[], ...found: string[]) =>
    told(query, { guessed: new Map([[missing, taken]]), names: names(...found) }).near

  test('are told under the whole name that was asked for', () => {
    expect(near('what does Jhon Smith like', 'jhon', ['john'], 'john smith')).toEqual([
      { word: 'Jhon Smith', entities: [{ name: 'john smith', type: 'person' }] },
    ])
  })

  test.each([
    ['Does Jhon drink tea', 'Jhon'],
    ['does jhon smith drink tea', 'jhon'],
    ["is this Jhon Smith's car", 'Jhon Smith'],
    ['tell me of Dr Jhon Smith', 'Dr Jhon Smith'],
  ])('in %j it is %j', (query, word) => {
    expect(near(query, 'jhon', ['john'], 'john smith')?.[0]?.word).toBe(word)
  })

  test('are at most three, and none that the guess does not name', () => {
    const found = ['john a', 'john b', 'john c', 'john d', 'mary']
    expect(near('Jhon', 'jhon', ['john'], ...found)?.[0]?.entities).toHaveLength(3)
    expect(near('Jhon', 'jhon', ['john'], 'mary')).toBeUndefined()
  })
})
