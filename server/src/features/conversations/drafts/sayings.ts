import type { DraftKind } from '@loci/contract/drafts'
import {
  findsCause,
  namesChoice,
  namesChoiceOrKind,
  type Parts,
  saysWhat,
  tellsCause,
} from './stands-alone.ts'

/**
 * How people and agents say something worth remembering. `by`: who says it so that it counts. `holds`: whether the rest of
 * the sentence bears it out.
 */
export type Saying = {
  kind: DraftKind
  by: 'person' | 'agent' | 'both'
  pattern: RegExp
  holds?: (parts: Parts) => boolean
}

const adverbs = '(?:(?:just|finally|now|already|both|all|then|also|recently|eventually) )*'
const kin =
  'wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|son|daughter|brother|sister|mother|father|mom|mum|dad|dog|cat|' +
  'puppy|kitten|boss|manager|mentor|team lead'
const things =
  'friend|colleague|coworker|roommate|company|project|app|repo|repository|service|team|band|store|business'
/** Names that come along with a wish or a question: the sentence is about that. */
const isRequest =
  /\b(?:can|could|would) you\b|\b(?:i was|i['’]?m|i am) (?:\p{L}+ )?(?:wondering|looking|worried|planning|trying|hoping)\b/iu
const opening =
  '^(?:(?:so|ok|okay|alright|great|good|yes|yeah|well|then|and|actually|no|sure|thanks)[,.!]? )*'

const english: Saying[] = [
  {
    kind: 'name',
    by: 'person',
    pattern: new RegExp(
      [
        `\\b[Mm]y name(?:['’]s| is) \\p{Lu}`,
        `\\b(?:[Cc]all me|[Ii](?:['’]m| am) called) \\p{Lu}(?!\\p{Lu})`,
        `^(?:(?:[Hh]i|[Hh]ello|[Hh]ey),? )?I['’]m \\p{Lu}\\p{Ll}+, (?:an?|the|your) `,
        `\\b(?:[Mm]y|[Oo]ur) (?:\\p{Ll}+ )?(?:${kin}),? \\p{Lu}\\p{Ll}+\\b(?<!ed)(?! and I\\b)`,
        `\\b(?:[Mm]y|[Oo]ur) (?:\\p{Ll}+ )?(?:${kin}|${things})(?:['’]s name is| is called| is named|,? called|,? named) ["“'\`]?\\p{Lu}`,
        `\\b(?:we|I) (?:named|call|called) (?:the|our|my) \\p{Ll}+ ["“'\`]?\\p{Lu}`,
        `\\b(?:[Mm]y|[Oo]ur)\\b.{1,60}\\b(?:his|her|its|their) names? (?:is|are) ["“'\`]?\\p{Lu}`,
      ].join('|'),
      'u',
    ),
    holds: ({ before, after }) => !isRequest.test(before + after),
  },
  {
    kind: 'preference',
    by: 'person',
    pattern: new RegExp(
      [
        `\\b(?:we|i)(?:['’]d| would)? (?:really |much |strongly |definitely |still |usually |always |generally |personally )*prefer\\b`,
        `\\b(?:we|i)(?:['’]d| would) (?:much )?rather (?:use|have|keep|avoid|not (?!say))\\b`,
      ].join('|'),
      'iu',
    ),
    holds: saysWhat,
  },
  {
    kind: 'preference',
    by: 'person',
    pattern: new RegExp(
      [
        `\\bmy (?:all-time |absolute )?(?:favou?rite|preferred) (?!part|memor|moment|thing about|kind of weather|ones? )[\\p{L}\\p{N} '’-]{2,40} (?:is|are|has to be)(?!n['’]t| not) (?!probably|when|that i)`,
        `^(?!(?:these|this|that|it|he|she|they)\\b)(?!.*\\bbecause\\b)[^.]{2,60}\\b(?:is|are) (?:my|(?:also |definitely )?(?:one|some) of my) (?:all-time |absolute )?(?:favou?rite|preferred) (?!part|memor|moment)`,
      ].join('|'),
      'iu',
    ),
  },
  {
    kind: 'decision',
    by: 'person',
    pattern: new RegExp(
      [
        `\\b(?:(?:we|i)(?:['’]ve| have)|we) ${adverbs}decided (?:to|on|that|against|not to|we|i)\\b`,
        `\\b(?:we|i)(?:['’]ve| have)? ${adverbs}(?:agreed (?:to|on|that)|opted (?:for|to)|settled on|gone with|migrated (?:from|to)|switched (?:over )?(?:from|to))\\b`,
        `\\b(?:we|i)(?:['’]ve| have) ${adverbs}chosen\\b`,
        `\\b(?:we|i) ${adverbs}replaced [^.,]{2,50} with `,
        `\\b(?:the|our|my)(?: final)? decision (?:is|was) (?:to|that|against|not to)\\b`,
      ].join('|'),
      'iu',
    ),
    holds: saysWhat,
  },
  {
    kind: 'decision',
    by: 'person',
    pattern: new RegExp(
      `\\b(?:i ${adverbs}(?:decided (?:to|on|against|not to)|chose(?: to)?)|(?:we|i) went with)\\b`,
      'iu',
    ),
    holds: namesChoice,
  },
  {
    kind: 'decision',
    by: 'person',
    pattern: new RegExp(
      `${opening}(?:let['’]s (?:go with|stick (?:with|to)|use)|(?:we|i)(?:['’]ll| will|['’]re| are|['’]m| am) (?:go|going|stick|sticking) with)\\b`,
      'iu',
    ),
    holds: namesChoiceOrKind,
  },
  {
    kind: 'fix',
    by: 'both',
    pattern: new RegExp(
      [
        `\\bthe (?:actual |real |final |right |simple )?(?:fix|root cause|culprit) (?:was|is|turned out to be)\\b`,
        `\\bthe (?:actual |real |underlying |main )?(?:problem|issue|bug|error|crash|failure|cause) (?:was|turned out to be|came from)\\b`,
      ].join('|'),
      'iu',
    ),
    holds: tellsCause,
  },
  {
    kind: 'fix',
    by: 'both',
    pattern: new RegExp(
      [
        `\\b(?:we|i|that|this|it|which)(?:['’]ve)? (?:finally )?(?:fixed|solved|resolved) (?:it|this|that|the [^.,]{2,50}) by\\b`,
        `\\bit turned out (?:that )?(?:the|our|my|it)\\b[^.]{0,80}\\b(?:wasn['’]t|was|were|needed|had|did|missing|wrong|broken)\\b`,
      ].join('|'),
      'iu',
    ),
  },
  {
    kind: 'fix',
    by: 'agent',
    pattern:
      /\b(?:because(?! of (?:the|your|this))|due to|since (?:it|they|the|\d)|the reason|which is why|therefore|caused by)\b/i,
    holds: findsCause,
  },
  {
    kind: 'rule',
    by: 'person',
    pattern:
      /^please remember(?: that|:) |^for (?:the record|future reference|next time),? |\b(?:please|must|should|always|never)\b.*\bfrom now on\b/iu,
  },
]

/** Decisions, preferences, fixes and names in the other languages of standing rules. */
const others: Saying[] = [
  {
    kind: 'decision',
    by: 'person',
    pattern: new RegExp(
      [
        // German, Dutch
        `\\b(?:wir haben|ich habe|haben wir|habe ich) [^.?]{0,60}\\b(?:entschieden|beschlossen)\\b`,
        `\\bwir (?:nehmen|bleiben bei|verwenden ab jetzt) `,
        `\\b(?:we hebben|ik heb) [^.?]{0,60}\\b(?:besloten|gekozen)\\b`,
        // French, Spanish, Portuguese, Italian
        `(?:nous avons|on a|j['’]ai)(?: finalement)? (?:décidé|choisi|opté)`,
        `(?:hemos|he|nosotros) decidido|\\bdecid(?:imos|í) |(?:hemos|he) elegido`,
        `\\b(?:decidimos|decidi|resolvemos|optamos por|escolhemos) `,
        `\\b(?:abbiamo|ho) (?:deciso|scelto|optato)`,
        // Russian, Arabic, Japanese, Chinese
        `(?:мы|я) (?:решили|решил|решила|выбрали|выбрал)`,
        `(?:قررنا|قررت أن|اخترنا)`,
        `(?:ことに(?:決め|し)(?:ました|た)|に決定しました|を採用(?:しました|する))`,
        `(?:我们(?:已经)?决定|我(?:已经)?决定|我们选择了|决定采用)`,
      ].join('|'),
      'iu',
    ),
  },
  {
    kind: 'fix',
    by: 'both',
    pattern: new RegExp(
      [
        `\\bdie (?:lösung|ursache) (?:war|ist)\\b|\\bder fehler (?:war|lag)\\b|\\bdas problem (?:war|lag)\\b`,
        `\\bde (?:oplossing|oorzaak) (?:was|is)\\b|\\bhet probleem (?:was|lag)\\b`,
        `(?:la solution|la cause|le problème) (?:était|venait|est de)|la (?:solución|causa) (?:era|fue|es)|el problema (?:era|fue)`,
        `a (?:solução|causa) (?:era|foi|é)|o problema (?:era|foi)|la (?:soluzione|causa) (?:era|è)|il problema era`,
        `(?:проблема была|причина была|решением было|ошибка была)|(?:كانت المشكلة|كان السبب|كان الحل)`,
        `(?:原因は[^。？]{2,60}(?:でした|だった|です)|解決(?:策|方法)は)|(?:原因是|问题出在|解决(?:方法|办法)是)`,
      ].join('|'),
      'iu',
    ),
  },
  {
    kind: 'name',
    by: 'person',
    pattern:
      /\b(?:[Ii]ch heiße|[Mm]ein Name ist|[Ii]k heet|[Mm]ijn naam is|[Jj]e m['’]appelle|[Mm]e llamo|[Mm]i nombre es|[Mm]eu nome é|[Mm]i chiamo) \p{Lu}|меня зовут \p{Lu}|اسمي |(?:私|わたし)の名前は|我(?:的名字)?叫(?![你您他她它])/u,
  },
]

export const sayings: readonly Saying[] = [...english, ...others]
