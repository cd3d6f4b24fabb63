import { describe, expect, test } from 'vitest'
import { isAgent, monogramOf, writerOf } from './writer-name.ts'

const actor = { id: 'x', name: 'Maya Lind' }

describe('the name of a writer', () => {
  test("is the agent's own name, else the person or key", () => {
    expect(writerOf({ ...actor, kind: 'personal_key', client: 'claude-code' })).toBe('claude-code')
    expect(writerOf({ ...actor, kind: 'personal_key' })).toBe('An agent')
    expect(writerOf({ ...actor, kind: 'local' })).toBe('An agent')
    expect(writerOf({ ...actor, kind: 'session' })).toBe('Maya Lind')
    expect(writerOf({ ...actor, kind: 'api_key', name: 'CI' })).toBe('CI')
  })

  test('distinguishes agents from people', () => {
    expect(isAgent({ ...actor, kind: 'session' })).toBe(false)
    expect(isAgent({ ...actor, kind: 'api_key' })).toBe(true)
  })

  test('has two letters in any script', () => {
    const names = ['claude-code', 'cursor', 'Maya Lind', 'x', '', '山田 太郎', '🙂', 'Ångström']
    expect(names.map(monogramOf)).toEqual(['CC', 'CU', 'ML', 'X', '?', '山太', '?', 'ÅN'])
  })
})
