import { isRequest, type Statement } from './fact-signs.ts'

const asks =
  '(?:can|could|would|will|do|does|did|is|are|should|shall|may|how|what|which|where|why|when|who|any)\\b[^.]*\\?\\s*$'
const joint = '(?:,|;|\\s[-–—]|\\.\\.+)\\s*'
/** The question or request at the end: "we sell in the EU only, can you fix the table?" */
const trailing = new RegExp(
  `${joint}(?:(?:so|and|but|or|then|also)\\b,?\\s*)?(?:${asks}|(?:i was |i['’]m )?(?:(?:just|kinda|also) )*wondering\\b.*$|` +
    '(?:can|could|would) (?:you|we|i)\\b.*$|(?:please|pls)\\b.*$)',
  'i',
)
const reason = '(?:because|since|cause|cuz)'
/** Where a request goes over to what it is told with: "drop the page, we closed the shop". */
const turning = new RegExp(
  `(?:[,;:]|\\s[-–—]|\\.\\.+)\\s*(?:(?:${reason}|as|so|and|but|btw)\\b,?\\s*)?(?=(?:we|i|my|our|the|he|she)\\b)|` +
    `\\s${reason}\\s+(?=(?:we|i|my|our|the|\\p{L}+ (?:is|are|was|has))\\b)`,
  'iu',
)
const question = /[?？]\s*["'”’)]*$/u

const opening = /^(?:(?:btw|fyi|also|oh|hey|hi|ok|okay|so|and|but|well|yeah|yes),? )+/i

/** What a sentence tells, without the request or question that it comes with. Undefined if it only asks. */
function statementIn(sentence: string): string | undefined {
  const told = sentence.replace(trailing, '')
  if (!question.test(told) && !isRequest.test(told)) return told
  const turn = turning.exec(told)
  const rest = turn === null ? told : told.slice(turn.index + turn[0].length)
  return question.test(rest) ? undefined : rest
}

/** The sentences of a turn that tell something, with what is known of each. */
export function statementsIn(sentences: readonly string[]): (Statement | undefined)[] {
  const asking = sentences.filter(asksForSomething)
  return sentences.map((sentence, i) => {
    const whole = sentence.replace(opening, '')
    const statement = statementIn(whole)
    if (statement === undefined) return undefined
    const isPart = statement !== whole
    const isBesideRequest = isPart || asking.some((other) => other !== sentence)
    const place = { isFirst: i === 0 && !isPart, isAlone: sentences.length === 1 }
    return { sentence, text: statement, ...place, isBesideRequest }
  })
}

const asksForSomething = (sentence: string) => question.test(sentence) || isRequest.test(sentence)
