/** Shorter roots are parts of many passwords that are not common. */
export const rootMin = 3
/** A date or a word of digits. Whoever adds more makes a password of their own. */
const addedMax = 8

const letterOf: Record<string, string> = {
  ...{ '0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's', '+': 't' },
}

/**
 * What a lower-case password may have been made from, as guessing programs undo it: without accents, marks and digits,
 * or with digits and marks read as letters; a word that is repeated counts once.
 */
export function rootsOf(plain: string): string[] {
  const folded = plain.normalize('NFKD').replace(/\p{M}/gu, '')
  const withoutTail = folded.replace(/\P{L}+$/u, '')
  const forms = [folded, withoutTail, folded.replace(/^\P{L}+/u, ''), withoutTail.replace(/^\P{L}+/u, '')]
  const read = forms.flatMap((form) => ['i', 'l'].map((one) => lettersOf(readAsLetters(form, one))))
  const roots = [folded.replace(/[^\p{L}\p{N}]/gu, ''), lettersOf(folded), ...read]
  return roots
    .filter((root) => folded.length - root.length <= addedMax)
    .map((root) => /^(.+?)\1+$/su.exec(root)?.[1] ?? root)
    .filter((root) => root.length >= rootMin)
}

/** Whether each sign follows the one before, up or down ("abcdefgh", "890123"). */
export function isSequence(plain: string): boolean {
  const codes = [...plain].map((sign) => sign.codePointAt(0)!)
  const isDigits = /^\d+$/.test(plain)
  const step = (at: number) => codes[at]! - codes[at - 1]!
  return [1, -1].some((way) =>
    codes.every((_, at) => at === 0 || step(at) === way || (isDigits && step(at) === -9 * way)),
  )
}

const lettersOf = (text: string) => text.replace(/\P{L}/gu, '')

const readAsLetters = (text: string, one: string) =>
  text.replace(/[^\p{L}]/gu, (sign) => letterOf[sign] ?? (/[1!|]/.test(sign) ? one : sign))
