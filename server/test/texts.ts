import fc from 'fast-check'

/** Texts in the languages that the analyser knows, and in some that it does not. */
export const lines = `
The quarterly report for Q3 2024 was sent on 5 May 2024, with 1,250.50 euros at 14:30 for O'Brien's team.
She doesn't like C++ or C#, but v2.3.1-beta of node.js-tools, HTTP_404 and getUserById() work on 192.168.0.1.
Call +49 (0)30 1234-5678 or write to ada@example.com before 2024-05-06; the rate is 3.5 % of 2 million.
Die Häuser der Stadt sind alt, und am 3. März um 14 Uhr kostet das Straßenfest 12,50 € für uns alle.
Les chevaux n'étaient pas dans le pré de l'école le 5 mai, mais où était-il donc à 18h30 ?
El niño no está en casa; ¿dónde está? La reunión es el 12 de junio a las 10:00 para todos nosotros.
Gli alberi della città sono alti, e il 1º maggio c'è una festa che non è come quella degli altri.
Os cães não são nossos, mas você também tem um; a reunião é em 7 de setembro às 9h para todos.
De kinderen zijn niet naar het huis van hun oma gegaan, maar ze waren op 5 mei bij ons.
Дома были старые, и 5 мая 2024 года мы не пошли к ней, потому что это было очень далеко.
الكتب في المكتبة ليست جديدة، والولد ذهب إلى المدرسة في ٥ مايو ٢٠٢٤ مع أصدقائه.
東京旅行は2024年5月6日から三日間です。ｶﾀｶﾅとひらがな、そして漢字。
北京大學的學生在二〇二四年五月去了臺灣，他們很喜歡。서울에서 만나요, 나는 학생입니다.
ประเทศไทยสวยงามมาก ភាសាខ្មែរ नमस्ते दुनिया שלום עולם Ελλάδα είναι όμορφη
👍 ñandú ½ ⑴ ﷺ ℀ №5 ﬁne Å ǆ ß ŉ x² a\u200db so\u00adft e\u0301t\u00e9 日本語JSON対応v2
1.5kg 10k 3M 2.5M €20 50% 1:2:3 1/2 3-4 A-B a_b_c deadbeef12ab sha256 x86_64 3.14.15.92 0xFF
`
  .trim()
  .split('\n')

const parts = lines.flatMap((line) => line.split(/(?<= )/))

/** Mixtures of parts of them, `max` at most. */
export const anyMixture = (max: number) =>
  fc.array(fc.constantFrom(...parts), { maxLength: max }).map((some) => some.join(''))

const unit = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ maxLength: 8 }),
  fc.constant(' '),
)

/** Any text at all. */
export const anyText = fc.array(unit, { maxLength: 20 }).map((some) => some.join(''))
