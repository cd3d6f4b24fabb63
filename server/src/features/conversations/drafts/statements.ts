/** A sentence of a turn, and what it tells without a request or question that it comes with. */
export type Statement = {
  sentence: string
  text: string
  /** The first of its turn, and no part of a request. */
  isFirst: boolean
  /** The only one of its turn. */
  isAlone: boolean
  /** It comes with a request, or another sentence of the turn asks for something. */
  isBesideRequest: boolean
}

/** Words with which a sentence asks for something. */
const requests =
  'add|make|fix|write|run|show|give|check|change|update|try|put|send|let|lets|explain|create|remove|delete|move|look|tell|' +
  'find|do|go|start|stop|keep|rename|draft|help|turn|set|use|list|compare|read|open|redo|translate|shorten|suggest|skip|' +
  'leave|drop|revert|commit|push|merge|rewrite|clean|build|plan|think|wait|continue|replace|split|convert|refactor|' +
  'summari[sz]e|rephrase|swap|bump|cut|get|take|implement|ensure|return|extract|generate|install|sort|filter|load|call|wrap|' +
  'log|mark|group|format|round|separate|prepare|book|order|remind|answer|reply|mention|migrate|port|test|debug|' +
  'investigate|review|verify|describe|document|combine|export|import|adjust'
const fillers =
  '(?:(?:please|pls|ok|okay|and|then|now|also|great|thanks|cool|hey|so|yes|no|hm+|well|alright|(?:can|could|would|will) you),? )*'
/** A sentence that begins by asking for something. */
export const isRequest = new RegExp(`^${fillers}(?:${requests})\\b`, 'i')

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
