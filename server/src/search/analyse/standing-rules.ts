/** How a sentence begins that says what to do from now on, in the languages of the analyser, Japanese and Chinese. */
const beginnings = [
  // English. "Never been there" and "Always has lunch at noon" tell of somebody.
  String.raw`(?:please |you (?:should|must) )?(?:always|never(?! again| mind))(?! (?:been|had|has|was|were|is|are|did|does|went|goes|seen|said|got|\w+ed|\w+[^su\s]s)\b) \p{L}`,
  "(?:please )?(?:do not|don't|don’t|must not|must|should) (?:ever|always|never) ",
  String.raw`(?:from now on|going forward|from here on|in (?:the )?future)\b`,
  String.raw`(?:please )?(?:whenever|when|if|each time|every time) (?:i|we) (?:ask|say|write|mention|request|want)\b`,
  '(?:(?:i|we) |(?:the )?user )?(?:strongly |always |usually )?prefers? ',
  String.raw`(?:i(?:'d| would)? (?:like|want)|(?:the )?user (?:likes|wants)) (?:you|(?:all |short |concise |brief )?(?:answers|replies|responses))\b`,
  // German
  String.raw`(?:bitte )?(?:immer|stets|nie|niemals|nie wieder) \p{L}`,
  String.raw`(?:bitte )?\p{L}{2,} (?:bitte |dabei |dafür )?(?:immer|stets|nie|niemals) `,
  String.raw`(?:ab (?:jetzt|sofort|heute)|von nun an|künftig|in zukunft)\b`,
  String.raw`(?:ich (?:bevorzuge|möchte immer|will immer|mag lieber)|bevorzugt)\b`,
  // French
  String.raw`(?:toujours|jamais|ne jamais|désormais|dorénavant|à partir de maintenant|à l['’]avenir)(?!\p{L})`,
  String.raw`(?:\p{L}{2,}|n['’]\p{L}{2,}|ne \p{L}{2,}) (?:toujours|jamais) `,
  String.raw`(?:je préfère|préfère)(?!\p{L})`,
  // Spanish and Portuguese
  String.raw`(?:siempre|nunca|jamás|sempre|de ahora en adelante|a partir de ahora|en adelante|de agora em diante|a partir de agora|doravante)(?!\p{L})`,
  String.raw`(?:no |não )?\p{L}{2,} (?:siempre|nunca|sempre) `,
  String.raw`(?:eu )?(?:prefiero|prefiro|prefiere|prefere)(?!\p{L})`,
  // Italian. "Mai" is also a month and a name, so an infinitive has to follow.
  String.raw`mai (?:più )?\p{L}+r(?:e|si|mi|ti|ci|vi|l[oaie]|ne)(?!\p{L})`,
  "(?:d['’]ora in poi|da ora in poi|d['’]ora in avanti|in futuro|preferisco|preferisce)",
  String.raw`non \p{L}{2,} mai(?!\p{L})`,
  // Dutch
  String.raw`(?:altijd|nooit|voortaan|vanaf nu|in het vervolg)\b`,
  String.raw`\p{L}{2,} (?:altijd|nooit) `,
  String.raw`(?:ik (?:geef de voorkeur aan|heb liever|wil liever))\b`,
  // Russian
  String.raw`(?:всегда|никогда|отныне|впредь|с этого момента|(?:я )?предпочитаю)(?!\p{L})`,
  // Arabic
  '(?:دائما|دائمًا|دائماً|لا [^ ]+ أبد|أبدا لا|من الآن فصاعد|أنا أفضل|أفضّل)',
  // Japanese and Chinese
  '(?:常に|いつも|必ず|決して|今後は|これからは|以降は)',
  '(?:请(?:总是|始终|务必|不要)|总是|始终|永远不要|绝不要|从现在起|从今以后|以后请|我(?:更)?(?:喜欢|偏好))',
]
const beginning = new RegExp(`^(?:${beginnings.join('|')})`, 'iu')

/** Transcripts put who speaks before what they say. */
const speaker = /^[\p{L}\p{M}\p{N} ._-]{1,40}: +/u
const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])|\n+/u
/** Bullets and quotation marks before a sentence. */
const leading = /^[\s\-*•"'“„«>]+/u

/** A longer text is prose, in which such a sentence is advice or a story. */
const charactersMax = 600
const sentencesMax = 8

/**
 * The sentence of a text that is a standing rule: "Always ...", "Never ...", "From now on ...", "I prefer ...". Undefined
 * if it has none. By the words that it begins with, so an observation of somebody's habits can pass for one.
 */
export function findStandingRule(text: string): string | undefined {
  if (text.length > charactersMax) return undefined
  return text
    .replace(speaker, '')
    .split(sentenceEnd)
    .slice(0, sentencesMax)
    .map((sentence) => sentence.replace(leading, ''))
    .find(beginsStandingRule)
}

/** Whether a sentence, without bullets before it, begins like a standing rule. */
export const beginsStandingRule = (sentence: string): boolean => beginning.test(sentence)

/** "... when I ask about deadlines": what an English rule is about. */
const occasion =
  /\b(?:when(?:ever)?|if|each time|every time) (?:i|we) (?:ask|say|write|mention|request|want)(?: (?:you|me))?(?: (?:about|for|to|how))? +(\S.*)/iu

/** What a rule is about: the occasion that it names, or all of it. */
export const subjectOfRule = (rule: string): string => occasion.exec(rule)?.[1] ?? rule
