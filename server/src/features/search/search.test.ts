import { expect, test } from 'vitest'
import { setEntityCount } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

async function remember(
  person: Person,
  observations: string[],
  name = `notes ${Math.random()}`,
  type = 'note',
) {
  const { entity } = await person.rest.createEntity({ body: { name, type, observations } })
  return entity
}

async function recall(person: Person, query: string, more: Record<string, string> = {}) {
  const { observations } = await person.rest.searchObservations({ query: { query, ...more } })
  return observations
}

async function firstOf(person: Person, query: string) {
  return (await recall(person, query))[0]?.content
}

describeOnBothDatabases('search', (server) => {
  test('words are found in any order and form, the best match first', async () => {
    const alice = await server().signUp()
    await remember(alice, [
      'The deploy to production went wrong on Friday because a migration was missing',
      'Ravi went hiking in the Alps and took hundreds of photos',
      'Lunch is at noon',
    ])
    expect(await firstOf(alice, 'why did deployments go wrong?')).toContain('deploy')
    expect(await firstOf(alice, 'photo of the hike')).toContain('Alps')
    expect(await recall(alice, 'unrelated zeppelin')).toEqual([])
  })

  test('English notes with foreign names and long metadata are found by their words', async () => {
    const alice = await server().signUp()
    const metadata = { transcript: `The zeppelin landed. ${'It rained. '.repeat(400)}` }
    const observations = ['Speaker dinner 22 Feb, Brauhaus Früh, 40 seats', { content: 'Arrival', metadata }]
    await alice.rest.createEntity({ body: { name: 'Summit', type: 'event', observations } })
    const first = async (query: string) =>
      (await alice.rest.searchObservations({ query: { query } })).observations[0]?.content
    expect(await first("where is the speakers' dinner?")).toContain('Speaker dinner')
    expect(await first('zeppelin')).toBe('Arrival')
  })

  test('a number with its unit is found with a comma or a point, apart or together', async () => {
    const alice = await server().signUp()
    const kept = ['Der Beutel wiegt 1,5kg', 'The bag weighs 1.5 kg']
    await remember(alice, [...kept, 'The box weighs 2.5kg', 'Item 1 of 5', 'It takes 5kg'])
    for (const query of ['1,5kg', '1.5kg', '1,5 kg', '1.5 kg']) {
      const found = await recall(alice, query)
      expect([
        query,
        found
          .slice(0, 2)
          .map(({ content }) => content)
          .sort(),
      ]).toEqual([query, kept])
    }
  })

  test('a merged entity is found by each of its names', async () => {
    const alice = await server().signUp()
    const ada = await remember(alice, ['Wrote the first program'], 'Ada Lovelace', 'person')
    const countess = await remember(alice, ['Translated Menabrea'], 'Countess of the engine', 'person')
    await remember(alice, ['Ada Lovelace is mentioned here'], 'Some notes')
    await alice.rest.mergeEntity({ params: { id: countess.id }, body: { into: ada.id } })
    for (const query of [
      'Ada Lovelace',
      'Countess of the engine',
      'What did the countess of the engine do?',
    ]) {
      const { entities, observations } = await alice.rest.searchObservations({
        query: { query, explain: 'true' },
      })
      expect(entities[0], query).toMatchObject({ id: ada.id })
      expect(observations[0]?.explain, query).toMatchObject({ named: expect.any(Number) })
    }
  })

  test('writes are found at once, changed and deleted text no longer', async () => {
    const { rest, ...alice } = await server().signUp()
    const person = { rest, ...alice }
    const entity = await remember(person, ['Prefers oolong tea', 'Lives in Lisbon'])
    expect(await firstOf(person, 'oolong')).toBe('Prefers oolong tea')
    const [first] = entity.observations
    await rest.deleteObservation({ params: { id: entity.id, observationId: first!.id } })
    expect(await recall(person, 'oolong')).toEqual([])
    await rest.updateEntity({
      params: { id: entity.id },
      body: { name: 'Traveller', type: 'person', observations: ['Lives in Porto'] },
    })
    expect(await recall(person, 'Lisbon')).toEqual([])
    expect(await firstOf(person, 'porto')).toBe('Lives in Porto')
    expect((await rest.search({ query: { query: 'traveller' } })).results[0]?.entity.name).toBe('Traveller')
    await rest.deleteEntity({ params: { id: entity.id } })
    expect(await recall(person, 'porto')).toEqual([])
    expect((await rest.search({ query: { query: 'traveller' } })).total).toBe(0)
  })

  test.each([
    ['German', 'Die Häuser in der Altstadt sind sehr alt', 'altes Haus'],
    ['German plural', 'Sie hat drei neue Bücher über Physik gekauft', 'Buch'],
    ['German umlaut spelt out', 'Herr Müller kommt am Montag zu uns', 'mueller'],
    ['German compound by a part', 'Die Krankenversicherung zahlt das nicht', 'Versicherung'],
    ['German part by a compound', 'Die Versicherung zahlt das nicht', 'Krankenversicherung'],
    ['French', "Nous avons vu les chevaux près de l'école", 'cheval école'],
    ['French without accents', 'Le café préféré des étudiants est fermé', 'cafe etudiant'],
    ['Russian', 'Она купила новые книги в Москве', 'книга Москва'],
    ['Chinese', '我们昨天在东京吃了寿司', '东京寿司'],
    ['Japanese', '昨日、東京タワーに行きました', '東京'],
    ['Japanese katakana for hiragana', '朝にりんごを食べました', 'リンゴ'],
    ['Japanese half width', '窓のガラスが割れた', 'ｶﾞﾗｽ'],
    ['Japanese long vowel', '新しいコンピューターを買った', 'コンピュータ'],
    ['traditional Chinese by simplified', '他對花生過敏', '过敏'],
    ['simplified Chinese by traditional', '他对花生过敏', '過敏'],
    ['Chinese of both in one question', '新買的電腦在書房', '电腦'],
    ['Japanese by old characters', '新しい学校は駅の近くです', '學校'],
    ['Japanese, a variant of its own', '経済の本を図書館で読んだ', '図書館'],
    ['Chinese, one character of a word', '我喜欢喝绿茶', '茶'],
    ['Arabic with a conjunction', 'رأيت البيت والمدرسة القديمة', 'مدرسة'],
    ['Arabic with a preposition', 'بدأت الحديث بالكتاب الأول', 'كتاب'],
    ['Russian without ё', 'Зелёная ёлка стоит во дворе', 'елка'],
    ['Arabic', 'ذهبت إلى المدرسة مع الكتب الجديدة', 'مدرسة'],
    ['Korean', '서울에서 친구를 만났습니다', '친구'],
    ['Thai', 'ผมชอบกินข้าวผัดที่ตลาด', 'ข้าวผัด'],
    ['camel case', 'The bug is in parseHttpHeader on empty lines', 'parse http header'],
    ['camel case, whole', 'The bug is in parseHttpHeader on empty lines', 'parsehttpheader'],
    ['a part of camel case', 'Call getUserProfileById before rendering', 'profile'],
    ['letters out of a word', 'The subroutine decodes the header', 'outin'],
    ['snake case', 'MAX_RETRY_COUNT must be at least three', 'maxRetryCount'],
    ['error code', 'The proxy answers HTTP_404 for old links', 'http 404'],
    ['version', 'Since v2.1.0 the cache is off', 'v2.1.0'],
    ['language names', 'The engine is written in C++ and the tools in C#', 'c++'],
    ['path', 'Look into /etc/nginx/sites-enabled/default.conf', 'nginx default.conf'],
    ['hyphens', 'The wi-fi password is on the fridge', 'wifi'],
    ['ligature and full width', 'The ｆｕｌｌ ｗｉｄｔｈ ﬁle', 'full width file'],
  ])('finds %s', async (_, content, query) => {
    const alice = await server().signUp()
    await remember(alice, [content, 'Something else entirely', 'Otra cosa diferente', '別の話題です'])
    expect(await firstOf(alice, query)).toBe(content)
  })

  test('a German question finds compounds as well as the word itself', async () => {
    const alice = await server().signUp()
    await remember(alice, [
      'Die Versicherung ist neu',
      'Die Haftpflichtversicherung ist alt',
      'Der Hund schläft',
    ])
    const found = (await recall(alice, 'Was ist mit der Versicherung?')).map((hit) => hit.content)
    expect(found.slice(0, 2)).toEqual(['Die Versicherung ist neu', 'Die Haftpflichtversicherung ist alt'])
  })

  test('an unknown word is read as the nearest known one', async () => {
    const alice = await server().signUp()
    await remember(alice, [
      'The kubernetes cluster restarts every night',
      'The cat sleeps',
      'Договор подписан вчера',
    ])
    for (const slip of ['kuberntes clutser', 'kubrenetse']) {
      expect(await firstOf(alice, slip)).toContain('kubernetes')
    }
    expect(await firstOf(alice, 'договр')).toContain('Договор')
  })

  test.each([
    ['nothing', ''],
    ['spaces', '   '],
    ['punctuation', '?!.,;:"\'()[]{}<>'],
    ['operators', 'AND OR NOT NEAR(a b) -x +y *'],
    ['quotes', '"unbalanced \'quote'],
    ['FTS syntax', 'terms:foo* ^bar col:"x"'],
    ['SQL', `'; drop table passages; --`],
    ['emoji', '🚀🔥'],
    ['wildcards', '% _ \\ *'],
    ['a very long query', 'word '.repeat(2_000).trim()],
    ['many words', Array.from({ length: 1_500 }, (_, i) => `w${i}`).join(' ')],
    ['one long word', 'x'.repeat(10_000)],
    ['combining marks', 'é̂̃'.repeat(500)],
  ])('survives a query of %s', async (_, query) => {
    const alice = await server().signUp()
    await remember(alice, ['To be or not to be', 'We launched 🚀 today', 'word'])
    const { observations } = await alice.rest.searchObservations({ query: { query } })
    expect(observations.length).toBeLessThanOrEqual(3)
    await alice.rest.search({ query: { query } })
    await alice.rest.listEntities({ query: { query } })
    await alice.rest.listRelations({ query: { query } })
  })

  test('words of a refused write are learned from the next write that has them', async () => {
    const alice = await server().signUp()
    await setEntityCount(server(), alice, 1_000_000)
    await expect(remember(alice, ['The stegosaurus sleeps'])).rejects.toMatchObject({
      code: 'plan_limit_reached',
    })
    await setEntityCount(server(), alice, 0)
    await remember(alice, ['The stegosaurus sleeps'])
    expect(await firstOf(alice, 'stegosorus')).toBe('The stegosaurus sleeps')
  })

  test('function words and emoji alone find what contains them', async () => {
    const alice = await server().signUp()
    await remember(alice, ['To be or not to be', 'We launched 🚀 today'])
    expect(await firstOf(alice, 'to be or not to be')).toBe('To be or not to be')
    expect(await firstOf(alice, '🚀')).toBe('We launched 🚀 today')
  })

  test('a text of function words is found among thousands, quoted or not', async () => {
    const alice = await server().signUp()
    await remember(alice, ['Hamlet says: to be or not to be', 'be it not or to'])
    for (let part = 0; part < 20; part += 1) {
      const alike = Array.from(
        { length: 100 },
        (_, i) => `He has not been to shop ${part * 100 + i} or so, to be exact`,
      )
      await remember(alice, alike, `shops ${part}`)
    }
    for (const query of ['to be or not to be', '"to be or not to be"', '“To be or not to be”']) {
      expect(await firstOf(alice, query)).toBe('Hamlet says: to be or not to be')
    }
  })

  test('highlights are UTF-16 offsets of the words as written', async () => {
    const alice = await server().signUp()
    const content = '🚀 The Café opened; CAFÉS everywhere, says parseHttpHeader'
    await remember(alice, [content])
    const [hit] = await recall(alice, 'cafe parseHttpHeader')
    expect(hit?.highlights.map(([start, end]) => content.slice(start, end))).toEqual([
      'Café',
      'CAFÉS',
      'parseHttpHeader',
    ])
  })

  test('results come with their neighbours, entity and parts of the score', async () => {
    const alice = await server().signUp()
    await remember(alice, ['one apple', 'two pears', 'three plums', 'four figs'], 'Basket', 'list')
    const [hit] = await recall(alice, 'plums', { context: '1', explain: 'true' })
    expect(hit).toMatchObject({ content: 'three plums', entity: { name: 'Basket', type: 'list' } })
    expect(hit?.before.map((neighbour) => neighbour.content)).toEqual(['two pears'])
    expect(hit?.after.map((neighbour) => neighbour.content)).toEqual(['four figs'])
    const parts = Object.values(hit?.explain ?? {}).reduce((sum, part) => sum + part, 0)
    expect(parts).toBeCloseTo(hit!.score, 2)
  })

  test('types and times narrow the results', async () => {
    const { clock, signUp } = server()
    const alice = await signUp()
    await remember(alice, ['The meeting was short'], 'Standup', 'event')
    clock.now += 3_600_000
    const since = new Date(clock.now).toISOString()
    await remember(alice, ['The meeting was long'], 'Ravi', 'person')
    const contents = async (more: Record<string, string>) =>
      (await recall(alice, 'meeting', more)).map((hit) => hit.content)
    expect(await contents({ types: 'event' })).toEqual(['The meeting was short'])
    expect(await contents({ after: since })).toEqual(['The meeting was long'])
    expect(await contents({ before: since })).toEqual(['The meeting was short'])
    expect(await contents({ types: 'nothing' })).toEqual([])
  })

  test('a long observation is found by its end and returned once', async () => {
    const alice = await server().signUp()
    const filler = Array.from({ length: 400 }, (_, i) => `filler${i} sentence goes here.`).join(' ')
    await remember(alice, [`${filler} The treasure is under the walnut tree. ${filler}`, 'A tree'])
    const hits = await recall(alice, 'treasure walnut tree')
    expect(hits[0]?.content).toContain('treasure')
    expect(hits.filter((hit) => hit.content.includes('treasure'))).toHaveLength(1)
  })

  test('entities are ranked by name first, then by their facts', async () => {
    const alice = await server().signUp()
    await remember(alice, ['Mentions Ada Lovelace twice: Ada Lovelace'], 'Reading list', 'list')
    await remember(alice, ['Wrote the first program'], 'Ada Lovelace', 'person')
    const { results } = await alice.rest.search({ query: { query: 'ada lovelace' } })
    expect(results.map((result) => result.entity.name)).toEqual(['Ada Lovelace', 'Reading list'])
    const typed = await alice.rest.search({ query: { query: 'Ada Lovel' } })
    expect(typed.results[0]?.entity.name).toBe('Ada Lovelace')
    const listed = await alice.rest.listEntities({ query: { query: 'lovelace' } })
    expect(listed.entities.map((entity) => entity.name)).toEqual(['Ada Lovelace', 'Reading list'])
  })

  test('expand reaches what only the graph connects', async () => {
    const alice = await server().signUp()
    const film = await remember(alice, ['Hello Love was directed by M. Perera'], 'Hello Love', 'film')
    const director = await remember(alice, ['Grew up by the sea'], 'M. Perera', 'person')
    await remember(alice, ['Grew old'], 'Someone', 'person')
    await alice.rest.createRelation({
      body: { fromEntityId: film.id, toEntityId: director.id, type: 'directed_by' },
    })
    const plain = await recall(alice, 'hello love film')
    const expanded = await recall(alice, 'hello love film', { expand: 'true' })
    expect(plain.map((hit) => hit.content)).not.toContain('Grew up by the sea')
    expect(expanded.map((hit) => hit.content)).toContain('Grew up by the sea')
  })

  test('expand puts what is near to doubtful results after what has a word of the question', async () => {
    const alice = await server().signUp()
    const texts = ['The vendor list is long', 'Fees are charged twice', 'Permits are blue']
    const annex = await remember(alice, ['Ymke Zvonko'], 'Vlst', 'thing')
    for (const [i, text] of texts.entries()) {
      const { id } = await remember(alice, [text], `Note ${i}`, 'note')
      await alice.rest.createRelation({ body: { fromEntityId: id, toEntityId: annex.id, type: 'kept_in' } })
    }
    await remember(alice, ['Tickets for parking are in the drawer'], 'Desk', 'furniture')
    const query = 'Which vendor charged for our weekend permits and parking near the stadium?'
    const found = (await recall(alice, query, { expand: 'true' })).map(({ content }) => content)
    expect(found).toHaveLength(5)
    expect(found.at(-1)).toBe('Ymke Zvonko')
  })

  test('a date in the question prefers observations from that time', async () => {
    const { clock, signUp } = server()
    const start = clock.now
    const alice = await signUp()
    clock.now = Date.UTC(2026, 2, 10)
    await remember(alice, ['Visited the dentist about the crown'])
    clock.now = Date.UTC(2026, 4, 10)
    await remember(alice, ['Visited the dentist about the filling'])
    clock.now = Date.UTC(2026, 5, 20)
    expect(await firstOf(alice, 'visited dentist in March')).toContain('crown')
    expect(await firstOf(alice, 'visited dentist in May')).toContain('filling')
    clock.now = start
  })
})
