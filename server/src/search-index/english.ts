/// <reference path="./wink-porter2-stemmer.d.ts" />
import porter2 from 'wink-porter2-stemmer'
import irregularForms from './irregular-forms.json' with { type: 'json' }

const lemmas = new Map<string, string>()
for (const [lemma, forms] of Object.entries(irregularForms.forms)) {
  for (const form of forms.split(' ')) lemmas.set(form, lemma)
}

const asciiWord = /^[a-z]+$/

/** Porter2 (snowballstem.org/algorithms/english), after irregular forms ("went") became their lemma ("go"). */
export function stemEnglish(word: string): string {
  if (word.length < 3 || !asciiWord.test(word)) return word
  return porter2(lemmas.get(word) ?? word)
}
