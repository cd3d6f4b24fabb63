/** A question with the history that it is asked about. */
export type History = {
  type: string
  question: string
  /** The sessions with the answer. */
  evidence: string[]
  sessions: { id: string; at: number | undefined; turns: string[] }[]
}

type Row = {
  question_id: string
  question_type: string
  question: string
  haystack_session_ids: string[]
  haystack_dates: string[]
  haystack_sessions: { role: string; content: string }[][]
  answer_session_ids: string[]
}

/** The questions of a file as it is published; those without an answer are left out. */
export function readHistories(json: string): History[] {
  return (JSON.parse(json) as Row[])
    .filter(({ question_id, answer_session_ids: ids }) => !question_id.endsWith('_abs') && ids.length > 0)
    .map((row) => ({
      type: row.question_type,
      question: row.question,
      evidence: [...new Set(row.answer_session_ids)],
      sessions: toSessions(row),
    }))
}

/** A session can stand in a history twice; its first place counts. */
function toSessions({ haystack_session_ids: ids, haystack_dates: dates, haystack_sessions: sessions }: Row) {
  const known = new Set<string>()
  return sessions.flatMap((turns, i) => {
    const id = ids[i]
    if (id === undefined || known.has(id)) return []
    known.add(id)
    return [{ id, at: toTime(dates[i] ?? ''), turns: turns.flatMap(toText) }]
  })
}

const toText = ({ role, content }: { role: string; content: string }) =>
  content.trim() === '' ? [] : [`${role}: ${content}`]

/** "2023/05/20 (Sat) 02:21" */
function toTime(written: string): number | undefined {
  const [, day, time] = /^(\d{4}\/\d\d\/\d\d)\s*(?:\([^)]*\))?\s*(\d\d:\d\d)?/.exec(written) ?? []
  return day === undefined ? undefined : Date.parse(`${day.replaceAll('/', '-')}T${time ?? '00:00'}Z`)
}

/** A history for import: an entity a session, its turns a second apart. */
export function toHistoryLines({ sessions }: History): string {
  const lines = sessions.map(({ id, at, turns }) => {
    const timeOf = (i: number) =>
      at === undefined ? {} : { createdAt: new Date(at + i * 1_000).toISOString() }
    const observations = turns.map((content, i) => ({ content, ...timeOf(i) }))
    return JSON.stringify({ type: 'entity', name: id, entityType: 'event', ...timeOf(0), observations })
  })
  return lines.join('\n')
}
