import { idNumber, idOf } from './id-numbers.ts'

/** The place of an entity on the map of its space, in whole graph units. */
export type MapPlace = {
  /** The number in the entity's id: see {@link entityNumber}. */
  entity: number
  x: number
  y: number
  /** Index in the map's list of regions; -1 for entities outside every region. */
  region: number
}

/** Coordinates of the map lie within this distance of its origin. */
export const coordinateMax = 1_000_000
/** Entities whose numbers share all but the last ten bits are stored and sent together. */
export const placesPerPart = 1024

/** The number in the id of an entity, which Crockford's base 32 writes; undefined for anything else. */
export function entityNumber(id: string): number | undefined {
  if (!/^ent_[1-9a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{0,9}$/.test(id)) return undefined
  return idNumber(id)
}

/** The id of the entity with a number. */
export const entityIdOf = (number: number): string => idOf('ent', number)

/**
 * Writes places as bytes: for each part its number and count, then for each entity the distance of its number from the
 * one before, x, y and region. All are whole numbers of seven bits a byte, the lowest first; a set eighth bit means
 * that more follow. Signed numbers alternate: 0, -1, 1, -2. A place takes five to eight bytes.
 */
export function encodePlaces(places: readonly MapPlace[]): Uint8Array {
  return joinBytes([...encodeParts(places)])
}

/** The same, part by part. */
export function* encodeParts(places: readonly MapPlace[]): Generator<Uint8Array, void> {
  const parts = Map.groupBy(places, ({ entity }) => Math.floor(entity / placesPerPart))
  for (const [number, part] of [...parts].sort(([a], [b]) => a - b)) yield writePart(number, part)
}

function writePart(number: number, places: MapPlace[]): Uint8Array {
  const bytes = new ByteWriter()
  bytes.write(number)
  bytes.write(places.length)
  let before = 0
  for (const { entity, x, y, region } of places.sort((a, b) => a.entity - b.entity)) {
    const low = entity % placesPerPart
    bytes.write(low - before)
    bytes.writeSigned(x)
    bytes.writeSigned(y)
    bytes.write(region + 1)
    before = low
  }
  return bytes.done()
}

/** One array of bytes from several. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Reads what {@link encodePlaces} wrote; undefined if the bytes are anything else. */
export function decodePlaces(bytes: Uint8Array): MapPlace[] | undefined {
  const places: MapPlace[] = []
  for (const part of decodeParts(bytes)) {
    if (part === undefined) return undefined
    places.push(...part)
  }
  return places
}

/** The same, part by part; the last one is undefined if the bytes are anything else. */
export function* decodeParts(bytes: Uint8Array): Generator<MapPlace[] | undefined, void> {
  const reader = new ByteReader(bytes)
  while (!reader.atEnd) {
    const part = readPart(reader)
    yield part
    if (part === undefined) return
  }
}

function readPart(reader: ByteReader): MapPlace[] | undefined {
  const part = reader.read()
  const count = reader.read()
  if (!(count >= 1 && count <= placesPerPart && part <= Number.MAX_SAFE_INTEGER / placesPerPart))
    return undefined
  const places: MapPlace[] = []
  let low = 0
  for (let i = 0; i < count; i++) {
    const step = reader.read()
    low += step
    if ((i > 0 && step < 1) || low >= placesPerPart) return undefined
    const [x, y, region] = [reader.readSigned(), reader.readSigned(), reader.read() - 1]
    if (!(Math.abs(x) <= coordinateMax && Math.abs(y) <= coordinateMax)) return undefined
    places.push({ entity: part * placesPerPart + low, x, y, region })
  }
  return reader.failed ? undefined : places
}

class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  write(number: number): void {
    if (this.#length + 8 > this.#bytes.length) {
      const more = new Uint8Array(2 * this.#bytes.length)
      more.set(this.#bytes)
      this.#bytes = more
    }
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) + 128
    this.#bytes[this.#length++] = rest
  }

  writeSigned(number: number): void {
    this.write(number < 0 ? -2 * number - 1 : 2 * number)
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}

const digitsMax = 7

class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0
  failed = false

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.failed || this.#at >= this.#bytes.length
  }

  /** NaN if there is no number. */
  read(): number {
    let number = 0
    for (let digit = 0; digit < digitsMax; digit++) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) break
      number += (byte % 128) * 128 ** digit
      if (byte < 128) return number
    }
    this.failed = true
    return Number.NaN
  }

  readSigned(): number {
    const number = this.read()
    return number % 2 === 1 ? -(number + 1) / 2 : number / 2
  }
}

const sliceBytes = 8_192

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += sliceBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + sliceBytes))
  return btoa(text)
}

export const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

/** Undefined for anything that is not base 64. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!isBase64(text)) return undefined
  const characters = atob(text)
  const bytes = new Uint8Array(characters.length)
  // Ten times as fast as `Uint8Array.from` with a function.
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}
