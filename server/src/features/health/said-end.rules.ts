import { dayMs } from '../../ground/lib/time.ts'

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
const month = `(?<month>${months.map((name) => `${name}|${name.slice(0, 3)}`).join('|')}|sept)\\.?`
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?'
const year = '(?<year>20\\d\\d)'
const dates = [
  `${year}-(?<number>\\d\\d)-(?<day>\\d\\d)(?!T)`,
  `(?<day>\\d{1,2})\\.(?<number>\\d{1,2})\\.${year}`,
  `${day} (?:of )?${month},? ${year}`,
  `${month} ${day},? ${year}`,
  `(?:the end of )?${month} ${year}`,
]
const cue =
  '(?:until|till?|through|thru|up to|by|expires?(?: on)?|ends?(?: on)?|closes?(?: on)?|due(?: on)?|back on|from \\d{1,2} to)'
const ends = dates.map((date) => new RegExp(`\\b${cue} ${date}(?!\\d)`, 'gi'))

/** What ended is history, and stays true: "worked there until March 2024". "Is closed" has not ended. */
const past =
  /\b(?:was|were|had|did|used to|kept|ran|went|came|led|held|took|spent|sold|lay|stood|wrote|taught|built|grew|met|left|paid)\b|(?<!\b(?:is|are|be|being|stays?|remains?|gets?|not) )\b\w{2,}ed\b/i

/** The last day of what an English text says itself to hold until then: "On leave until 1 October 2026". */
export function findSaidEnd(text: string): number | undefined {
  if (!/\b20\d\d\b/.test(text)) return undefined
  for (const pattern of ends)
    for (const found of text.matchAll(pattern)) {
      const sentence = text
        .slice(0, found.index)
        .split(/[.!?;\n]\s/)
        .at(-1)!
      if (!past.test(sentence)) return toEnd(found.groups!)
    }
  return undefined
}

/** The end of a day, or of a month. */
function toEnd({ year, month, number, day }: Record<string, string | undefined>): number {
  const index =
    number === undefined
      ? months.findIndex((name) => name.startsWith(month!.slice(0, 3).toLowerCase()))
      : Number(number) - 1
  return day === undefined
    ? Date.UTC(Number(year), index + 1, 1)
    : Date.UTC(Number(year), index, Number(day)) + dayMs
}
