/**
 * About how many tokens a language model reads in a text: four characters of English, two of other alphabets, one of
 * scripts without spaces. Models differ; this errs on the side of more.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    quarters += code < 0x80 ? 1 : code < 0x2e80 ? 2 : 4
  }
  return Math.ceil(quarters / 4)
}
