/**
 * Words in which people speak of themselves, in the languages that the analyser knows and those without spaces. Left
 * out are the words that mean something else as often: "us", Italian "mia", Spanish "mes", Portuguese "EU" in capitals.
 */
const words =
  'I [Mm]y [Mm]e [Mm]yself [Mm]ine [Ii]ch [Mm]ein(?:e[mnrs]?)? [Mm]ir [Mm]ich [Jj]e [Jj]’ai [Mm]oi [Yy]o [Mm]i [Ii]o ' +
  '[Ee]u [Mm]eu [Mm]inha [Ii]k [Mm]ijn [Яя] [Мм]не [Мм]еня [Мм]ой [Мм]оя أنا'
const unspaced = '我|私|僕|俺|나는|저는|제가|내가'
const spoken = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${words.replaceAll(' ', '|').replaceAll('’', "['’]")})(?![\\p{L}\\p{N}])|${unspaced}`,
  'u',
)

/** A plain word that is longer is none of these. */
export const firstPersonLengthMax = 6

/** Whether somebody speaks of themselves in a text ("I moved to Lisbon", "Mein Zug fällt aus"). */
export function isFirstPerson(text: string): boolean {
  return spoken.test(text)
}

/** The same of a question, where people write "i" as well. */
export function asksInFirstPerson(query: string): boolean {
  return isFirstPerson(query.replaceAll(/\bi\b/g, 'I'))
}
