const months = 'january|february|march|april|may|june|july|august|september|october|november|december'
const shortMonths = 'jan|feb|apr|aug|sept?|oct|nov|dec'

/** Words with which a sentence asks for something. */
const requests =
  'add|make|fix|write|run|show|give|check|change|update|try|put|send|let|lets|explain|create|remove|delete|move|look|tell|' +
  'find|do|go|start|stop|keep|rename|draft|help|turn|set|use|list|compare|read|open|redo|translate|shorten|suggest|skip|' +
  'leave|drop|revert|commit|push|merge|rewrite|clean|build|plan|think|wait|continue|replace|split|convert|refactor|' +
  'summari[sz]e|rephrase|swap|bump|cut|get|take|just|maybe|perhaps'
const fillers =
  '(?:(?:please|pls|ok|okay|and|then|now|also|great|thanks|cool|hey|so|yes|no|hm+|well|alright|(?:can|could|would|will) you),? )*'
/** A sentence that begins by asking for something. */
export const isRequest = new RegExp(`^${fillers}(?:${requests})\\b`, 'i')

/**
 * What a sentence shows, and how much that speaks for (above 0) or against it being a fact worth remembering: a
 * logistic regression, learned by `bench/drafts.ts --learn`. English only.
 */
export const factSigns: readonly { weight: number; pattern: RegExp }[] = [
  // Somebody or something is, has, does or must.
  {
    weight: 1.5,
    pattern: /\b(?!it|that|this|there|what|he|she|which|who|here)\p{L}{2,} (?:is|are|was|were)\b/iu,
  },
  {
    weight: 1,
    pattern:
      /\b(?!it|that|this|there|what|he|she|which|who)\p{L}{2,} (?:owns|handles|approves|manages|leads|runs|maintains|reviews|signs|pays|lives|works|teaches|reports|hates|loves|likes|wants|needs|prefers|speaks|plays|takes|uses|expects|starts|ends|closes|opens|expires|costs|supports|requires|allows|returns|rejects|means|belongs|goes|comes|sits|stays|has|does|doesn['’]?t|only|never|always|can['’]?t|won['’]?t)\b/iu,
  },
  { weight: 0.7, pattern: /\bwe(?:['’](?:re|ve|ll|d))?\b/i },
  { weight: 0.3, pattern: /\bour\b/i },
  {
    weight: 0.6,
    pattern:
      /\b(?:wife|husband|partner|girlfriend|boyfriend|fianc[ée]e?|sons?|daughters?|brothers?|sisters?|mother|father|mom|mum|dad|dog|cat|kids?|child|children|baby|boss|manager|landlord|neighbou?r|grand\p{L}+|uncle|aunt|niece|nephew|parents?|colleague|cofounder|doctor|accountant|lawyer|therapist)\b/iu,
  },
  {
    weight: 0.4,
    pattern:
      /\b(?:prefer\w*|rather|favou?rite|hates?|can['’]?t stand|loves?|dislikes?|likes? (?:it )?(?:when|to|my)|don['’]?t like|fan of|allergic|enjoy)\b/i,
  },
  {
    weight: 0.6,
    pattern:
      /\b(?:must|has to|have to|needs? to|had to|(?:not )?allowed|required?|forbidden|may not|can['’]?t|cannot|can only|supposed to|don['’]?t (?:touch|use|ever)|max(?:imum)?|at most|at least|limit(?:ed)?|minimum|budget|cap)\b/i,
  },
  { weight: 1.1, pattern: /\b(?:not|never|no)\b|n['’]t\b/i },
  // Since when, until when, how often; what became of it, and why.
  {
    weight: 1.4,
    pattern:
      /\b(?:since|as of|starting|from|until|till|by|before|after|through|end of|beginning of|next|every|each|twice|once a)\b/i,
  },
  {
    weight: 0.7,
    pattern: /\b(?:every|each|per|weekly|monthly|daily|yearly|annual|always|never|only|usually|except)\b/i,
  },
  { weight: 1, pattern: new RegExp(`\\b(?:${months}|${shortMonths})\\b`, 'i') },
  {
    weight: 0.4,
    pattern:
      /\b(?:moved|renamed|left|quit|retired|replaced|switched|joined|dropped|deprecated|migrated|changed|cancell?ed|sold|bought|hired|fired|promoted|married|divorc(?:ed|ing)|pregnant|died|born|diagnosed|took over|takes over|expired?|merged|split|shut down|closed|raised|cut|extended|postponed|pushed back|signed)\b/i,
  },
  {
    weight: 0.4,
    pattern:
      /\b(?:because|due to|caused|root cause|culprit|turned out|the reason|the fix|fixed by|(?:that['’]s|which is) why)\b/i,
  },
  // Names, places, numbers and identifiers.
  { weight: 1.1, pattern: /(?<!^)(?<![.!?:] )(?<!["'(])\b(?!I\b|I['’]|OK\b|PR\b)\p{Lu}\p{L}+/u },
  { weight: 0.4, pattern: /\b(?!OK|PR|LOL|BTW|PS|FYI|TODO|ASAP)\p{Lu}{2,}\d?\b/u },
  { weight: 0.5, pattern: /\b(?:in|at|on|to|from|near) \p{Lu}\p{L}+/u },
  { weight: 1.1, pattern: /\d/ },
  {
    weight: 0.9,
    pattern:
      /`[^`]+`|\b[\w-]+\.(?:\w+\.)*\w{2,}\b|\b\w+[_/]\w+|\b\w+-\w+-\w+|\/\w+|\b[a-z]+[A-Z]\w+|\bv?\d+\.\d+/,
  },
  // It is about what was said or shown before, or of the moment,
  {
    weight: -0.5,
    pattern:
      /^(?:and |but |so |ok |no |yes )*(?:it|that|this|these|those|they|he|she|there|here)(?:['’](?:s|re))?\b/i,
  },
  {
    weight: -0.4,
    pattern:
      /\bi (?:see|saw|get|got|tried|ran|opened|clicked|pushed|checked|looked|noticed|found|read|just|did|forgot|meant|mean|don['’]?t (?:see|know|get|understand|think|mind|care))\b/i,
  },
  {
    weight: -0.3,
    pattern:
      /\b(?:today|tonight|yesterday|this (?:morning|evening|afternoon)|last night|right now|for now|just now|a minute|in a bit|later|tomorrow|so far)\b/i,
  },
  // a request, a doubt or a condition,
  { weight: -0.7, pattern: isRequest },
  {
    weight: -0.7,
    pattern:
      /\b(?:wondering|not sure|no idea|i think|i guess|i suppose|maybe|perhaps|probably|might|hopefully|i hope|seems?|looks? like|kind of|kinda|sort of|i believe)\b/i,
  },
  // a judgement, a word of thanks, or too little.
  {
    weight: -0.6,
    pattern:
      /\b(?:thanks?|thank you|thx|great|perfect|nice|awesome|cool|lol|haha|sorry|ok|okay|yes|yep|yeah|sure|good|fine|love it|exactly|right)\b/i,
  },
  { weight: -0.3, pattern: /\b(?:really|so much|such|very|super|totally|pretty|quite)\b/i },
  {
    weight: -0.4,
    pattern:
      /\b(?:amazing|beautiful|breathtaking|impressive|cool|fun|funny|interesting|incredible|delicious|wonderful|best|worst|odd|insane|classic|crazy|lovely|powerful|inspiring|makes sense|reassuring)\b/i,
  },
  { weight: -0.7, pattern: /!/ },
  { weight: -1.5, pattern: /^\S+(?:\s+\S+){0,3}$/ },
]
const bias = -2.4

/** Above 0 if a sentence rather is a fact worth remembering. */
export const scoreFact = (sentence: string): number =>
  factSigns.reduce((sum, { weight, pattern }) => (pattern.test(sentence) ? sum + weight : sum), bias)
