import { expect, test } from 'vitest'
import { Places } from './places.ts'

const coast = { id: 'ent_1', name: 'Coast', tint: 3 }
const hills = { id: 'ent_9', name: 'Hills', tint: 5 }

function placesOf(answer: object) {
  const places = new Places()
  places.take(answer)
  return { places, at: new Map(places.map().places.map((place) => [place.id, place])) }
}

test('keeps the order of the map from left to right and from top to bottom, without the ground between', () => {
  const { at } = placesOf({
    regions: [coast, hills],
    places: {
      Pier: [-9_000, 40, 0],
      Quay: [-8_940, 80, 0],
      Mast: [-8_900, -20, 0],
      Peak: [7_000, -12_000, 1],
    },
  })
  const [pier, quay, mast, peak] = ['Pier', 'Quay', 'Mast', 'Peak'].map((name) => at.get(name)!)
  expect(pier!.x).toBeLessThan(quay!.x)
  expect(quay!.x).toBeLessThan(mast!.x)
  expect(mast!.x).toBeLessThan(peak!.x)
  expect(peak!.y).toBeLessThan(mast!.y)
  expect(mast!.y).toBeLessThan(pier!.y)
  expect(peak!.x - pier!.x).toBeLessThan(400)
})

test('of a hundred entities at one point, none covers another', () => {
  const names = Array.from({ length: 100 }, (_, i) => `Stone ${i}`)
  const { at } = placesOf({ places: Object.fromEntries(names.map((name, i) => [name, [i % 3, i % 2, -1]])) })
  const all = [...at.values()]
  const nearest = all.map((a, i) =>
    Math.min(...all.filter((_, j) => j !== i).map((b) => Math.hypot(a.x - b.x, a.y - b.y))),
  )
  expect(Math.min(...nearest)).toBeGreaterThan(30)
})

test('later answers add to it, with the same regions', () => {
  const { places } = placesOf({ regions: [coast], places: { Pier: [0, 0, 0] } })
  expect(
    places.take({ regions: [hills, coast], places: { Pier: [0, 0, 1], Quay: [50, 0, 1], Peak: [9, 9, 0] } }),
  ).toBe(true)
  expect(places.map().regions).toEqual([coast, hills])
  expect(places.map().places.map(({ id, region }) => [id, region])).toEqual([
    ['Pier', 0],
    ['Quay', 0],
    ['Peak', 1],
  ])
  expect(places.regionNames()).toEqual({ Pier: 'Coast', Peak: 'Hills' })
  expect(places.take(undefined)).toBe(false)
})
