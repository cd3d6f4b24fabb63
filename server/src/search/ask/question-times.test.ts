import { describe, expect, test } from 'vitest'
import { readOnlyTime, readTimeSpans } from './question-times.ts'

/** A Sunday. */
const now = Date.parse('2026-11-22T10:00:00Z')

const toText = (moment: number) => new Date(moment).toISOString().replace('T00:00:00.000Z', '').slice(0, 16)
/** The latest time that a question may mean. */
function latestOf(query: string): string {
  const [span] = readTimeSpans(query, now)
  return span === undefined ? '' : `${toText(span.from)} ${toText(span.to - 1).slice(0, 10)}`
}

describe('readTimeSpans', () => {
  test.each([
    ['on 14.05.2023', '2023-05-14 2023-05-14'],
    ['2024/01/19', '2024-01-19 2024-01-19'],
    ['2023年5月8日', '2023-05-08 2023-05-08'],
    ['im Mai 2023', '2023-05-01 2023-05-31'],
    ['at Christmas', '2025-12-24 2025-12-26'],
    ['christmas 2023', '2023-12-24 2023-12-26'],
    ["New Year's Eve", '2025-12-31 2025-12-31'],
    ["on New Year's Day 2024", '2024-01-01 2024-01-01'],
    ['Halloween', '2026-10-31 2026-10-31'],
    ['Thanksgiving 2024', '2024-11-28 2024-11-28'],
    ['Thanksgiving', '2025-11-27 2025-11-27'],
    ['Easter 2024', '2024-03-29 2024-04-01'],
    ['Ostern 2025', '2025-04-18 2025-04-21'],
    ["valentine's day", '2026-02-14 2026-02-14'],
    ['last weekend', '2026-11-14 2026-11-15'],
    ['this weekend', '2026-11-21 2026-11-22'],
    ['last night', '2026-11-21T12:00 2026-11-22'],
    ['this morning', '2026-11-22 2026-11-22'],
    ['the day before yesterday', '2026-11-20 2026-11-20'],
    ['a couple of weeks ago', '2026-11-01T10:00 2026-11-15'],
    ['a few days ago', '2026-11-16T22:00 2026-11-20'],
    ['in the last 24 hours', '2026-11-21T10:00 2026-11-22'],
    ['the past two weeks', '2026-11-08T10:00 2026-11-22'],
    ['Q1 2024', '2024-01-01 2024-03-31'],
    ['the third quarter of 2024', '2024-07-01 2024-09-30'],
    ['H2 2024', '2024-07-01 2024-12-31'],
    ['first half of 2024', '2024-01-01 2024-06-30'],
    ['decided between 2026-11-13 and 2026-11-21', '2026-11-13 2026-11-21'],
    ['2023-05-08 to 2023-06-01', '2023-05-08 2023-06-01'],
    ['from March to May 2023', '2023-03-01 2023-05-31'],
    ['from November to March 2023', '2022-11-01 2023-03-31'],
    ['Januar bis März 2024', '2024-01-01 2024-03-31'],
    ['3-10 May 2024', '2024-05-03 2024-05-10'],
    ['between Monday and Friday', '2026-11-16 2026-11-20'],
    ['from 2020 to 2022', '2020-01-01 2022-12-31'],
    ['from Aug 2002 to 2007', '2002-08-01 2007-12-31'],
    ['between 2002 and May 2017', '2002-01-01 2017-05-31'],
    ['from 1891 to 1905', '1891-01-01 1905-12-31'],
    ['in the 1990s', '1990-01-01 1999-12-31'],
    ['1976', '1976-01-01 1976-12-31'],
    ['who won in 1976?', '1976-01-01 1976-12-31'],
    ['since 2019', '2019-01-01 2026-11-22'],
    ['1976年から1980年まで', '1976-01-01 1980-12-31'],
    ['since May', '2026-05-01 2026-11-22'],
    ['since Monday', '2026-11-16 2026-11-22'],
    ['before 3 May', '1000-01-01 2026-05-02'],
    ['until May 2024', '1000-01-01 2024-05-31'],
    ['after 3 May 2024', '2024-05-04 2026-11-22'],
    ['seit gestern', '2026-11-21 2026-11-22'],
    ['vor dem 3. Mai 2024', '1000-01-01 2024-05-02'],
    ['5月以来', '2026-05-01 2026-11-22'],
    ['the week of May 8', '2026-05-04 2026-05-10'],
    ['early May 2024', '2024-05-01 2024-05-10'],
    ['mid-May 2024', '2024-05-11 2024-05-20'],
    ['late May 2024', '2024-05-21 2024-05-31'],
    ['the second week of November 2022', '2022-11-08 2022-11-14'],
    ['in the last two weeks of August 2023', '2023-08-18 2023-08-31'],
    ['the week before August 3, 2023', '2023-07-27 2023-08-02'],
    ['the Saturday after October 28, 2023', '2023-10-29 2023-11-04'],
    ['two weeks before 29 January 2024', '2024-01-11T12:00 2024-01-18'],
    ['on Monday last week', '2026-11-16 2026-11-16'],
    ['el lunes', '2026-11-16 2026-11-16'],
    ['lundi dernier', '2026-11-16 2026-11-16'],
    ['last spring', '2026-03-01 2026-05-31'],
    ['2024年', '2024-01-01 2024-12-31'],
    ['10 minutes ago', '2026-11-22T09:49 2026-11-22'],
    ['in the last 30 minutes', '2026-11-22T09:30 2026-11-22'],
    ['within the past hour', '2026-11-22T09:00 2026-11-22'],
    ['vor fünf Minuten', '2026-11-22T09:54 2026-11-22'],
    ['24h ago', '2026-11-21T09:30 2026-11-21'],
    ['the last 7d', '2026-11-15T10:00 2026-11-22'],
    ['two years ago', '2024-05-23T22:00 2025-05-23'],
    ['an hour ago', '2026-11-22T08:30 2026-11-22'],
    ['the end of last year', '2025-09-01 2025-12-31'],
    ['the beginning of this month', '2026-11-01 2026-11-10'],
    ['in the middle of last month', '2026-10-11 2026-10-20'],
    ['late this year', '2026-09-01 2026-12-31'],
    ['last quarter', '2026-07-01 2026-09-30'],
    ['this quarter', '2026-10-01 2026-11-22'],
    ['29 February', '2024-02-29 2024-02-29'],
    ['since last Tuesday', '2026-11-17 2026-11-22'],
    ['since last Christmas', '2025-12-24 2026-11-22'],
    ['since last week', '2026-11-09 2026-11-22'],
    ['seit letztem Montag', '2026-11-16 2026-11-22'],
    ['between last Monday and Wednesday', '2026-11-16 2026-11-18'],
    ['before last week', '1000-01-01 2026-11-08'],
    ['before this month', '1000-01-01 2026-10-23'],
    ['昨年', '2024-11-22T10:00 2026-11-22'],
    ['the day after Christmas', '2025-12-27 2025-12-27'],
    ['the third week of May 2024', '2024-05-15 2024-05-21'],
    ['New Year’s Eve 2023', '2023-12-31 2023-12-31'],
    ['winter 2023', '2023-12-01 2024-02-29'],
    ['summer of 2024', '2024-06-01 2024-08-31'],
    ['between May and July', '2026-05-01 2026-07-31'],
    ['by Friday', '1000-01-01 2026-11-20'],
    ['3일 전', '2026-11-18T22:00 2026-11-19'],
    ['2 недели назад', '2026-11-04T22:00 2026-11-11'],
    ['三天前', '2026-11-18T22:00 2026-11-19'],
    ['hace un mes', '2026-10-08T10:00 2026-11-07'],
    ['2026-11-22T10:00:00Z', '2026-11-22 2026-11-22'],
    ['tomorrow', '2026-11-23 2026-11-23'],
    ['the day after tomorrow', '2026-11-24 2026-11-24'],
    ['next week', '2026-11-23 2026-11-29'],
    ['next weekend', '2026-11-28 2026-11-29'],
    ['next month', '2026-12-01 2026-12-31'],
    ['next year', '2027-01-01 2027-12-31'],
    ['next quarter', '2027-01-01 2027-03-31'],
    ['the end of next month', '2026-12-21 2026-12-31'],
    ['on next Friday', '2026-11-27 2026-11-27'],
    ['in the next 10 days', '2026-11-22T10:00 2026-12-02'],
    ['the next few days', '2026-11-22T10:00 2026-11-27'],
    ['3 days from now', '2026-11-25 2026-11-25'],
    ['before next week', '1000-01-01 2026-11-22'],
  ])('"%s" is %s', (query, span) => expect(latestOf(query)).toBe(span))

  test.each([
    [
      'today',
      ['heute', "aujourd'hui", 'hoy', 'oggi', 'hoje', 'vandaag', 'сегодня', 'اليوم', '今天', '今日', '오늘'],
    ],
    [
      'yesterday',
      [
        "qu'avons-nous fait hier ?",
        'gestern',
        'ayer',
        'ieri',
        'ontem',
        'gisteren',
        'вчера',
        'أمس',
        '昨天',
        '昨日',
        '어제',
      ],
    ],
    [
      'last week',
      [
        'letzte Woche',
        'la semaine dernière',
        'la semana pasada',
        'la settimana scorsa',
        'na semana passada',
        '上周',
        '先週',
      ],
    ],
    [
      'last month',
      ['letzten Monat', 'le mois dernier', 'el mes pasado', 'il mese scorso', 'vorige maand', '上个月'],
    ],
    [
      'last year',
      ["l'année dernière", 'letztes Jahr', 'el año pasado', "l'anno scorso", 'vorig jaar', '去年'],
    ],
    [
      'tomorrow',
      [
        'morgen Nachmittag',
        'demain',
        '¿qué tengo mañana?',
        'domani',
        'amanhã',
        'завтра',
        'غدا',
        '明天',
        '내일',
      ],
    ],
    [
      'next week',
      [
        'nächste Woche',
        'la semaine prochaine',
        'la próxima semana',
        'la prossima settimana',
        'semana que vem',
        'volgende week',
        'на следующей неделе',
        '来週',
      ],
    ],
    [
      'next Tuesday',
      ['nächsten Dienstag', 'mardi prochain', 'el martes que viene', 'el próximo martes', 'volgende dinsdag'],
    ],
    ['this week', ['diese Woche', 'cette semaine', 'esta semana', 'questa settimana', 'deze week', '今週']],
    [
      '3 weeks ago',
      [
        'vor drei Wochen',
        'il y a 3 semaines',
        'hace tres semanas',
        '3 settimane fa',
        'há três semanas',
        '3 weken geleden',
        '3週間前',
      ],
    ],
  ])('"%s" is said in other languages too', (english, others) => {
    for (const other of others) expect([other, latestOf(other)]).toEqual([other, latestOf(english)])
  })

  test('minutes and hours end at the minute', () => {
    const spanOf = (query: string) => readTimeSpans(query, now).map(({ from, to }) => [from - now, to - now])
    expect(spanOf('10 minutes ago')).toEqual([[-630_000, -570_000]])
    expect(spanOf('2 hours ago')).toEqual([[-9_000_000, -5_400_000]])
    expect(spanOf('the last 5 min')).toEqual([[-300_000, 1]])
  })

  test('29 February is in leap years only', () => {
    expect(readTimeSpans('29 February', now).map(({ from }) => toText(from))).toEqual(['2024-02-29'])
    expect(readTimeSpans('28 February', now)).toHaveLength(4)
  })

  test('a date that can be read either way is both', () =>
    expect(readTimeSpans('on 09/06/2024', now).map(({ from }) => toText(from))).toEqual([
      '2024-06-09',
      '2024-09-06',
    ]))

  test.each([
    'version 2.5.24',
    '192.168.10.24',
    '12/24 seats',
    '+49 30 901820',
    'what may we march for',
    'this may be a second',
    'did he fall',
    'in Rio de Janeiro',
    'what has Ada done recently',
    'spring boot',
    'the Monday meeting and Friday lunch',
    'build 2024',
    'was hat Ada hier gemacht',
    'Mars 2020',
    'next release',
    'por la mañana corre',
    'am Morgen',
    'upcoming appointments',
    'it was done in 3 days',
  ])('"%s" names no time', (query) => expect(readTimeSpans(query, now)).toEqual([]))
})

test.each([
  ['What do I have on Friday?', ['2026-11-27', '2026-11-20']],
  ['What did I have on Friday?', ['2026-11-20']],
  ['Are we free this weekend?', ['2026-11-21']],
  ['What is planned in January?', ['2027-01-01', '2026-01-01', '2025-01-01', '2024-01-01', '2023-01-01']],
  ['What is planned for December 2025?', ['2025-12-01']],
  ['What happened in January?', ['2026-01-01', '2025-01-01', '2024-01-01', '2023-01-01']],
  ['Was habe ich am Montag vor?', ['2026-11-23', '2026-11-16']],
])('%s names the days %j', (query, days) => {
  expect(readTimeSpans(query, now).map(({ from }) => toText(from))).toEqual(days)
})

test('this weekend is the coming one for a question that looks ahead', () => {
  const wednesday = Date.parse('2026-11-25')
  const first = (query: string) => readTimeSpans(query, wednesday).map(({ from }) => toText(from))
  expect(first('What do we have planned this weekend?')).toEqual(['2026-11-28'])
  expect(first('What did we do this weekend?')).toEqual(['2026-11-21'])
})

test('next weekend follows the one in progress, if any', () => {
  const next = (day: string) => readTimeSpans('next weekend', Date.parse(day)).map(({ from }) => toText(from))
  expect([next('2026-11-20'), next('2026-11-21'), next('2026-11-23')]).toEqual([
    ['2026-11-21'],
    ['2026-11-28'],
    ['2026-11-28'],
  ])
})

describe('readOnlyTime', () => {
  test.each([
    'what happened today?',
    'this week',
    'recently',
    "What's new?",
    'any news',
    'latest updates',
    'what changed recently',
    'what did we do yesterday?',
    'What did we work on last week?',
    'what have you learned in the last 3 days?',
    'anything new since Monday?',
    'what happened between Monday and Friday?',
    'What did I tell you on 8 May 2024?',
    'recap of this week',
    'was ist heute passiert?',
    'Was gibt es Neues?',
    "qu'est-ce qui s'est passé hier ?",
    '¿qué hicimos la semana pasada?',
    'cosa è successo ieri?',
    'o que aconteceu ontem?',
    'wat is er gisteren gebeurd?',
    'что произошло вчера?',
    'ماذا حدث أمس؟',
    '昨天发生了什么？',
    '昨日何がありましたか',
    'What do I have on tomorrow?',
    'What is planned for next week?',
    'anything due in the next 10 days?',
    'what is coming up?',
    'Was steht nächste Woche an?',
    "qu'est-ce que j'ai demain ?",
  ])('"%s" is about a time only', (query) => expect(readOnlyTime(query, now)).toBeDefined())

  test.each([
    '',
    'what did Ada do yesterday?',
    'what did I eat today?',
    'recent deploys',
    'news about Ada',
    'what did we do',
    'what passiert tea yesterday',
    'latest release of node',
    'what do you know?',
    'what war yesterday',
    'list the decisions',
    'everything',
    'May',
    'new',
    'changes',
    'Christmas',
    'summer',
    'was ist mit Ada gestern passiert?',
  ])('"%s" is about more, or about no time', (query) => expect(readOnlyTime(query, now)).toBeUndefined())

  test('gives the time, and two weeks for news', () => {
    expect(readOnlyTime('what happened yesterday?', now)).toEqual([
      { from: Date.parse('2026-11-21'), to: Date.parse('2026-11-22') },
    ])
    expect(readOnlyTime('what changed since last week?', now)).toEqual([
      { from: Date.parse('2026-11-09'), to: now + 1 },
    ])
    expect(readOnlyTime("what's new?", now)).toEqual([
      { from: Date.parse('2026-11-08T10:00:00Z'), to: now + 1 },
    ])
  })
})
