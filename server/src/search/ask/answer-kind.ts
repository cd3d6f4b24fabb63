/** What a question asks for, if its words say so. */
export type AnswerKind = 'time' | 'number'

const asksForTime = /\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|since when)\b/
const asksForNumber = /\bhow (?:many|much|old|long|far|often|tall|big)\b/

/** Stems of words that refer to a time. */
const times =
  'yesterday today tonight tomorrow ago last next week weekend month year morn even night monday tuesday wednesday ' +
  'thursday friday saturday sunday januari februari march april may june juli august septemb octob novemb decemb'
const numbers =
  'one two three four five six seven eight nine ten eleven twelv fifteen twenti thirti forti fifti sixti seventi ' +
  'eighti nineti dozen hundr thousand million half coupl sever'
const tells: Record<AnswerKind, RegExp> = {
  time: new RegExp(`(?:^| )(?:\\p{N}[^ ]*|${times.replaceAll(' ', '|')})(?= |$)`, 'u'),
  number: new RegExp(`(?:^| )(?:\\p{N}[^ ]*|${numbers.replaceAll(' ', '|')})(?= |$)`, 'u'),
}

export function readAnswerKind(query: string): AnswerKind | undefined {
  const text = query.toLowerCase().slice(0, 1_000)
  if (asksForTime.test(text)) return 'time'
  return asksForNumber.test(text) ? 'number' : undefined
}

/** The words of a kind, as stems. */
export const termsOfKind = (kind: AnswerKind): string[] => (kind === 'time' ? times : numbers).split(' ')

/** Whether a passage, given as terms, contains something of the kind. */
export function tellsKind(kind: AnswerKind, terms: string): boolean {
  return tells[kind].test(terms)
}
