const charactersRead = 300
const wordsMax = 4
const candidatesMax = 60

/** A capital, a digit, or an identifier such as checkout-service. */
const nameLike = /^\p{Lu}|^\p{N}|\p{L}[-_./]\p{L}/u
const word = /[\p{L}\p{N}][\p{L}\p{N}'’._/-]*/gu
/** Names in scripts without spaces and capitals. */
const run = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}ー]{2,}/gu

/** Texts within a fact that could be names of what it is about, those that come first first. */
export function subjectsIn(text: string): string[] {
  const read = text.slice(0, charactersRead)
  const words = [...read.matchAll(word)].map(([found]) => found.replace(/[.'’/_-]+$/u, ''))
  const found = words.flatMap((_, from) =>
    Array.from({ length: Math.min(wordsMax, words.length - from) }, (__, more) =>
      words.slice(from, from + more + 1),
    ),
  )
  const named = found
    .filter((some) => nameLike.test(some[0]!) && nameLike.test(some.at(-1)!))
    .map((some) => some.join(' '))
  const possessive = named.flatMap((name) => (/['’]s$/u.test(name) ? [name.slice(0, -2)] : []))
  const runs = [...read.matchAll(run)].map(([found]) => found)
  return [...new Set([...named, ...possessive, ...runs])].slice(0, candidatesMax)
}
