import irregularForms from './irregular-forms.json' with { type: 'json' }
import { stemPorter2 } from './porter2.ts'

const lemmas = new Map<string, string>()
for (const [lemma, forms] of Object.entries(irregularForms.forms)) {
  for (const form of forms.split(' ')) lemmas.set(form, lemma)
}

const asciiWord = /^[a-z]+$/

/** Porter2, after irregular forms ("went") became their lemma ("go"). */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !asciiWord.test(word)) return word
  return stemPorter2(lemmas.get(word) ?? word)
}
