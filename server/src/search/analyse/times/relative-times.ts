import { matchesOf } from '../../../ground/lib/matches.ts'
import { dayMs } from '../../../ground/lib/time.ts'
import { isStopWord } from '../languages.ts'
import { looksAhead } from './looks-ahead.ts'
import { type FoundTime, months, startOfDay, type TimeSpan } from './time-span.ts'

type Read = (now: number) => TimeSpan
type Phrases = [spaced: string, unspaced: string, read: Read]

const daysBack =
  (from: number, to: number): Read =>
  (now) => ({
    from: startOfDay(now) - from * dayMs,
    to: to === 0 ? now + 1 : startOfDay(now) - (to - 1) * dayMs,
  })
const upToNow =
  (length: number): Read =>
  (now) => ({ from: now - length * dayMs, to: now + 1 })

/** Loose bounds, since people also say "last week" for eight days ago. */
const [lastWeek, lastMonth, lastYear] = [upToNow(14), upToNow(60), upToNow(730)]
const [thisMonth, thisYear] = [upToNow(30), upToNow(365)]
/** From the start of a day: 1 for tomorrow. */
const daysAhead =
  (from: number, count: number): Read =>
  (now) => ({ from: startOfDay(now) + from * dayMs, to: startOfDay(now) + (from + count) * dayMs })
const untilMonday = (now: number) => 7 - ((new Date(now).getUTCDay() + 6) % 7)
const comingDays = 31
/** As long as all its days can be looked for in texts. */
const coming: Read = (now) => ({ from: now, to: startOfDay(now) + comingDays * dayMs })
const monthsFrom =
  (offset: number, count: number): Read =>
  (now) =>
    months(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + 1 + offset, count)
const yearFrom =
  (offset: number): Read =>
  (now) =>
    months(new Date(now).getUTCFullYear() + offset, 1, 12)
const quarterFrom =
  (offset: number): Read =>
  (now) =>
    months(new Date(now).getUTCFullYear(), 3 * (Math.floor(new Date(now).getUTCMonth() / 3) + offset) + 1, 3)

const [nextMonth, nextYear] = [monthsFrom(1, 1), yearFrom(1)]

/** Their calendar meaning; weeks begin on Monday. */
const byCalendar = new Map<Read, Read>([
  [
    lastWeek,
    (now) => {
      const monday = startOfDay(now) - ((new Date(now).getUTCDay() + 6) % 7) * dayMs
      return { from: monday - 7 * dayMs, to: monday }
    },
  ],
  [lastMonth, monthsFrom(-1, 1)],
  [lastYear, yearFrom(-1)],
])
const divided = new Map<Read, Read>([
  [lastMonth, monthsFrom(-1, 1)],
  [thisMonth, monthsFrom(0, 1)],
  [lastYear, yearFrom(-1)],
  [thisYear, yearFrom(0)],
  [nextMonth, nextMonth],
  [nextYear, nextYear],
])

const thisWeekend: Read = (now) => weekend(now, 0)
/** The one in progress, or the next. */
const comingWeekend: Read = (now) => {
  const { from, to } = weekend(now, 0)
  return to > now ? { from, to: from + 2 * dayMs } : { from: from + 7 * dayMs, to: from + 9 * dayMs }
}

/** In the languages of the analyser; languages without spaces are separate, since they need no word boundaries. */
const phrases: Phrases[] = [
  [
    "today|tonight|this (?:morning|afternoon|evening)|heute(?: (?:morgen|früh|abend))?|aujourd[’']hui|ce (?:matin|soir)|hoy|" +
      'oggi|stamattina|stasera|hoje|vandaag|vanmorgen|vanavond|сегодня|اليوم',
    '今天|今日|本日|今朝|今晚|오늘',
    daysBack(0, 0),
  ],
  ['yesterday|gestern|ayer|ieri|ontem|gisteren|вчера|أمس', '昨天|昨日|きのう|어제', daysBack(1, 1)],
  [
    'last night|yesterday evening|gestern abend|hier soir|anoche|ieri sera|ontem à noite|gisteravond|вчера вечером',
    '昨晚|昨夜|어젯밤',
    (now) => ({ from: startOfDay(now) - dayMs / 2, to: Math.min(now + 1, startOfDay(now) + dayMs / 2) }),
  ],
  [
    "the day before yesterday|day before yesterday|vorgestern|avant[- ]hier|anteayer|l[’']altro ieri|anteontem|eergisteren|" +
      'позавчера',
    '前天|一昨日|おととい|그저께',
    daysBack(2, 2),
  ],
  [
    'this week|diese woche|cette semaine|esta semana|questa settimana|deze week|на этой неделе|هذا الأسبوع',
    '本周|本週|这周|這週|这个星期|今週|이번 ?주',
    upToNow(7),
  ],
  [
    '(?:last|past|previous) week|(?:letzte|vorige|vergangene)[rn]? woche|la semaine (?:dernière|passée)|la semana pasada|' +
      'la settimana scorsa|(?:a |na )?semana passada|(?:vorige|afgelopen) week|на прошлой неделе|الأسبوع الماضي',
    '上周|上週|上星期|上个星期|先週|지난 ?주',
    lastWeek,
  ],
  [
    'this month|diesen monat|ce mois(?:-ci)?|este mes|questo mese|este mês|deze maand|в этом месяце|هذا الشهر',
    '本月|这个月|這個月|今月|이번 ?달',
    thisMonth,
  ],
  [
    '(?:last|past|previous) month|(?:letzten|vorigen|vergangenen) monat|le mois (?:dernier|passé)|el mes pasado|' +
      'il mese scorso|(?:n?o )?mês passado|(?:vorige|afgelopen) maand|в прошлом месяце|الشهر الماضي',
    '上个月|上個月|上月|先月|지난 ?달',
    lastMonth,
  ],
  [
    "this year|dieses jahr|cette année|este año|quest[’']anno|este ano|dit jaar|в этом году|هذا العام",
    '今年|올해',
    thisYear,
  ],
  [
    "(?:last|past|previous) year|(?:letztes|voriges|vergangenes) jahr|l[’']année dernière|l[’']an dernier|el año pasado|" +
      "l[’']anno scorso|(?:n?o )?ano passado|(?:vorig|afgelopen) jaar|в прошлом году|العام الماضي|السنة الماضية",
    '去年|昨年|작년',
    lastYear,
  ],
  ['(?:last|past|previous) day', '', upToNow(2)],
  ['(?:last|past|previous) hour', '', upToNow(1 / 24)],
  ['(?:last|past|previous) quarter|letztes quartal', '', quarterFrom(-1)],
  ['this quarter|dieses quartal', '', (now) => ({ from: quarterFrom(0)(now).from, to: now + 1 })],
  [
    '(?:this|over the|on the|at the) weekend|dieses wochenende|am wochenende|ce week-end|este fin de semana|dit weekend',
    '本周末|今週末|이번 주말',
    thisWeekend,
  ],
  [
    '(?:last|past|previous) weekend|letztes wochenende|le week-end dernier|el fin de semana pasado|lo scorso fine settimana|' +
      'fim de semana passado|(?:vorig|afgelopen) weekend|в прошлые выходные',
    '上周末|上週末|先週末|지난 주말',
    (now) => weekend(now, 1),
  ],
  [
    "tomorrow(?: (?:morning|afternoon|evening|night))?|(?<!(?:heute|gestern|guten|am|jede[nr]?|diese[nr]?|vom|de|'s) )" +
      'morgen(?: (?:früh|mittag|nachmittag|abend))?|demain|(?<!(?:la|esta|cada) )mañana|domani|amanhã|завтра|غدا',
    '明天|明日|내일',
    daysAhead(1, 1),
  ],
  [
    '(?:the )?day after tomorrow|übermorgen|après[- ]demain|pasado mañana|dopodomani|depois de amanhã|overmorgen|послезавтра',
    '后天|後天|明後日|あさって|모레',
    daysAhead(2, 1),
  ],
  [
    '(?:next|coming) week|(?:nächste|kommende)[rn]? woche|la semaine prochaine|la semana que viene|(?:(?:l|n)?a )?próxima semana|' +
      'la (?:prossima settimana|settimana prossima)|semana que vem|(?:volgende|komende) week|на следующей неделе|' +
      'الأسبوع (?:القادم|المقبل)',
    '下周|下週|下星期|下个星期|来週|다음 ?주',
    (now) => daysAhead(untilMonday(now), 7)(now),
  ],
  [
    '(?:next|coming) weekend|(?:nächste[sn]|kommende[sn]) wochenende|le week-end prochain|el próximo fin de semana|' +
      '(?:volgend|komend) weekend',
    '下周末|下週末|来週末',
    (now) => daysAhead((6 - new Date(now).getUTCDay()) % 7 || 7, 2)(now),
  ],
  [
    '(?:next|coming) month|(?:nächsten|kommenden) monat|le mois prochain|el mes que viene|(?:el |o |no )?próximo m[eê]s|' +
      'il (?:prossimo mese|mese prossimo)|mês que vem|(?:volgende|komende) maand|в следующем месяце|الشهر (?:القادم|المقبل)',
    '下个月|下個月|下月|来月|다음 ?달',
    nextMonth,
  ],
  [
    "(?:next|coming) year|(?:nächstes|kommendes) jahr|l[’'](?:année prochaine|an prochain)|el año que viene|" +
      "(?:el |o |no )?próximo a[nñ]o|l[’']anno prossimo|il prossimo anno|ano que vem|(?:volgend|komend) jaar|" +
      'в следующем году|العام (?:القادم|المقبل)',
    '明年|来年|내년',
    nextYear,
  ],
  ['(?:next|coming) quarter|nächstes quartal', '', quarterFrom(1)],
]

/** These often mean more than two weeks, or a month. */
const vaguePhrases: Phrases[] = [
  [
    'recently|lately|these days|in letzter zeit|kürzlich|neulich|récemment|ces derniers temps|recientemente|últimamente|' +
      'di recente|ultimamente|recentemente|onlangs|недавно|مؤخرا',
    '最近|최근',
    upToNow(14),
  ],
  [
    '(?:is |are )?coming up|upcoming|(?:in )?the (?:coming (?:days|weeks)|near future)|demnächst|in den nächsten tagen|' +
      'prochainement|próximamente|prossimamente|em breve|binnenkort|в ближайшее время',
    '近いうち|接下来|조만간',
    coming,
  ],
]
const vague = new Set(vaguePhrases.map(([, , read]) => read))

const patterns = [...phrases, ...vaguePhrases].map(([spaced, unspaced, read]): [RegExp, Read] => [
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${spaced})(?![\\p{L}\\p{N}]|\\s(?:of|before|after)\\s)${unspaced && `|${unspaced}`}`,
    'gu',
  ),
  read,
])

/** Finds times relative to now: "yesterday", "last week", "tomorrow". */
export function readRelativeTimes(text: string, now: number): FoundTime[] {
  const found = patterns.flatMap(([pattern, read]) =>
    matchesOf(pattern, text).map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      spans: read === thisWeekend && looksAhead(text) ? [comingWeekend(now)] : [read(now)],
      ...toCalendar(read, now),
      isVague: vague.has(read),
    })),
  )
  return isFrench(text) ? [...found, ...readHier(text, now)] : found
}

function toCalendar(read: Read, now: number): Pick<FoundTime, 'calendar' | 'divided'> {
  const [calendar, whole] = [byCalendar.get(read), divided.get(read)]
  return {
    ...(calendar === undefined ? {} : { calendar: calendar(now) }),
    ...(whole === undefined ? {} : { divided: whole(now) }),
  }
}

/** "Hier" is "yesterday" in French, and "here" in German and Dutch. */
function readHier(text: string, now: number): FoundTime[] {
  return [...text.matchAll(/(?<!\p{L})hier(?!\p{L})/gu)].map(({ index }) => ({
    start: index,
    end: index + 4,
    spans: [daysBack(1, 1)(now)],
  }))
}

function isFrench(text: string): boolean {
  if (text.trim() === 'hier') return true
  if (!text.includes('hier')) return false
  const words = text.match(/\p{L}+/gu) ?? []
  const isGermanic = (word: string) => isStopWord(word, 'de') || isStopWord(word, 'nl')
  const french = words.filter((word) => isStopWord(word, 'fr') && !isGermanic(word)).length
  const germanic = words.filter(
    (word) => word !== 'hier' && isGermanic(word) && !isStopWord(word, 'fr'),
  ).length
  return french > germanic
}

/** Saturday and Sunday of the last weekend that has begun; with `back`, a weekend in progress is skipped. */
function weekend(now: number, back: 0 | 1): TimeSpan {
  const today = startOfDay(now)
  const sinceSaturday = (new Date(now).getUTCDay() + 1) % 7
  const isOn = sinceSaturday < 2
  const from = today - (sinceSaturday + (isOn ? 7 * back : 0)) * dayMs
  return { from, to: Math.min(from + 2 * dayMs, now + 1) }
}
