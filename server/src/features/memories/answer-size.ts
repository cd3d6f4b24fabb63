/**
 * The most characters of an answer, as JSON and as text. Codex shows its model 48,020 of the structured form and takes the
 * rest out of the middle; Claude Code takes about 50,000.
 */
export const answerCharactersMax = 45_000

/** The most of them for what was asked for; the rest is for the notice and for brackets. */
export const contentCharactersMax = 39_500
