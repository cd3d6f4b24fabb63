import { expect, test } from 'vitest'
import { type ColorScheme, colorOfPlace, placeOfType, typePalette } from './type-palette.ts'

type Triple = [number, number, number]

const toLinear = (share: number) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
const linearOf = (hex: string) =>
  [1, 3, 5].map((start) => toLinear(Number.parseInt(hex.slice(start, start + 2), 16) / 255)) as Triple
const luminance = ([red, green, blue]: Triple) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
const multiply = (matrix: readonly Triple[], [x, y, z]: Triple) =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as Triple

/** Dichromacy by Machado, Oliveira and Fernandes (2009), severity 1, in linear RGB. */
const deficiencies: Record<string, readonly Triple[]> = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
const toXyz: readonly Triple[] = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
]
const whiteD65: Triple = [0.95047, 1, 1.08883]

function toLab(linear: Triple): Triple {
  const [x, y, z] = multiply(toXyz, linear).map((value, i) => {
    const share = value / whiteD65[i]!
    return share > 216 / 24_389 ? Math.cbrt(share) : ((24_389 / 27) * share + 16) / 116
  }) as Triple
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const hueOf = (a: number, b: number) => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
const damped = (chroma: number) => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7))

/** CIEDE2000 (Sharma, Wu and Dalal, 2005). */
function distance([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const g = 0.5 * (1 - damped((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2))
  const [c1, c2] = [Math.hypot(a1 * (1 + g), b1), Math.hypot(a2 * (1 + g), b2)]
  const [h1, h2] = [hueOf(a1 * (1 + g), b1), hueOf(a2 * (1 + g), b2)]
  const isApart = Math.abs(h1 - h2) > 180
  const turn = h2 - h1 + (isApart ? (h2 > h1 ? -360 : 360) : 0)
  const hue = (h1 + h2) / 2 + (isApart ? (h1 + h2 < 360 ? 180 : -180) : 0)
  const [light, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const t =
    1 -
    0.17 * Math.cos(radians(hue - 30)) +
    0.24 * Math.cos(radians(2 * hue)) +
    0.32 * Math.cos(radians(3 * hue + 6)) -
    0.2 * Math.cos(radians(4 * hue - 63))
  const dl = (l2 - l1) / (1 + (0.015 * (light - 50) ** 2) / Math.sqrt(20 + (light - 50) ** 2))
  const dc = (c2 - c1) / (1 + 0.045 * chroma)
  const dh = (2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))) / (1 + 0.015 * chroma * t)
  const rotation = -Math.sin(radians(60 * Math.exp(-(((hue - 275) / 25) ** 2)))) * 2 * damped(chroma)
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rotation * dc * dh)
}

const clamp = (value: number) => Math.min(1, Math.max(0, value))

function smallestDistance(scheme: ColorScheme, seen: (linear: Triple) => Triple = (same) => same): number {
  const labs = typePalette.map((entry) => toLab(seen(linearOf(entry[scheme]))))
  return Math.min(...labs.flatMap((lab, i) => labs.slice(0, i).map((other) => distance(lab, other))))
}

test('the distance matches published examples', () => {
  expect(distance([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4)
  expect(distance([50, 2.5, 0], [58, 24, 15])).toBeCloseTo(19.4535, 4)
  expect(distance([6.7747, -0.2908, -2.4247], [5.8714, -0.0985, -2.2286])).toBeCloseTo(0.6377, 4)
})

test.each<[ColorScheme, number]>([
  ['light', 16.6],
  ['dark', 17],
])('no two colours of the %s palette are closer than %d', (scheme, least) => {
  expect(smallestDistance(scheme)).toBeGreaterThan(least)
})

test.each<ColorScheme>(['light', 'dark'])('the %s palette holds for all who see fewer colours', (scheme) => {
  for (const matrix of Object.values(deficiencies)) {
    const seen = (linear: Triple) => multiply(matrix, linear).map(clamp) as Triple
    expect(smallestDistance(scheme, seen)).toBeGreaterThan(9.1)
  }
})

test.each<[ColorScheme, string[]]>([
  ['light', ['#f8f7f4', '#ffffff']],
  ['dark', ['#0e1016', '#14171f']],
])('every colour stands out 3:1 from the %s grounds', (scheme, grounds) => {
  for (const ground of grounds.map((hex) => luminance(linearOf(hex)))) {
    for (const entry of typePalette) {
      const color = luminance(linearOf(entry[scheme]))
      const ratio = (Math.max(ground, color) + 0.05) / (Math.min(ground, color) + 0.05)
      expect([entry[scheme], ratio >= 3]).toEqual([entry[scheme], true])
    }
  }
})

test('after the palette come rings, then rings of its last colour', () => {
  const [, , third] = typePalette
  expect([3, 19, 35].map((place) => colorOfPlace(place, 'light'))).toEqual([
    { color: third!.light, isRing: false },
    { color: third!.light, isRing: true },
    { color: typePalette.at(-1)!.light, isRing: true },
  ])
})

test('known types have their places before any list is loaded', () => {
  expect(['concept', 'Person', 'event', 'observation', 'service'].map(placeOfType)).toEqual([1, 2, 6, 16, 16])
})
