import { expect, test } from 'vitest'
import { leftOut, nameConversations, type Titled } from './conversations.ts'

const titled = (id: string, title: string, createdAt?: string): Titled => ({ id, title, createdAt })
const namesOf = (...conversations: Titled[]) => Object.fromEntries(nameConversations(conversations))

test('conversations keep their titles while these differ', () => {
  expect(namesOf(titled('a', 'Rome'), titled('b', 'rome'))).toEqual({ a: 'Rome', b: 'rome' })
})

test('of several with one title the oldest keeps it, and the others get day, minute and id', () => {
  expect(
    namesOf(
      titled('d', 'Rome', '2024-05-02T10:30:00.000Z'),
      titled('c', 'Rome', '2024-05-02T10:30:00.000Z'),
      titled('b', 'Rome', '2024-05-02T09:00:00.000Z'),
      titled('a', 'Rome', '2024-05-01T09:00:00.000Z'),
    ),
  ).toEqual({
    a: 'Rome',
    b: 'Rome (2024-05-02)',
    c: 'Rome (2024-05-02 10:30)',
    d: 'Rome (d)',
  })
})

test('a later export gives the same names to earlier conversations', () => {
  const first = [titled('a', 'Chat', '2024-01-01T00:00:00Z'), titled('b', 'Chat', '2024-01-02T00:00:00Z')]
  const second = [titled('c', 'Chat', '2024-01-03T00:00:00Z'), ...first]
  expect(namesOf(...second)).toMatchObject(namesOf(...first))
})

test('without times the id distinguishes conversations with one title', () => {
  expect(namesOf(titled('b', 'New chat'), titled('a', 'New chat'))).toEqual({
    a: 'New chat',
    b: 'New chat (b)',
  })
})

test('a conversation that occurs twice has one name', () => {
  expect(namesOf(titled('a', 'Rome'), titled('a', 'Rome'))).toEqual({ a: 'Rome' })
})

test('long titles leave room for what distinguishes them', () => {
  const title = `${'t'.repeat(600)}`
  const names = Object.values(
    namesOf(titled('a', title, '2024-01-01T00:00:00Z'), titled('b', title, '2024-01-02T00:00:00Z')),
  )
  expect(names.map((name) => name.length)).toEqual([512, 512])
  expect(names[1]).toMatch(/t \(2024-01-02\)$/)
})

test.each([
  [0, []],
  [1, ['1 attachment was left out']],
  [12, ['12 attachments were left out']],
])('%i things left out are told as %j', (count, told) => {
  expect(leftOut(count, 'attachment', 'attachments')).toEqual(told)
})
