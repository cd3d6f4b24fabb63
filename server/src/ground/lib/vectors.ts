/** Scales a vector to length 1. Undefined if it has no direction: all zeros, or not numbers. */
export function toUnit(values: ArrayLike<number>): Float32Array | undefined {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!
  if (!Number.isFinite(sum) || sum === 0) return undefined
  const length = Math.sqrt(sum)
  return Float32Array.from(values, (value) => value / length)
}

/**
 * Quantises a vector to one byte per number, scaled by its largest: a quarter of the size, and the error in its
 * direction is smaller than differences between texts. Only the direction is meaningful.
 */
export function toBytes(vector: Float32Array): Uint8Array {
  const largest = vector.reduce((max, value) => Math.max(max, Math.abs(value)), Number.MIN_VALUE)
  return new Uint8Array(Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer)
}

/** The cosine of the angle between a stored vector and one of length 1. */
export function cosineTo(bytes: Uint8Array, unit: Float32Array): number {
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let product = 0
  let square = 0
  for (let i = 0; i < unit.length; i++) {
    const value = values[i]!
    product += value * unit[i]!
    square += value * value
  }
  return square === 0 ? 0 : product / Math.sqrt(square)
}
