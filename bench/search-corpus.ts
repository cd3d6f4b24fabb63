import { createRandom } from '../server/test/random.ts'

const functionWords = 'the a of to in and that it was for on with as at by from she he they we is this'.split(
  ' ',
)
const syllables = 'ba co da fe gi ho ju ka le mi no pa qui re sa te vo wa xi zu'.split(' ')
const endings = ['n', 'r', 's', 'l', 't', 'ng', 'rd', 'st']
const names = Array.from(
  { length: 20 },
  (_, i) => `${'ABCDEFGHIJKLMNOPQRST'[i]}${['nna', 'ruce', 'arol'][i % 3]}`,
)
const vocabularySize = 60_000
/** In real text the first ranks are function words. */
const firstRank = 50
const observationsPerEntity = 20

export type CorpusEntity = { name: string; observations: string[] }

/**
 * Invented text whose words are as common and as rare as in real text (Zipf's law), half of them function
 * words: made-up words of equal frequency would flatter an index, a handful of words in every text would
 * punish it.
 */
export function createCorpus(seed: number) {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  /** A random rank, common ones first: frequency falls with one over the rank. */
  const anyRank = () => Math.floor(firstRank * (vocabularySize / firstRank) ** random())
  const sentence = (words: number) =>
    Array.from({ length: words }, () => (random() < 0.5 ? pick(functionWords) : wordOf(anyRank()))).join(' ')
  return {
    *entities(observations: number): Generator<CorpusEntity, void> {
      for (let made = 0; made < observations; made += observationsPerEntity) {
        const count = Math.min(observationsPerEntity, observations - made)
        const name = `${wordOf(anyRank())} ${wordOf(made % vocabularySize)} ${made / observationsPerEntity}`
        yield {
          name,
          observations: Array.from({ length: count }, () => sentence(8 + Math.floor(random() * 25))),
        }
      }
    },
    /** Realistic questions: a few words of any frequency among function words; one in five has a typo. */
    question(): string {
      const words = Array.from({ length: 3 + Math.floor(random() * 4) }, () => wordOf(anyRank()))
      if (random() < 0.2) words[0] = slip(words[0]!)
      const who = random() < 0.5 ? pick(names) : words.pop()
      return `what did ${who} ${words[0]} do with the ${words.slice(1).join(' ')}?`
    },
  }
}

/** The same word for the same rank. */
function wordOf(rank: number): string {
  let word = ''
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length]
  }
  return word + endings[rank % endings.length]
}

const slip = (word: string) => `${word.slice(0, 2)}${word.slice(3)}`
