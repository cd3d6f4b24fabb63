/** What is asked of a time to come ("What do I have on Friday?"), not of one that has passed. */
const ahead =
  /(?<!\p{L})(?:(?:do|does|will|shall) (?:i|we|you|he|she|they)|will|going to|(?:am|are|is) (?:i|we|you|he|she|they) (?:free|busy|doing|away)|planned|scheduled|due|plans for|appointments?|agenda|calendar|habe ich|haben wir|steht|geplant|ai-je|avons-nous|prévue?s?|tengo|tenemos)(?!\p{L})/u
/** A question that begins with "was" can be German. */
const back =
  /(?<!\p{L})(?:did|(?<!^)was|were|had|happened|went|said|last|ago|war|waren|hatte|hatten|gab)(?!\p{L})/u

/**
 * Whether a lower-case question looks ahead, so that a weekday, weekend or month without a year is also the next one.
 */
export const looksAhead = (text: string): boolean => ahead.test(text) && !back.test(text)
