import { readFileSync } from 'node:fs'
import { stemPorter2 } from './porter2.ts'

const file = new URL('./irregular-forms.json', import.meta.url)
/** Loaded with the first word, so that it does not delay the program's start. */
let lemmas: Map<string, string> | undefined

const asciiWord = /^[a-z]+$/

/** Porter2, applied after irregular forms ("went") are replaced by their lemma ("go"). */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !asciiWord.test(word)) return word
  return stemPorter2(lemmaOfIrregular(word))
}

/** "went" -> "go"; other words are returned unchanged. */
const lemmaOfIrregular = (word: string): string => listIrregularForms().get(word) ?? word

/** The irregular forms, each with its lemma. */
export function listIrregularForms(): ReadonlyMap<string, string> {
  lemmas ??= readLemmas()
  return lemmas
}

function readLemmas(): Map<string, string> {
  const { forms }: { forms: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'))
  return new Map(
    Object.entries(forms).flatMap(([lemma, irregular]) => irregular.split(' ').map((form) => [form, lemma])),
  )
}
