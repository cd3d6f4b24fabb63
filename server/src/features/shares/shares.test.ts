import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { encodePlaces, entityNumber, toBase64 } from '@loci/contract/place-codec'
import { sharesMax } from '@loci/contract/shares'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { toIso } from '../../ground/lib/time.ts'
import { checkAll } from '../checks/checks.service.ts'

const gone = 'This page is no longer shared.'
const injections: { kind: string; text: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../test/injections.json'), 'utf8'),
)

/** A planner with three neighbours; the salary of one is written elsewhere. */
async function seed({ rest }: Person) {
  const { entities } = await rest.createBatch({
    body: {
      entities: [
        { name: 'Planner', type: 'product', observations: ['Plans in UTC', 'Runs at two'] },
        { name: 'Routing team', type: 'team', observations: ['Owns the planner'] },
        { name: 'Sofia', type: 'person', observations: ['Leads routing'] },
        { name: 'Bridge', type: 'event', observations: ['Closed in March'] },
        { name: 'Payroll', type: 'document', observations: ['Sofia earns 90,000'] },
      ],
      relations: [
        { from: 'Routing team', to: 'Planner', type: 'owns' },
        { from: 'Sofia', to: 'Routing team', type: 'leads' },
        { from: 'Bridge', to: 'Planner', type: 'affected' },
        { from: 'Payroll', to: 'Sofia', type: 'lists' },
      ],
    },
  })
  return Object.fromEntries(entities.created.map(({ name, id }) => [name, id])) as Record<string, string>
}

describeOnBothDatabases('shared views', (server) => {
  const open = async (url: string) => {
    const answer = await fetch(url.replace(/^https?:\/\/[^/]+/, server().url), { redirect: 'manual' })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  /** Puts entities into a region of the map. */
  async function drawRegion({ rest }: Person, ids: readonly string[]): Promise<void> {
    const places = ids.map((id, i) => ({ entity: entityNumber(id)!, x: 100 * i, y: 40 * i, region: 0 }))
    await rest.putGraphPlaces({
      body: { regions: [{ id: ids[0]!, tint: 0 }], places: toBase64(encodePlaces(places)) },
    })
  }

  test('of a region show its entities, facts and relations to people without an account, and nothing else', async () => {
    const person = await server().signUp('Ada')
    const ids = await seed(person)
    await drawRegion(person, [ids.Planner!, ids['Routing team']!, ids.Sofia!, ids.Bridge!])
    const note = 'For Wednesday'
    const { share, url } = await person.rest.createShare({
      body: { view: { kind: 'region', regionId: ids.Planner!, note } },
    })
    expect(share).toMatchObject({ kind: 'region', title: 'Planner', entities: 4, expiresAt: null })
    const { status, headers, text } = await open(url)
    expect(status).toBe(200)
    for (const shown of [
      'Planner',
      'Plans in UTC',
      'Routing team',
      'Leads routing',
      'owns',
      note,
      'Read-only',
    ])
      expect(text).toContain(shown)
    for (const hidden of [
      'Payroll',
      '90,000',
      'lists',
      'Ada',
      person.email,
      'ent_',
      'spc_',
      '/api/',
      '<script',
    ])
      expect(text, hidden).not.toContain(hidden)
    expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
    expect(links.every((href) => /^#e\d+$/.test(href))).toBe(true)
  })

  test('have a preview picture, and tell programs of it', async () => {
    const person = await server().signUp()
    const ids = await seed(person)
    const { url } = await person.rest.createShare({
      body: { view: { kind: 'entity', entityId: ids.Planner! } },
    })
    const { text } = await open(url)
    const [, address = ''] = /property="og:image" content="([^"]+)"/.exec(text) ?? []
    expect(address).toBe(`${url}/picture.png`)
    const answer = await fetch(address.replace(/^https?:\/\/[^/]+/, server().url))
    expect(answer.headers.get('content-type')).toBe('image/png')
    const png = Buffer.from(await answer.arrayBuffer())
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
    const start = png.indexOf('IDAT') + 4
    const rows = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)))
    expect(rows).toHaveLength((3 * 1200 + 1) * 630)
    expect(new Set(rows).size, 'it is not blank').toBeGreaterThan(20)
  })

  test('show the newest facts of then that are told, however many newer ones are not', async () => {
    const person = await server().signUp()
    const { Sofia } = await seed(person)
    const { url } = await person.rest.createShare({ body: { view: { kind: 'entity', entityId: Sofia! } } })
    server().clock.now += 1_000
    const observations = Array.from({ length: 100 }, (_, i) => `Said later ${i}`)
    await person.rest.createObservations({ params: { id: Sofia! }, body: { observations } })
    const { text } = await open(url)
    expect(text).toContain('Leads routing')
    expect(text).not.toContain('Said later')
  })

  test('of an entity show its facts and only the names of its neighbours; of a path, those on it', async () => {
    const person = await server().signUp()
    const ids = await seed(person)
    const { rest } = person
    const one = await rest.createShare({ body: { view: { kind: 'entity', entityId: ids.Sofia! } } })
    const { text } = await open(one.url)
    for (const shown of ['Leads routing', 'Routing team', 'Payroll', 'lists']) expect(text).toContain(shown)
    for (const hidden of ['90,000', 'Owns the planner', 'Planner']) expect(text).not.toContain(hidden)
    const path = await rest.createShare({
      body: { view: { kind: 'path', from: ids.Planner!, to: ids.Sofia! } },
    })
    expect(path.share).toMatchObject({ title: 'Planner to Sofia', entities: 3 })
    const shown = (await open(path.url)).text
    expect(shown).toContain('Owns the planner')
    for (const hidden of ['Bridge', 'Payroll', '90,000']) expect(shown).not.toContain(hidden)
  })

  test('of a date show what was there then, without what was deleted since', async () => {
    const person = await server().signUp()
    const ids = await seed(person)
    const { rest } = person
    const asOf = toIso(server().clock.now)
    server().clock.now += 60_000
    const { entity } = await rest.getEntity({ params: { id: ids.Planner! } })
    const [first, second] = entity.observations
    const params = { id: ids.Planner! }
    await rest.updateObservation({
      params: { ...params, observationId: first!.id },
      body: { content: 'Plans in local time' },
    })
    await rest.deleteObservation({ params: { ...params, observationId: second!.id } })
    await rest.createObservations({ params, body: { content: 'Added later' } })
    await rest.deleteEntity({ params: { id: ids.Payroll! } })
    const { url } = await rest.createShare({ body: { view: { kind: 'date', asOf, title: 'In March' } } })
    const { text } = await open(url)
    for (const shown of ['In March', 'Plans in UTC', 'Closed in March']) expect(text).toContain(shown)
    for (const hidden of ['local time', 'Runs at two', 'Added later', '90,000', 'Payroll'])
      expect(text).not.toContain(hidden)
  })

  test('show nothing that was added after they were made, and lose what is deleted', async () => {
    const person = await server().signUp()
    const ids = await seed(person)
    const { rest } = person
    const params = { id: ids.Planner! }
    const { url } = await rest.createShare({ body: { view: { kind: 'entity', entityId: ids.Planner! } } })
    server().clock.now += 60_000
    await rest.createObservations({ params, body: { content: 'Added later' } })
    await rest.createRelation({
      body: { fromEntityId: ids.Bridge!, toEntityId: ids.Planner!, type: 'delays' },
    })
    const { entity } = await rest.getEntity({ params })
    await rest.deleteObservation({ params: { ...params, observationId: entity.observations[1]!.id } })
    const { text } = await open(url)
    expect(text).toContain('Plans in UTC')
    for (const hidden of ['Added later', 'delays', 'Runs at two']) expect(text).not.toContain(hidden)
    for (const id of Object.values(ids)) await rest.deleteEntity({ params: { id } })
    expect(await open(url)).toMatchObject({ status: 404, text: expect.stringContaining(gone) })
  })

  test('tell no fact that has expired or was replaced', async () => {
    const person = await server().signUp()
    const ids = await seed(person)
    const { rest } = person
    const params = { id: ids.Planner! }
    const expiresAt = toIso(server().clock.now + 60_000)
    const { observations } = await rest.createObservations({
      params,
      body: { content: 'Is free', expiresAt },
    })
    const asOf = toIso(server().clock.now)
    const pages = await Promise.all([
      rest.createShare({ body: { view: { kind: 'entity', entityId: ids.Planner! } } }),
      rest.createShare({ body: { view: { kind: 'date', asOf } } }),
    ])
    for (const { url } of pages) expect((await open(url)).text).toContain('Is free')
    server().clock.now += 60_000
    for (const { url } of pages) expect((await open(url)).text).not.toContain('Is free')
    const observationId = observations[0]!.id
    await rest.updateObservation({ params: { ...params, observationId }, body: { expiresAt: null } })
    for (const { url } of pages) expect((await open(url)).text).toContain('Is free')
    await rest.createObservations({ params, body: { content: 'Has a price', replaces: [observationId] } })
    expect((await open(pages[0].url)).text).not.toContain('Is free')
    expect((await open(pages[1].url)).text, 'was not replaced then').toContain('Is free')
  })

  test('show nothing older that came by a merge or an import after they were made', async () => {
    const person = await server().signUp()
    const ids = await seed(person)
    const { rest } = person
    const from = { fromEntityId: ids.Payroll!, toEntityId: ids['Routing team']! }
    await rest.createRelation({ body: { ...from, type: 'pays' } })
    const view = { kind: 'path', from: ids.Planner!, to: ids.Sofia! } as const
    const { url } = await rest.createShare({ body: { view } })
    server().clock.now += 60_000
    await rest.mergeEntity({ params: { id: ids.Payroll! }, body: { into: ids.Sofia! } })
    const older = [{ content: 'Was ill', createdAt: '2020-01-01T00:00:00.000Z' }]
    const line = { type: 'entity', name: 'Sofia', entityType: 'person', observations: older }
    await server().call('POST', '/api/import', {
      token: person.token,
      headers: { 'content-type': 'application/x-ndjson' },
      body: JSON.stringify(line),
    })
    const { entity } = await rest.getEntity({ params: { id: ids.Sofia! } })
    expect(entity.observations.map(({ content }) => content).sort()).toEqual([
      'Leads routing',
      'Sofia earns 90,000',
      'Was ill',
    ])
    const { text } = await open(url)
    expect(text).toContain('Leads routing')
    for (const hidden of ['90,000', 'Was ill', 'pays']) expect(text).not.toContain(hidden)
  })

  test('end when they are ended or expire, with their space, and look like any wrong address then', async () => {
    const person = await server().signUp()
    const ids = await seed(person)
    const { rest } = person
    const view = { kind: 'entity' as const, entityId: ids.Planner! }
    const expiresAt = toIso(server().clock.now + 60_000)
    const ended = await rest.createShare({ body: { view } })
    const expiring = await rest.createShare({ body: { view, expiresAt } })
    expect((await open(expiring.url)).text).toContain('Open until')
    await rest.deleteShare({ params: { id: ended.share.id } })
    server().clock.now += 60_000
    expect((await rest.listShares()).shares).toEqual([expiring.share])
    const { space } = await rest.createSpace({ body: { name: 'Short' } })
    const headers = { 'loci-space': space.id }
    const { entity } = await rest.createEntity({ body: { name: 'There', type: 'note' }, headers })
    const there = await rest.createShare({ body: { view: { kind: 'entity', entityId: entity.id } }, headers })
    expect((await open(there.url)).status).toBe(200)
    await rest.deleteSpace({ params: { id: space.id } })
    const wrong = `${server().url}/shared/${'A'.repeat(43)}`
    const answers = []
    for (const url of [ended.url, expiring.url, there.url, wrong, `${wrong}/picture.png`, `${wrong}/more`]) {
      const { status, text } = await open(url)
      answers.push({ status, text })
    }
    expect(answers[0]).toMatchObject({ status: 404, text: expect.stringContaining(gone) })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await arrayOf(checkAll(server().ctx))).toEqual([])
  })

  test("are of one's own memory, a hundred at most", async () => {
    const owner = await server().signUp('owner')
    const ids = await seed(owner)
    const view = { kind: 'entity' as const, entityId: ids.Planner! }
    const bob = await server().signUp('bob')
    await expect(bob.rest.createShare({ body: { view } })).rejects.toMatchObject({ code: 'entity_not_found' })
    expect((await bob.rest.listShares()).shares).toEqual([])
    const region = { kind: 'region' as const, regionId: ids.Planner! }
    await expect(owner.rest.createShare({ body: { view: region } })).rejects.toMatchObject({
      code: 'region_not_found',
    })
    const past = { view, expiresAt: '2020-01-01' }
    await expect(owner.rest.createShare({ body: past })).rejects.toMatchObject({ code: 'validation_failed' })
    const unstorable = { view: { kind: 'entity' as const, entityId: 'ent_\0' } }
    await expect(owner.rest.createShare({ body: unstorable })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    for (let i = 0; i < sharesMax; i++) await owner.rest.createShare({ body: { view } })
    await expect(owner.rest.createShare({ body: { view } })).rejects.toMatchObject({
      code: 'share_limit_reached',
      status: 409,
    })
  })

  test('are found by the hash of their secret, which is stored nowhere', async () => {
    const person = await server().signUp()
    const ids = await seed(person)
    const { url } = await person.rest.createShare({
      body: { view: { kind: 'entity', entityId: ids.Planner! } },
    })
    const secret = url.split('/').at(-1)!
    for (const table of ['shares', 'credentials', 'audit_events', 'idempotency_keys']) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(server().ctx.db)
      expect(JSON.stringify(rows), table).not.toContain(secret)
    }
  })

  test.each(injections)('show a text with $kind as text', async ({ text: hostile }) => {
    const { rest } = await server().signUp()
    const content = `<img src=x onerror=alert(1)> ${hostile}`
    const { entity } = await rest.createEntity({
      body: { name: '<b>"Bold" & co</b>', type: '<i>t</i>', observations: [content] },
    })
    const { url } = await rest.createShare({
      body: { view: { kind: 'entity', entityId: entity.id, note: '</style><script>x</script>' } },
    })
    const { text } = await open(url)
    for (const markup of ['<img', '<b>"', '<i>t', '<script']) expect(text).not.toContain(markup)
    expect(text.match(/<\/style>/g)).toHaveLength(1)
  })
})
