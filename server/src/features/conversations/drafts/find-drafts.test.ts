import { describe, expect, test } from 'vitest'
import { findDrafts } from './find-drafts.ts'

const said: [kind: string, text: string][] = [
  ['decision', 'We decided to drop Redis because it lost sessions.'],
  ['decision', "OK, let's go with PostgreSQL for the sessions."],
  ['decision', "I've chosen SQLite because it needs no server."],
  ['decision', 'We switched from webpack to Vite in March.'],
  ['preference', 'I prefer tabs over spaces.'],
  ['preference', 'My favourite editor is Helix.'],
  ['rule', 'From now on, answer in German.'],
  ['rule', 'Never commit to main.'],
  ['rule', '- Always run the linter before committing'],
  ['fix', 'The root cause was a clock in another time zone.'],
  ['fix', 'I fixed it by pinning the version.'],
  ['name', 'My name is Ada.'],
  ['name', 'Our service is called Nightjar.'],
  ['name', 'My manager, Ravi, wants a report.'],
  ['decision', 'Wir haben uns für PostgreSQL entschieden.'],
  ['decision', 'Hemos decidido usar PostgreSQL.'],
  ['decision', 'Nous avons choisi PostgreSQL pour les sessions.'],
  ['decision', '我们决定使用这个数据库来保存会话。'],
  ['fix', 'Die Ursache war eine falsche Zeitzone.'],
  ['fix', 'La causa era un fuso orario sbagliato.'],
  ['name', 'Ich heiße Ada und arbeite am Kern.'],
  ['rule', 'Ab sofort keine Kommentare mehr.'],
]

const others = [
  'Should we decide to drop Redis?',
  'If we decided to drop Redis, we would need another store.',
  'I have not decided yet.',
  'We might have decided to wait.',
  'Always happy to help!',
  'Never heard of it.',
  'I decided to have soup today.',
  "I'd rather not say.",
  'The problem is hard.',
  'How does the cart work?',
  '> We decided to drop Redis.',
  '# The fix was to restart',
  '```\nWe decided to drop Redis.\n```',
  'ok',
  '',
]

describe('drafts', () => {
  test.each(said)('%s: %s', (kind, text) => {
    expect(findDrafts({ role: 'person', text }).map((draft) => draft.kind)).toEqual([kind])
  })

  test.each(others)('not: %s', (text) => expect(findDrafts({ role: 'person', text })).toEqual([]))

  test('are sentences as they were said, of a longer text', () => {
    const text = 'Thanks!\n\n1. **We decided to drop Redis.** It lost sessions.\n2. Fine.'
    expect(findDrafts({ role: 'person', text })).toEqual([
      { kind: 'decision', content: 'We decided to drop Redis.' },
    ])
  })

  test('of an agent are fixes alone, and of tools there are none', () => {
    const text = 'We decided to drop Redis. Never commit to main. The fix was to restart the server.'
    expect(findDrafts({ role: 'agent', text }).map(({ kind }) => kind)).toEqual(['fix'])
    expect(findDrafts({ role: 'tool', text })).toEqual([])
  })

  test('are at most three of a turn, and none of a pasted document', () => {
    const text = Array.from({ length: 9 }, (_, i) => `We decided to use tool number ${i}.`).join(' ')
    expect(findDrafts({ role: 'person', text })).toHaveLength(3)
    expect(findDrafts({ role: 'person', text: text.repeat(100) })).toEqual([])
  })

  test('take no longer for an ugly text', () => {
    const ugly = `my ${'a '.repeat(9_000)} we decided ${'favourite '.repeat(100)}`
    expect(findDrafts({ role: 'person', text: ugly })).toEqual([])
  })
})
