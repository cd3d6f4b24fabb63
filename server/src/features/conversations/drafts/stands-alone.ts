/** A sentence around what makes it a draft: "[OK, ][we decided to][ drop Redis.]" */
export type Parts = { before: string; after: string }

/** What was said or shown before: who reads the sentence alone does not know what is meant. */
const elsewhere =
  /^ ?(?:(?:to|on|that|against|not|with|for) )*(?:\p{L}+ )?(?:it|them|those|these|this(?! (?:repo|project|app|codebase|branch|service))|(?:that|this)(?: one)?(?=[\s\p{P}]*$)|all of|mine|yours|one of)(?![\p{L}'’])/iu

/** The rest of the clause does not point to something else: "keep Redis", not "keep it". */
export const saysWhat = ({ after }: Parts): boolean => !/^ ?[,.;:!]/.test(after) && !elsewhere.test(after)

const clauseEnd = /[,;:!—–]|\.(?=\s|$)| - /
const named = /(?!I\b)[\p{Lu}\p{N}`"“„«_/]|\p{L}\.\p{L}/u
const contrast = /\b(?:instead of|rather than|over|in favou?r of)\b/i

/**
 * The clause names what was chosen, or what it was chosen over. Tales of a day are told in the same words ("I decided to
 * go with a bright red"), but name less.
 */
export function namesChoice(parts: Parts): boolean {
  const clause = parts.after.split(clauseEnd, 1)[0]!
  return (
    saysWhat(parts) && (named.test(clause) || contrast.test(clause) || /^ (?:use|keep|drop) /i.test(clause))
  )
}

/** As `namesChoice`, but what has no article is a name as well, however it is written: "let's go with postgres". */
export const namesChoiceOrKind = (parts: Parts): boolean =>
  saysWhat(parts) && (!/^ (?:the|your|my|our|an?|what) /i.test(parts.after) || namesChoice(parts))

const mainClause = /(?:^|[,;:—–] |- |\b(?:and|but|so|because|that|think|found) )(?:\p{L}+,? ){0,2}$/u
/** What "once" or "they said" brings in is nobody's own finding. */
const inside =
  /\b(?:once|after|before|until|when|whether|if|unless|confirms?|(?:said|says|claims?|thinks)(?: .*)?(?: that)?) $/iu
const told =
  /^:? (?:not .+(?:[;:—–]|, (?:but|it)|but)|(?!likely\b|probably\b|possibly\b|that (?:he|she)\b)(?:that|to|in(?! `?\S*[./]\S)|with|due|because|caused|by|an?|the|our|my|two|one|\p{L}+ing|\P{Ll}.*|\p{L}+-\p{L}+.*)(?![\p{L}]))/u

/** The clause is not doubted, reported or still to come, and tells a cause or a remedy rather than how hard it is. */
export const tellsCause = ({ before, after }: Parts): boolean =>
  mainClause.test(before) && !inside.test(before) && told.test(after)

const concrete = /(?!^)\b(?!I\b)\p{Lu}\p{L}+|\b\p{Lu}{2,}\b|\p{N}|`|\p{L}[._/-]\p{L}/u
/** What the agent did, advises, or knows of such things in general. */
const unproven =
  /\b(?:i|you|your|yours|we|let|would|could|should|might|may|if|can|people|usually|often|typically|generally)\b|\bi['’](?:ve|ll|m)\b/iu

/** An agent says why something named is as it is, as a finding. */
export function findsCause({ before, after }: Parts): boolean {
  const said = `${before} ${after}`
  return concrete.test(said) && !unproven.test(said)
}
