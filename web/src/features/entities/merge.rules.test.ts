import { expect, test } from 'vitest'
import { previewMerge } from './merge.rules.ts'

const fact = (id: string, content: string, metadata?: Record<string, unknown>) => ({
  id,
  content,
  createdAt: '2026-11-22T10:00:00.000Z',
  ...(metadata && { metadata }),
})

test('a merge keeps what only one of the two has, and both names', () => {
  const source = {
    name: 'Eva',
    aliases: ['E.'],
    observations: [fact('1', 'one'), fact('2', 'both'), fact('3', 'told', { source: 'chat' })],
  }
  const target = { name: 'Eve', aliases: ['Evie'], observations: [fact('4', 'both'), fact('5', 'told')] }
  expect(previewMerge(source, target)).toEqual({
    observations: 4,
    twins: 1,
    aliases: ['Evie', 'Eva', 'E.'],
  })
})
