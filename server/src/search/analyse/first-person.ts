/**
 * Words in which people speak of themselves, in the languages that the analyser supports and those
 * without spaces. Words that have another meaning as often are left out: "us", Italian "mia", Spanish
 * "mes", Portuguese "EU" in capitals.
 */
const small =
  'my me myself mine ich mein meine meinem meinen meiner meines mir mich je j’ai moi yo mi io eu meu minha ik mijn ' +
  'я мне меня мой моя'
const words = [
  'I',
  'أنا',
  ...small.split(' ').flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1)]),
]
const unspaced = '我|私|僕|俺|나는|저는|제가|내가'
const spoken = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${words.join('|').replaceAll('’', "['’]")})(?![\\p{L}\\p{N}])|${unspaced}`,
  'u',
)

/** As written; only words made of letters alone. */
export const firstPersonWords: ReadonlySet<string> = new Set(words)

/** Whether the writer of a text speaks of themselves ("I moved to Lisbon", "Mein Zug fällt aus"). */
export function isFirstPerson(text: string): boolean {
  return spoken.test(text)
}

/** The same for a question, where people also write "i". */
export function asksInFirstPerson(query: string): boolean {
  return isFirstPerson(query.replaceAll(/\bi\b/g, 'I'))
}

/** "My" and "our", in the languages that put them before the noun. */
const my =
  'my|our|mein(?:e[mnrs]?)?|unser(?:e[mnrs]?)?|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?|mi[oa]|nostr[oa]|meu|minha|' +
  'noss[oa]|mijn|onze|мо(?:й|я|его|ей|ему|им|ём)|наш\\p{L}*'
const word = "(\\p{L}[\\p{L}'’-]*)"
const owned = new RegExp(`(?<![\\p{L}\\p{N}])(?:${my})\\s+${word}(?:\\s+${word})?`, 'iu')

/**
 * The two words after "my" or "our" in a question, of which the second is the noun if the first is an adjective ("my older
 * sister").
 */
export function readOwned(query: string): string[] {
  const [, ...words] = owned.exec(query) ?? []
  return words.filter((one) => one !== undefined)
}
