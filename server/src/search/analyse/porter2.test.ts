import { expect, test } from 'vitest'
import { stemPorter2 } from './porter2.ts'

/** The sample vocabulary published with the algorithm (https://snowballstem.org/algorithms/english/stemmer.html). */
const sample = `
  consign consign, consigned consign, consigning consign, consignment consign, consist consist, consisted consist,
  consistency consist, consistent consist, consistently consist, consisting consist, consists consist,
  consolation consol, consolations consol, consolatory consolatori, console consol, consoled consol, consoles consol,
  consolidate consolid, consolidated consolid, consolidating consolid, consoling consol, consolingly consol,
  consols consol, consonant conson, consort consort, consorted consort, consorting consort, conspicuous conspicu,
  conspicuously conspicu, conspiracy conspiraci, conspirator conspir, conspirators conspir, conspire conspir,
  conspired conspir, conspiring conspir, constable constabl, constables constabl, constance constanc,
  constancy constanc, constant constant, knack knack, knackeries knackeri, knacks knack, knag knag, knave knave,
  knaves knave, knavish knavish, kneaded knead, kneading knead, knee knee, kneel kneel, kneeled kneel,
  kneeling kneel, kneels kneel, knees knee, knell knell, knelt knelt, knew knew, knick knick, knife knife,
  knight knight, knightly knight, knights knight, knit knit, knits knit, knitted knit, knitting knit, knives knive,
  knob knob, knobs knob, knock knock, knocked knock, knocker knocker, knockers knocker, knocking knock,
  knocks knock, knot knot, knots knot`
const pairs = sample.split(',').map((pair) => pair.trim().split(' ') as [string, string])

test.each(pairs)('the stem of %s is %s', (word, stem) => {
  expect(stemPorter2(word)).toBe(stem)
})

test.each([
  ['caresses', 'caress'],
  ['gaps', 'gap'],
  ['gas', 'gas'],
  ['this', 'this'],
  ['kiwis', 'kiwi'],
  ['ties', 'tie'],
  ['cries', 'cri'],
  ['agreed', 'agre'],
  ['hopping', 'hop'],
  ['hoping', 'hope'],
  ['falling', 'fall'],
  ['luxuriating', 'luxuri'],
  ['by', 'by'],
  ['say', 'say'],
  ['cry', 'cri'],
  ['generally', 'general'],
  ['generate', 'generat'],
  ['communism', 'communism'],
  ['arsenic', 'arsenic'],
  ['national', 'nation'],
  ['conditional', 'condit'],
  ['hopefulness', 'hope'],
  ['geologist', 'geologist'],
  ['sky', 'sky'],
  ['news', 'news'],
  ['inning', 'inning'],
  ['proceed', 'proceed'],
])('of %s it is %s, by the rule for such words', (word, stem) => {
  expect(stemPorter2(word)).toBe(stem)
})

test.each(['', 'a', 'i', 'xy', 'ss', 'yy', 'zzz', 'e'.repeat(500), 'y'.repeat(500)])(
  'a stem of %j is no longer than the word',
  (word) => {
    expect(stemPorter2(word).length).toBeLessThanOrEqual(word.length)
  },
)
