import { describe, expect, test } from 'vitest'
import { findStandingRule, subjectOfRule } from './standing-rules.ts'

const rules = [
  'Always use pnpm in this repository',
  'Please never commit to main.',
  'user: From now on, answer in German.',
  'I prefer tabs over spaces',
  'Prefers short answers without preamble',
  'The user prefers dark themes',
  'Do not ever push without asking',
  'When I ask about deadlines, name the weekday',
  'Uses Vim. Always run the linter before committing.',
  '- Always sign commits',
  'Immer auf Deutsch antworten',
  'Verwende immer TypeScript',
  'Ab sofort keine Kommentare',
  'Ich bevorzuge kurze Antworten',
  'Toujours répondre en français',
  "N'utilise jamais de tabulations",
  'Je préfère les réponses courtes',
  'Siempre responde en español',
  'De ahora en adelante usa metros',
  'Prefiero respuestas cortas',
  "D'ora in poi rispondi in italiano",
  'Mai usare le tabulazioni',
  'Mai più committarlo su main',
  'Non usare mai le tabulazioni',
  'Sempre responda em português',
  'Altijd in het Nederlands antwoorden',
  'Gebruik nooit tabs',
  'Всегда отвечай по-русски',
  'من الآن فصاعدا أجب بالعربية',
  '常に日本語で答える',
  '从现在起用中文回答',
]

const others = [
  'Ada always takes the bus to work',
  'Never been to Lisbon',
  'Never again',
  'Always has lunch at noon',
  'Always wanted a dog',
  'Works at Initech since 2019',
  'Said that she would never move',
  'The release is planned for March',
  'Emma hat am 12. Mai Geburtstag',
  'Mai 2024: Umzug nach Berlin',
  'Mai Nguyen leads the sales team',
  'Regnet oft in Hamburg',
  '',
]

describe('standing rules', () => {
  test.each(rules)('%s', (text) => expect(findStandingRule(text)).toBeTypeOf('string'))

  test.each(others)('not: %s', (text) => expect(findStandingRule(text)).toBeUndefined())

  test('are not looked for in prose', () => {
    expect(findStandingRule(`Always test. ${'It was a long day. '.repeat(60)}`)).toBeUndefined()
  })

  test('are told without the speaker and the sentences around them', () => {
    expect(findStandingRule('ada: Thanks! Always name the file. Bye.')).toBe('Always name the file.')
  })

  test('are about the occasion that they name', () => {
    expect(subjectOfRule('Always include version numbers when I ask about libraries used.')).toBe(
      'libraries used.',
    )
    expect(subjectOfRule('Never use tabs')).toBe('Never use tabs')
  })
})
