/**
 * Maximum characters of an answer, as JSON and as text. Codex shows its model 48,020 of the structured form and cuts
 * the rest out of the middle; Claude Code accepts about 50,000.
 */
export const answerCharactersMax = 45_000

/** Maximum for the content itself; the rest is for the notice and brackets. */
export const contentCharactersMax = 39_500
