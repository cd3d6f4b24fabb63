const starts = [
  '(?:please |can you |could you |would you )*(?:tell|remind|give|show|send) (?:me|us)(?: again)?',
  '(?:please |can you |could you )*(?:list|show|enumerate|name|describe|explain|summari[sz]e|recall|remember|look up|find)',
  '(?:what|which things?) (?:do|did|does|can|could) (?:you|i|we|one) (?:already |still )?(?:know|remember|recall|have|say|learn)',
  '(?:do|did) (?:you|i|we) (?:already |still )?(?:know|remember|recall|have)',
  '(?:what|which) (?:is|was|are|were|else is)(?: already| still)? (?:known|remembered|stored|saved|recorded)',
  '(?:what|which) (?:have|had) (?:you|i|we) (?:stored|saved|learned|learnt|recorded|remembered|noted)',
  'was wei(?:ss|ß)t? (?:du|ich|man)|was wissen wir|erzähl(?:e)? mir|zeig(?:e)? mir|liste',
  'que sais-tu|que savons-nous|parle-moi|qu[ée] sabes|que sabemos|dime|cosa sai|o que (?:você )?sabe',
]
const fillers =
  '(?:[\\s,:]+(?:all|any|anything|everything|something|more|stuff|facts?|details?|info(?:rmation)?|things|alles|etwas|tout|todo|tutto|tudo))*'
const links =
  '(?:[\\s,:]+(?:about|regarding|concerning|on|of|that|what|(?:ü|ue)ber|von|zu|sur|de|sobre|di|da|su|om)(?=\\s))?'
const asking = new RegExp(`^(?:${starts.join('|')})${fillers}${links}[\\s,:]+(?=\\S)`, 'iu')

/** The question without introductory words ("What do you know about", "Tell me about", "List"). */
export function subjectOf(query: string): string {
  const subject = query.replace(asking, '')
  return /[\p{L}\p{N}]/u.test(subject) ? subject : query
}
