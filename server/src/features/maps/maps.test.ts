import type { RestClient } from '@loci/client/rest'
import { mapPlacesMax } from '@loci/contract/graph-places'
import { decodePlaces, encodePlaces, fromBase64, type MapPlace, toBase64 } from '@loci/contract/place-codec'
import { expect, test } from 'vitest'
import { addMember } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'

const bytesOf = (places: MapPlace[]) => toBase64(encodePlaces(places))
const read = (places: string | undefined) => decodePlaces(fromBase64(places ?? '')!)
const region = (id: string, tint = 0) => ({ id, tint })
const at = (entity: number, x: number, y: number, of = -1): MapPlace => ({ entity, x, y, region: of })

/** Stores the map as a person arranges it, based on a version. */
const arrange = (rest: RestClient, version: number, regions: object[], places: MapPlace[]) =>
  rest.putGraphPlaces({
    body: { regions: regions as never, places: bytesOf(places) },
    headers: { 'if-match': `"${version}"` },
  })
const add = ({ rest }: Pick<Person, 'rest'>, regions: object[], places: MapPlace[]) =>
  rest.putGraphPlaces({ body: { regions: regions as never, places: bytesOf(places) } })

describeOnBothDatabases('the map of a space', (server) => {
  test('is empty until somebody draws it, then the same for everybody, with its version as ETag', async () => {
    const owner = await server().signUp('ada')
    const member = await addMember(server(), owner)
    const empty = { version: 0, regions: [], places: '', hubs: [], names: {} }
    expect(await member.getGraphPlaces({ query: {} })).toEqual(empty)
    const places = [at(3, -12, 40_000, 0), at(5, 0, -1, 0), at(5_000, 7, 7)]
    const { version, before } = await add(owner, [region('ent_3', 2)], places)
    expect([before, version]).toEqual([0, 1])
    let etag: string | null = null
    const map = await member.getGraphPlaces({
      query: {},
      onHeaders: (headers) => {
        etag = headers.get('etag')
      },
    })
    expect([etag, map.version, map.regions]).toEqual(['"1"', 1, [region('ent_3', 2)]])
    expect(read(map.places)).toEqual(places)
    expect(await member.getGraphPlaces({ query: { known: '1' } })).toEqual({ version: 1, names: {} })
    const bob = await server().signUp('bob')
    expect(await bob.rest.getGraphPlaces({ query: {} })).toEqual(empty)
    const { space } = await owner.rest.createSpace({ body: { name: 'Other' } })
    const inOther = { query: {}, headers: { 'loci-space': space.id } }
    expect(await owner.rest.getGraphPlaces(inOther)).toEqual(empty)
  })

  test('ends as one when two browsers draw it at once: the first place of an entity stands', async () => {
    const person = await server().signUp()
    await add(person, [region('ent_1'), region('ent_9', 1)], [at(1, 1, 1, 0), at(2, 2, 2, 0), at(9, 9, 9, 1)])
    const answer = await add(
      person,
      [region('ent_9', 5), region('ent_4', 3)],
      [at(2, 50, 50, 1), at(4, 4, 4, 1), at(9, 8, 8, 0), at(10, 10, 10, 0)],
    )
    expect(answer.regions).toEqual([region('ent_1'), region('ent_9', 1), region('ent_4', 3)])
    const stored = [at(2, 2, 2, 0), at(4, 4, 4, 2), at(9, 9, 9, 1), at(10, 10, 10, 1)]
    expect(read(answer.places)).toEqual(stored)
    const map = await person.rest.getGraphPlaces({ query: {} })
    expect(read(map.places)).toEqual([at(1, 1, 1, 0), ...stored])
  })

  test('lets what was not linked move into a region, and nothing out of one', async () => {
    const person = await server().signUp()
    await add(person, [region('ent_1')], [at(1, 1, 1, 0), at(2, 500, 500)])
    await add(person, [region('ent_1')], [at(2, 3, 3, 0)])
    await add(person, [], [at(1, 70, 70), at(2, 80, 80)])
    const { places } = await person.rest.getGraphPlaces({ query: {} })
    expect(read(places)).toEqual([at(1, 1, 1, 0), at(2, 3, 3, 0)])
  })

  test('is rearranged as a whole by a person who saw its newest version', async () => {
    const person = await server().signUp()
    await add(person, [region('ent_1')], [at(1, 1, 1, 0), at(3_000, 5, 5, 0)])
    const { version } = await arrange(person.rest, 1, [region('ent_2', 4)], [at(1, -1, -1), at(2, -2, -2, 0)])
    const map = await person.rest.getGraphPlaces({ query: {} })
    expect([version, map.regions, read(map.places)]).toEqual([
      2,
      [region('ent_2', 4)],
      [at(1, -1, -1), at(2, -2, -2, 0)],
    ])
    await expect(arrange(person.rest, 1, [], [at(1, 0, 0)])).rejects.toMatchObject({
      code: 'stale_write',
      status: 412,
    })
    expect((await person.rest.getGraphPlaces({ query: {} })).version).toBe(2)
  })

  test('has single entities moved by a person, whatever others have stored since', async () => {
    const person = await server().signUp()
    await add(person, [region('ent_1')], [at(1, 1, 1, 0), at(2, 2, 2), at(3_000, 5, 5, 0)])
    const body = { regions: [region('ent_1'), region('ent_9')], moves: true }
    const places = [at(2, 40, 40, 0), at(3_000, -5, -5, 1), at(4, 4, 4, 0)]
    const answer = await person.rest.putGraphPlaces({ body: { ...body, places: bytesOf(places) } })
    expect([answer.version, answer.regions, read(answer.places)]).toEqual([
      2,
      body.regions,
      [at(2, 40, 40, 0), at(4, 4, 4, 0), at(3_000, -5, -5, 1)],
    ])
    const map = await person.rest.getGraphPlaces({ query: {} })
    expect(read(map.places)).toEqual([at(1, 1, 1, 0), ...read(answer.places)!])
  })

  test('has the names of its regions, and a new version when one changes', async () => {
    const { rest } = await server().signUp()
    const { entity } = await rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await add({ rest }, [region(entity.id)], [at(1, 0, 0, 0)])
    await rest.nameRegion({ params: { entityId: entity.id }, body: { name: 'Engines' } })
    expect(await rest.getGraphPlaces({ query: { known: '1' } })).toMatchObject({
      version: 2,
      names: { [entity.id]: 'Engines' },
    })
    await rest.unnameRegion({ params: { entityId: entity.id } })
    expect(await rest.getGraphPlaces({ query: { known: '2' } })).toMatchObject({ version: 3, names: {} })
  })

  test('takes a few bytes an entity up to its limit, and refuses what is no map', async () => {
    const { rest } = await server().signUp()
    const many = Array.from({ length: mapPlacesMax }, (_, i) =>
      at(i + 1, (i * 37) % 9_000, 4_500 - ((i * 91) % 9_000), 0),
    )
    expect(bytesOf(many).length / many.length).toBeLessThan(9)
    await add({ rest }, [region('ent_1')], many)
    await expect(add({ rest }, [], [at(mapPlacesMax + 1, 0, 0)])).rejects.toMatchObject({
      code: 'places_limit_reached',
      status: 409,
    })
    const full = await rest.getGraphPlaces({ query: {} })
    expect([full.version, read(full.places)]).toEqual([1, many])
    const wrong = [
      { regions: [], places: '***' },
      { regions: [], places: bytesOf([at(1, 0, 0, 0)]) },
      { regions: [region('obs_1')], places: '' },
      { regions: [region('ent_1', 8)], places: '' },
      { regions: [], places: bytesOf([at(1, 0, 0)]).slice(0, -4) },
      { regions: [], places: toBase64(new Uint8Array(1_000).fill(255)) },
      { regions: [], places: bytesOf([at(1, 2_000_000, 0)]) },
      { regions: [], places: 'A'.repeat(1_300_000) },
    ]
    for (const body of wrong)
      await expect(rest.putGraphPlaces({ body: body as never })).rejects.toMatchObject({
        code: 'validation_failed',
      })
  })
})
