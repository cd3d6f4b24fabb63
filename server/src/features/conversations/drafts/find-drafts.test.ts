import { describe, expect, test } from 'vitest'
import { findDrafts } from './find-drafts.ts'

const said: [kind: string, text: string][] = [
  ['decision', 'We decided to drop Redis because it lost sessions.'],
  ['decision', "OK, let's go with PostgreSQL for the sessions."],
  ['decision', "I've chosen SQLite because it needs no server."],
  ['decision', 'We switched from webpack to Vite in March.'],
  ['decision', 'We decided to keep the sessions in the database.'],
  ['decision', 'I decided to delay the release to January 2027.'],
  ['decision', 'ok let’s go with cloud serverless'],
  ['decision', "I've decided to host the site on Netlify, but I'm not sure how to set the domain."],
  ['preference', "I'd prefer a dark theme."],
  ['preference', 'The Hobbit is one of my favorite books.'],
  ['preference', 'I prefer tabs over spaces.'],
  ['preference', 'My favourite editor is Helix.'],
  ['rule', 'From now on, answer in German.'],
  ['rule', 'Never commit to main.'],
  ['rule', '- Always run the linter before committing'],
  ['fix', 'The root cause was a clock in another time zone.'],
  ['fix', 'I fixed it by pinning the version.'],
  ['fix', 'The crash is gone, and the culprit was the dev profile.'],
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
  ['fact', 'Dana is the one who approves releases, Marek only does hotfixes'],
  ['fact', 'we decided in the planning meeting to drop support for Node 18 in January'],
  ['fact', 'our customers are mostly hospitals so the UI has to work in IE mode of Edge'],
  ['fact', 'I am moving to the Lisbon office in March, so my working hours will be one hour earlier'],
  ['fact', 'Wir sind seit März auf dem neuen Server, der alte wird von Frau Kern im Juni abgeschaltet.'],
]

/** What is told along with a request or a question. */
const told: [text: string, fact: string][] = [
  ['can you redo the table, we only sell in the EU now', 'we only sell in the EU now'],
  [
    'btw the landlord raised the rent to 900 in May, how do I budget that?',
    'the landlord raised the rent to 900 in May',
  ],
  ['Drop the page because the shop in Graz was closed in March', 'the shop in Graz was closed in March'],
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
  // They point to what was said before,
  'OK, let’s go with that one.',
  'We decided to keep it.',
  'I would prefer to measure this against the buffer.',
  'I named it Ned.',
  'We decided to use the following tables:',
  // tell how a day went,
  'I decided to go with a bright red.',
  'So I decided to try my hand at something new.',
  // ask for something else,
  'I am looking for a series to read with my partner Douglas.',
  // are taken back or in doubt,
  'We switched from Vite to webpack, but now I’m considering going back.',
  'The root cause is not proven.',
  'The culprit was originally identified as the image.',
  // or are what others say, or would.
  'They said the fix was to restart the server.',
  'Ship it once the root cause is a known one.',
  'The problem is hard.',
  'How does the cart work?',
  '> We decided to drop Redis.',
  '# The fix was to restart',
  '[2026-11-04T08:22:01Z] WARN db1.internal: we decided to never retry',
  "TypeError: 'NoneType' object in cart.py is not subscriptable",
  '```\nWe decided to drop Redis.\n```',
  // A request, a finding of the moment and small talk come without a lasting fact.
  'run the tests again with Node 22 please',
  'why does the export of March fail',
  'npm run build fails with Cannot find module since I pulled main',
  'ok that looks much better',
  'Implement GET /api/users/:id/orders with a limit of 20 and return 404 if the user is not found',
  'that was a really beautiful trip to Rome!',
  'Der Tooltip liegt in Safari hinter dem Modal',
  'añade una columna a la tabla de pedidos con la fecha de envío',
  'Wir haben noch nicht entschieden.',
  'No hemos decidido nada todavía.',
  'Immer noch derselbe Fehler.',
  'Call me ASAP when the build is done.',
  '~~~\n```\nWe decided to drop Redis.\n```\nNever commit to main.\n~~~',
  'ok',
  '',
]

describe('drafts', () => {
  test.each(said)('%s: %s', (kind, text) => {
    expect(findDrafts({ role: 'person', text }).map((draft) => draft.kind)).toEqual([kind])
  })

  test.each(told)('of a fact and a request, the fact: %s', (text, content) => {
    expect(findDrafts({ role: 'person', text })).toEqual([{ kind: 'fact', content }])
  })

  test.each(others)('not: %s', (text) => expect(findDrafts({ role: 'person', text })).toEqual([]))

  test('are sentences as they were said, of a longer text', () => {
    const text = 'Thanks!\n\n1. **We decided to drop Redis.** It lost sessions.\n2. Fine.'
    expect(findDrafts({ role: 'person', text })).toEqual([
      { kind: 'decision', content: 'We decided to drop Redis.' },
    ])
  })

  test('say powers, names of files and abbreviations as they were said, and each sentence once', () => {
    const text = 'We decided to use 2**10 shards, not 2**12, and `__init__.py`, as Dr. Kern wants.'
    expect(findDrafts({ role: 'person', text: `${text}\n${text}` })).toEqual([
      { kind: 'decision', content: text },
    ])
  })

  test('of an agent are fixes alone, and of tools there are none', () => {
    const text = 'We decided to drop Redis. Never commit to main. The fix was to restart the server.'
    expect(findDrafts({ role: 'agent', text }).map(({ kind }) => kind)).toEqual(['fix'])
    const cause = 'Uploads fail on port 6432 because pgbouncer runs in transaction mode.'
    expect(findDrafts({ role: 'agent', text: cause })).toEqual([{ kind: 'fix', content: cause }])
    for (const vague of ['I can rename it because the name is free.', 'The fix is in src/webhooks/retry.ts.'])
      expect(findDrafts({ role: 'agent', text: vague })).toEqual([])
    expect(findDrafts({ role: 'tool', text })).toEqual([])
  })

  test('are at most three of a turn, and none of a pasted document', () => {
    const text = Array.from({ length: 9 }, (_, i) => `We decided to use tool number ${i}.`).join(' ')
    expect(findDrafts({ role: 'person', text })).toHaveLength(3)
    expect(findDrafts({ role: 'person', text: text.repeat(100) })).toEqual([])
  })

  test('are no facts of a long turn, which somebody pasted', () => {
    const fact = 'Dana is the one who approves releases, Marek only does hotfixes.'
    const pasted = 'The harbour opens at noon and nobody minds. '.repeat(50)
    expect(findDrafts({ role: 'person', text: `${fact}\n${pasted}` })).toEqual([])
  })

  test('take no longer for an ugly text', () => {
    const ugly = `my ${'a '.repeat(9_000)} we decided ${'favourite '.repeat(100)}`
    expect(findDrafts({ role: 'person', text: ugly })).toEqual([])
  })
})
