/**
 * Estimates how many tokens a language model reads in a text: four characters per token in English, two in other
 * alphabets, one in scripts without spaces. Models differ; this errs on the high side.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    quarters += code < 0x80 ? 1 : code < 0x2e80 ? 2 : 4
  }
  return Math.ceil(quarters / 4)
}
